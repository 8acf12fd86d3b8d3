package core_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// promise is one attack on identity and what comes of it. test proves what this room can see; elsewhere are the tests that prove the
// rest, by name, where a browser, a disk or another process is needed; waits says what cannot be proved yet, and why.
type promise struct {
	id, title string
	test      func(*testing.T)
	elsewhere []proof
	waits     string
}

// proof is a test by its name and the folder of its file.
type proof struct{ folder, title string }

// identity lists the attacks on identity, hashing and persistence.
func identity() []promise {
	return []promise{
		{id: "H01", title: "a key given twice is refused at every door: what is approved is what runs", test: keysGivenTwice,
			elsewhere: []proof{{"core/canon", "TestDecodeRefusesWhatTwoParsersCouldReadInTwoWays"}, inPage("a definition with ${title} is refused by name and nothing is stored")}},
		{id: "H02", title: "names match exactly: no field, tool or argument is found in another letter case", test: otherLetterCase},
		{id: "H03", title: "a key named after an object's prototype is a key like any other", test: prototypeKeys,
			elsewhere: []proof{{"sandboxhost/bootstrap/test", "__proto__ is a key like any other in both directions"},
				inPage("what a tool gets and gives is what was hashed, whatever its keys are"), everywhere()}},
		{id: "H04", title: "half of a surrogate pair and broken UTF-8 are refused and never repaired", test: brokenText,
			elsewhere: []proof{inPage("half of a surrogate pair is refused and not repaired: two texts never share an id")}},
		{id: "H05", title: "names are plain ASCII, source is not normalised: what looks alike is not the same", test: lookAlikes},
		{id: "H06", title: "a number has one identity however it is spelled, and none where it is not exact", test: spelledNumbers,
			elsewhere: []proof{{"core/canon", "TestNumbersAreWrittenAsECMAScriptWritesThem"}, everywhere()}},
		{id: "H07", title: "line ends, byte-order mark, byte 0 and blanks of a source are hashed, stored and run as they are", test: bytesOfSource},
		{id: "H08", title: "moving text from one field to the next, or a digest to another kind, is another identity", test: boundaries,
			elsewhere: []proof{{"core/canon", "TestIdentitiesOfDifferentKindsCannotBeMixed"}}},
		{id: "H09", title: "order of keys and white space change no identity", test: orderAndSpace, elsewhere: []proof{everywhere()}},
		{id: "H10", title: "keys are in the order of UTF-16", test: orderOfKeys,
			elsewhere: []proof{{"core/canon", "TestKeysAreSortedByUTF16CodeUnits"}, {"core/canon", "TestTheCheckedInIdentitiesHoldInEveryBuild"}, everywhere()}},
		{id: "H11", title: "a new revision of a name inherits no approval", waits: "there are no grants yet: every ask is denied",
			elsewhere: []proof{{"core", "TestSettingsThatDoNotFitAreRefusedAndNeverInheritedByAnotherRevision"}}},
		{id: "H12", title: "an older revision comes back only by explicit selection, under its own id", test: rollback,
			elsewhere: []proof{{"core/registry", "TestABindingThatNamesAnotherToolsRevisionIsRefused"},
				inPage("a person installs a tool of their own, a second version of it, and goes back to the first")}},
		{id: "H13", title: "stored source that was edited under a kept id never runs", test: editedSource,
			elsewhere: []proof{{"native/store", "TestARowEditedByHandIsRefusedWithItsID"}, inPage("a row edited by hand is refused with its id")}},
		{id: "H14", title: "grants that were edited by hand are not believed", waits: "there are no grants yet: nothing stores a decision"},
		{id: "H15", title: "one immutable revision travels from lookup to record while others are activated", test: racingActivation},
		{id: "H16", title: "two tabs or processes that edit the registry lose nothing of each other", elsewhere: []proof{
			inPage("two tabs may install and run at once, and both see all of it"), {"native/store", "TestTwoProcessesMayWriteAtOnceAndLoseNothing"},
			{"core", "TestWhatOneTabRetiresBlocksOrErasesEndsInTheOthers"}}},
		{id: "H17", title: "after a full disk or a crash there is old or new and never a mixture", test: brokenStores, elsewhere: []proof{
			{"native/store", "TestAProcessKilledInMidWriteLeavesOldOrNewAndNeverAMixture"}, {"native/store", "TestAFullDiskOrAReadOnlyFileIsATypedErrorAndLosesNothing"},
			inPage("a tab closed in the middle of a bulk write leaves all of it or nothing"), inPage("a full quota is a typed error that changes nothing")}},
		{id: "H18", title: "part of an id, or an id that begins alike, names nothing", test: partsOfAnID},
		{id: "H19", title: "a description is plain text of bounded length, whatever it claims", test: claimsOfADescription,
			elsewhere: []proof{{"web/ui", "TestComponentsKeepTheLaws"}}, waits: "the prompt that must quote it comes with the grants"},
		{id: "H20", title: "the language is part of the identity: source of one never runs as the other", test: otherLanguage},
		{id: "H21", title: "checking arguments changes nothing in them", test: argumentsAsGiven},
		{id: "H22", title: "hostile files, of prototype keys or a million levels, are refused by name", test: hostileImports,
			waits: "a link that leads out of a folder waits for the command line, which reads files"},
	}
}

