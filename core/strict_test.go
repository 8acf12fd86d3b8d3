package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// door is one way for a text of a stranger into the engine. Its text begins with a member named key, and holds an array of nothing, `[]`,
// where any data may stand. known is a member under a name that differs from a known one as Go's own decoder does not see: U+017F is
// an s to it.
type door struct {
	title, text, key, known string
	refusal                 fault.Code // of what is JSON and breaks the type
	enter                   func(text string) error
}

func doors(t *testing.T, f *fixture) []door {
	f.install(t, "a", "one", `,"parameters":{"type":"object","properties":{"is":{},"n":{}},"additionalProperties":false}`)
	compiled, _ := f.compile(t, "a", `{"n":[]}`)
	// The id is right for whatever the node says, so that only its shape can be refused.
	run := func(node string) error {
		id := canon.SumTask(nil)
		if bytes, err := canon.Canonical([]byte(node), 128); err == nil {
			id = canon.SumTask(bytes)
		}
		if rest, ok := strings.CutPrefix(node, "{"); ok {
			node = `{"id":"` + id.String() + `",` + rest
		}
		_, err := f.Run(t.Context(), []byte(node), core.RunOptions{})
		return err
	}
	compile := func(text string) error {
		_, err := f.Compile(t.Context(), []byte(text))
		return err
	}
	other := f.install(t, "c", "one", `,"parameters":{"type":"object","default":[]}`)
	// As above: the id is right for whatever the definition says.
	file := func(line string) error {
		id := other.ID()
		if tree, err := canon.Decode([]byte(line), 128); err == nil {
			object, _ := tree.(map[string]any)
			bytes, err := canon.Encode(object["definition"])
			require.NoError(t, err)
			id = canon.SumTool(bytes)
		}
		if rest, ok := strings.CutPrefix(line, "{"); ok {
			line = `{"id":"` + id.String() + `",` + rest
		}
		report, err := f.Import(t.Context(), []byte(`{"taskyon":"archive","version":1}`+"\n"+line))
		if err == nil && len(report.Refused) > 0 {
			err = fault.New(report.Refused[0].Code, "%s", report.Refused[0].Message)
		}
		return err
	}
	return []door{
		{"install", `{"name":"b","description":"","code":"one","parameters":{"type":"object","default":[]}}`, "name", `"deſcription":"x"`, fault.InvalidDefinition, func(text string) error {
			_, err := f.Install(t.Context(), []byte(text), true)
			return err
		}},
		{"draft of a call", `{"role":"function","content":{"functionCall":{"name":"a","arguments":{"n":[]}}}}`, "role", `"parentſ":"x"`, fault.InvalidDraft, compile},
		{"arguments", `{"n":[]}`, "n", `"iſ":1`, fault.InvalidArguments, func(args string) error { return compile(call("a", args)) }},
		{"arguments as a text", `{"n":[]}`, "n", `"iſ":1`, fault.InvalidArguments, func(args string) error {
			spelled, err := canon.Encode(args)
			if err != nil {
				return err // no text of that kind can be written as JSON
			}
			return compile(call("a", string(spelled)))
		}},
		{"a line of an archive", `{"kind":"revision","definition":` + strings.Replace(other.Bytes(), `"name":"c"`, `"name":"d"`, 1) + `}`, "kind", `"taſk":1`, fault.InvalidRequest, file},
		{"a task that travelled", compiled.Bytes(), "content", `"taſk":"x"`, fault.InvalidTask, run},
	}
}

