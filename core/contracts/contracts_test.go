package contracts_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/contracts"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// rows are the threat catalogue's rows of the groups that are checked here, 221, and those that it does not have: of powers, 5, and of the
// served page, 10.
var rows = map[byte]int{'N': 40, 'S': 20, 'B': 16, 'P': 34, 'D': 27, 'F': 39, 'R': 27, 'W': 18, 'G': 5, 'V': 10}

func TestEveryRowOfTheCatalogueIsAContractOrHasAReasonWhyNot(t *testing.T) {
	suite := contracts.All()
	found := map[byte]int{}
	seen := map[string]bool{}
	count := func(id string) {
		require.Regexp(t, regexp.MustCompile(`^[NSBPDFRWGV][0-9]{2}$`), id)
		require.False(t, seen[id], "%s is there twice", id)
		seen[id] = true
		found[id[0]]++
	}
	for _, c := range suite.Contracts {
		count(c.ID)
	}
	for _, a := range suite.Absent {
		count(a.ID)
		require.NotEmpty(t, a.Reason, a.ID)
	}
	require.Equal(t, rows, found)
	require.Len(t, seen, 236)
	require.Len(t, suite.Contracts, 183)
	require.Len(t, suite.Absent, 53)
}

func TestEveryContractNamesItsGuardOrSaysWhyThereIsNone(t *testing.T) {
	suite := contracts.All()
	watched := map[string]int{}
	var unguarded []string
	for _, c := range suite.Contracts {
		if c.Guard == "" {
			require.NotEmpty(t, c.Unguarded, c.ID)
			unguarded = append(unguarded, c.ID)
			continue
		}
		require.Empty(t, c.Unguarded, c.ID)
		watched[c.Guard]++
		for host, guard := range c.GuardOn {
			require.Contains(t, contracts.Hosts(), host, c.ID)
			require.NotEqual(t, c.Guard, guard, c.ID)
			watched[guard]++
		}
	}
	require.Equal(t, []string{"P07", "P23", "P25", "P42", "F02", "F07", "F27", "R03", "R09", "R10", "R11", "R12", "D06", "D07", "D28"}, unguarded)
	for _, g := range suite.Guards {
		require.NotZero(t, watched[g.Name], "no contract watches %s", g.Name)
		require.NotEmpty(t, g.What, g.Name)
		require.Contains(t, []string{contracts.InHost, contracts.InCore, contracts.InFrame, contracts.InPage, contracts.InServed, contracts.InLimits}, g.Kind, g.Name)
		require.Equal(t, g.Kind == contracts.InLimits, len(g.Lifted) > 0, g.Name)
		delete(watched, g.Name)
	}
	require.Empty(t, watched, "contracts watch guards that are none")
}

func TestEveryContractCanBeRunFromItsDataAlone(t *testing.T) {
	for _, c := range contracts.All().Contracts {
		require.NotEmpty(t, c.Title, c.ID)
		require.True(t, len(c.Steps) > 0 || slices.ContainsFunc(c.Tools, func(tool contracts.Tool) bool { return tool.Refused != nil }), "%s expects nothing", c.ID)
		for i, tool := range c.Tools {
			require.NotEmpty(t, tool.Code, c.ID)
			for _, text := range []json.RawMessage{tool.More, tool.Refused} {
				require.True(t, text == nil || json.Valid(text), "%s: tool %d: %s", c.ID, i, text)
			}
		}
		drills := 0
		for i, step := range c.Steps {
			require.True(t, json.Valid(step.Expect), "%s: step %d: %s", c.ID, i, step.Expect)
			require.Contains(t, []string{"", "deny", "late", "nonsense"}, step.Permission, c.ID)
			require.True(t, step.Args == nil || json.Valid(step.Args), "%s: step %d: %s", c.ID, i, step.Args)
			if step.Drill {
				drills++
			}
			if !step.Drill && step.Probe == "" {
				require.Less(t, step.Tool, len(c.Tools), "%s: step %d", c.ID, i)
			}
		}
		require.Equal(t, c.Drill != "", drills > 0, "%s has a drill and no step for it, or the other way round", c.ID)
		_, err := limits.With(numbers(c.Limits))
		require.NoError(t, err, c.ID)
	}
}

func TestWhatIsNotJudgedInAPlaceHasAReason(t *testing.T) {
	known := map[contracts.Place]bool{}
	for _, host := range contracts.Hosts() {
		known[contracts.Place(host)] = true
		for _, kind := range contracts.Kinds() {
			known[contracts.Place(kind)], known[contracts.At(host, kind)] = true, true
		}
	}
	judged := map[contracts.Place]int{}
	for _, c := range contracts.All().Contracts {
		for place, except := range c.Except {
			require.True(t, known[place], "%s: %s is no place", c.ID, place)
			require.Contains(t, []contracts.Result{contracts.NotApplicable, contracts.NotObservable}, except.Result, c.ID)
			require.NotEmpty(t, except.Reason, c.ID)
		}
		for _, host := range contracts.Hosts() {
			for _, kind := range contracts.Kinds() {
				if _, there := c.Exception(host, kind); !there {
					judged[contracts.At(host, kind)]++
				}
			}
		}
		for place, reason := range c.Bare {
			require.True(t, known[place], "%s: %s is no place", c.ID, place)
			require.NotEmpty(t, reason, c.ID)
			require.NotEqual(t, contracts.At(contracts.Chromium, contracts.Page), place, "%s: Connection-Allowlist keeps the engine from that", c.ID)
		}
	}
	require.Equal(t, map[contracts.Place]int{
		"chromium/srcdoc": 171, "firefox/srcdoc": 169, "webkit/srcdoc": 160,
		"chromium/page": 181, "firefox/page": 178, "webkit/page": 169,
	}, judged)
}

func TestWhatIsOfOneKindAloneSaysSo(t *testing.T) {
	suite := contracts.All()
	guards := map[string]contracts.Guard{}
	for _, g := range suite.Guards {
		guards[g.Name] = g
	}
	for _, g := range suite.Guards {
		for _, name := range g.Behind {
			require.Contains(t, guards, name, g.Name)
			require.NotEqual(t, g.Name, name)
		}
	}
	framed := map[bool]int{}
	for _, c := range suite.Contracts {
		framed[c.Framed]++
		_, inSrcdoc := c.Except[contracts.Place(contracts.Srcdoc)]
		require.Equal(t, c.ID[0] == 'V', inSrcdoc, c.ID)
		require.True(t, c.Served == nil || inSrcdoc, "%s says how a page is served, and is judged where there is none", c.ID)
		require.True(t, guards[c.Guard].Kind != contracts.InServed || inSrcdoc, "%s watches a guard that a srcdoc frame does not have", c.ID)
		require.True(t, !inSrcdoc || c.Framed, c.ID)
		if c.Served == nil {
			continue
		}
		require.NotContains(t, c.Served.Off, c.Guard, "%s is without the guard that it watches", c.ID)
		for _, name := range c.Served.Off {
			require.Contains(t, guards, name, c.ID)
		}
	}
	require.Equal(t, map[bool]int{true: 55, false: 128}, framed)
}

func numbers(given map[string]int) map[string]any {
	all := map[string]any{}
	for name, n := range given {
		all[name] = float64(n)
	}
	return all
}