func inPage(title string) proof { return proof{"e2e", title} }

func everywhere() proof {
	return proof{"internal/identity", "a definition has one identity in native Go, in the wasm build and in JavaScript, however it is spelled"}
}

func TestAttacksOnIdentity(t *testing.T) {
	keepAll(t, identity())
}

// Nobody forgets what waits: the numbers change only with this test.
func TestTheListOfAttacksOnIdentityIsWhole(t *testing.T) {
	var waiting, unproved []string
	for i, p := range identity() {
		require.Equal(t, fmt.Sprintf("H%02d", i+1), p.id)
		if p.waits != "" {
			waiting = append(waiting, p.id)
		}
		if p.test == nil && len(p.elsewhere) == 0 {
			unproved = append(unproved, p.id)
		}
	}
	require.Len(t, identity(), 22)
	require.Equal(t, []string{"H11", "H14", "H19", "H22"}, waiting)
	require.Equal(t, []string{"H14"}, unproved, "not applicable yet: see waits")
}

// keepAll runs what can be run here and finds the rest by name.
func keepAll(t *testing.T, promises []promise) {
	for _, p := range promises {
		t.Run(p.id+" "+p.title, func(t *testing.T) {
			for _, there := range p.elsewhere {
				require.NoError(t, there.find())
			}
			if p.test != nil {
				p.test(t)
			} else if len(p.elsewhere) == 0 {
				t.Log("not applicable yet: " + p.waits)
			}
		})
	}
}

// find returns an error when no test file of the folder has such a test any more, or when it is skipped whatever happens.
func (p proof) find() error {
	files, err := os.ReadDir("../" + p.folder)
	if err != nil {
		return err
	}
	title := regexp.QuoteMeta(p.title)
	script := regexp.MustCompile("(?m)^\\s*test\\(\\s*['\"`]" + title + "['\"`],")
	program := regexp.MustCompile(`(?m)^func ` + title + `\(t \*testing\.T\)`)
	for _, file := range files {
		begins := script
		switch name := file.Name(); {
		case strings.HasSuffix(name, "_test.go"):
			begins = program
		case !strings.Contains(name, ".test.") && !strings.Contains(name, ".spec."):
			continue
		}
		text, err := os.ReadFile("../" + p.folder + "/" + file.Name())
		if err != nil {
			return err
		}
		if begins.Match(text) {
			return nil
		}
	}
	return fmt.Errorf("%s: has no test %q", p.folder, p.title)
}

// Positive control: a test that was renamed, skipped or removed is missed.
func TestAProofThatIsGoneIsNoticed(t *testing.T) {
	require.NoError(t, proof{"core", "TestAProofThatIsGoneIsNoticed"}.find())
	require.NoError(t, inPage("two tabs may install and run at once, and both see all of it").find())
	for _, p := range []proof{
		{"core", "TestAProof"}, {"core", "TestSomethingElse"}, {"nowhere", "TestAProofThatIsGoneIsNoticed"}, inPage("TestTwoTabs"), inPage("two tabs may install"),
	} {
		require.Error(t, p.find(), p.title)
	}
}

// quote spells a text as JSON.
func quote(t *testing.T, text string) string {
	spelled, err := canon.Encode(text)
	require.NoError(t, err)
	return string(spelled)
}