// Each of these texts is read in two ways by some two parsers. What is hashed is exactly what runs, so none is taken by any door.
func TestATextWithTwoReadingsIsRefusedAtEveryDoor(t *testing.T) {
	f := open(t, echo())
	for _, d := range doors(t, f) {
		body, found := strings.CutPrefix(d.text, "{")
		require.True(t, found)
		data := func(spelling string) string { return strings.Replace(d.text, "[]", spelling, 1) }
		with := func(member string) string { return "{" + member + "," + body }
		inner := strings.HasPrefix(d.title, "arguments")
		escaped := `\u00` + hexOf(d.key[0]) + d.key[1:]
		for _, c := range []struct {
			title, text string
			code        fault.Code // what it is refused with; empty: it is no JSON
		}{
			{"a key given twice", with(`"` + d.key + `":"b"`), ""},
			{"a key given twice by an escape", with(`"` + escaped + `":"b"`), ""},
			{"the same key in another letter case", with(`"` + strings.ToUpper(d.key) + `":"b"`), d.refusal},
			{"a key with U+017F for an s", with(d.known), d.refusal},
			{"an unknown field", with(`"colour":1`), d.refusal},
			{"an unknown field that holds nothing", with(`"colour":null`), d.refusal},
			{"an empty key", with(`"":1`), d.refusal},
			{"a key behind byte 0", with(`"` + d.key + `\u0000":"b"`), d.refusal},
			{"a second value", d.text + " {}", ""},
			{"itself again", d.text + d.text, ""},
			{"text behind the value", d.text + "x", ""},
			{"byte 0 behind the value", d.text + "\x00", ""},
			{"a byte-order mark", "\uFEFF" + d.text, ""},
			{"a no-break blank", "\u00A0" + d.text, ""},
			{"UTF-16", "\xff\xfe{\x00}\x00", ""},
			{"half of it", d.text[:len(d.text)/2], ""},
			{"10 000 nested arrays", data(strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000)), ""},
			{"10 000 open arrays", data(strings.Repeat("[", 10_000)), ""},
			{"1e400", data("1e400"), ""},
			{"an inexact integer", data("9007199254740993"), ""},
			{"NaN", data("NaN"), ""},
			{"Infinity", data("-Infinity"), ""},
			{"a leading zero", data("007"), ""},
			{"a hexadecimal number", data("0x7"), ""},
			{"undefined", data("undefined"), ""},
			{"a comment", data("/* no */ []"), ""},
			{"a comment to the end of the line", "// no\n" + d.text, ""},
			{"a trailing comma", strings.TrimSuffix(d.text, "}") + ",}", ""},
			{"a trailing comma in a list", data("[1,]"), ""},
			{"a hole in a list", data("[1,,2]"), ""},
			{"single quotes", data("'x'"), ""},
			{"a key without quotes", strings.Replace(d.text, `"`+d.key+`"`, d.key, 1), ""},
			{"a raw line end in a text", data("\"a\nb\""), ""},
			{"an unknown escape", data(`"\x41"`), ""},
			{"half of a surrogate pair", data(`"\ud800"`), ""},
			{"broken UTF-8", data("\"\xff\""), ""},
			{"an array in place of the object", "[" + d.text + "]", d.refusal},
			{"null", "null", d.refusal},
			{"a text in a text", `"{}"`, d.refusal},
		} {
			if d.title == "arguments" && (c.text == "null" || c.text == `"{}"`) {
				require.NoError(t, d.enter(c.text), "models say so that there are no arguments")
				continue
			}
			t.Run(d.title+": "+c.title, func(t *testing.T) {
				err := d.enter(c.text)
				require.Error(t, err)
				codes := []fault.Code{c.code}
				if c.code == "" {
					codes = []fault.Code{fault.InvalidJSON}
				}
				if inner { // within a draft, or as a text within it
					codes = append(codes, fault.InvalidArguments, fault.InvalidJSON, fault.InvalidValue)
				}
				require.Contains(t, codes, fault.CodeOf(err), "%v", err)
			})
		}
		require.NoError(t, d.enter(d.text), "%s: the same text without any of that", d.title)
		require.NoError(t, d.enter(data(`[{"colour":null,"":"\ud83d\ude00"},1e21,-0]`)), "%s: data is free", d.title)
	}
}

func hexOf(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

// Where the rest of that promise is proved: one strict decoder beneath, and the doors that this room does not have.
func TestStrictReadingIsProvedAtEveryOtherDoor(t *testing.T) {
	keepAll(t, []promise{
		{id: "decoder", title: "refuses what two parsers could read in two ways", elsewhere: []proof{{"core/canon", "TestDecodeRefusesWhatTwoParsersCouldReadInTwoWays"},
			{"core/canon", "TestDecodeCountsNestingFromTheOutermostBracket"}, {"core/canon", "TestBindRefusesEveryBreachWithItsPlace"}, {"core/canon", "TestPublicSuitesHoldInFull"}}},
		{id: "protocol", title: "messages are read alike by both sides of the wall", elsewhere: []proof{{"core/protocol", "TestBothSidesOfTheWallJudgeTheSameConversationsAlike"},
			{"core/protocol", "TestAMissingFieldIsABreach"}, {"core/protocol", "TestAValueNestsToTheLimitAndNoDeeper"}, {"sandboxhost/bootstrap/test", "both sides of the wall judge ${file} alike"}}},
		{id: "page", title: "objects and texts of a page are refused, not repaired", elsewhere: []proof{inPage("a definition with ${title} is refused by name and nothing is stored"),
			inPage("functions, getters, class instances, cycles and bigints in a definition or a draft are refused with their path, not stringified away"),
			inPage("what is stored is what was checked: toJSON, Proxies and extras of arrays change nothing"), inPage("options that do not exist are refused by name")}},
		{id: "both", title: "Go and JavaScript read every accepted definition alike", elsewhere: []proof{everywhere()}},
		{id: "models", title: "arguments of a model run whole or not at all", elsewhere: []proof{{"core/tool/signature", "TestArgumentsThatAreNotAWholeObjectNeverRun"}}},
	})
}
