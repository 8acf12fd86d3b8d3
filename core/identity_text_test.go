package core_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// tooled returns the revision of a short definition with that name, description and code.
func tooled(t *testing.T, f *fixture, name, description, code string) *tool.Revision {
	r, err := f.Install(t.Context(), []byte(`{"name":`+quote(t, name)+`,"description":`+quote(t, description)+`,"code":`+quote(t, code)+`}`), true)
	require.NoError(t, err)
	return r
}

// refuses checks that a definition is refused with one of the codes.
func refuses(t *testing.T, f *fixture, definition string, codes ...fault.Code) {
	_, err := f.Install(t.Context(), []byte(definition), true)
	require.Contains(t, codes, fault.CodeOf(err), "%.200s: %v", definition, err)
}

func refusesDraft(t *testing.T, f *fixture, draft string, codes ...fault.Code) {
	_, err := f.Compile(t.Context(), []byte(draft))
	require.Contains(t, codes, fault.CodeOf(err), "%.200s: %v", draft, err)
}

// isEmpty checks that neither a tool nor a task was kept.
func isEmpty(t *testing.T, f *fixture) {
	list, err := f.Registry().List(t.Context())
	require.NoError(t, err)
	require.Empty(t, list)
	roots, err := f.tasks.Children(t.Context(), canon.TaskID{})
	require.NoError(t, err)
	require.Empty(t, roots)
}

func call(name, args string) string {
	return `{"role":"function","content":{"functionCall":{"name":"` + name + `","arguments":` + args + `}}}`
}

func keysGivenTwice(t *testing.T) {
	f := open(t, echo())
	const head = `{"name":"a","description":"",`
	for _, definition := range []string{
		head + `"code":"safe","code":"evil"}`,
		head + `"code":"safe","c\u006fde":"evil"}`,
		head + `"code":"safe","name":"b"}`,
		head + `"implementation":{"class":"sandboxed-code","language":"javascript","code":"safe","code":"evil"}}`,
		head + `"code":"x","parameters":{"type":"object","properties":{"a":{"type":"string","type":"number"}}}}`,
		head + `"code":"x","needs":{"storage":false,"storage":true}}`,
	} {
		refuses(t, f, definition, fault.InvalidJSON)
	}
	isEmpty(t, f)
	f.install(t, "a", "one", "")
	for _, draft := range []string{
		`{"role":"user","role":"system","content":{"message":"x"}}`,
		call("a", `{"path":"/safe","path":"/evil"}`),
		call("a", `{"path":"/safe","p\u0061th":"/evil"}`),
		call(`a","name":"b`, `{}`),
	} {
		refusesDraft(t, f, draft, fault.InvalidJSON)
	}
	refusesDraft(t, f, call("a", quote(t, `{"path":"/safe","path":"/evil"}`)), fault.InvalidArguments)
	_, text := f.compile(t, "a", `{"path":"/safe"}`)
	twice := strings.Replace(text, `"path":"/safe"`, `"path":"/evil","path":"/safe"`, 1)
	require.NotEqual(t, text, twice)
	_, err := f.Run(t.Context(), []byte(twice), core.RunOptions{})
	require.Equal(t, fault.InvalidJSON, fault.CodeOf(err))
}

func otherLetterCase(t *testing.T) {
	f := open(t, echo())
	const whole = `"name":"a","description":"","code":"one"`
	for _, more := range []string{`"Name":"b"`, `"NAME":"b"`, `"Code":"evil"`, `"de\u017Fcription":"x"`, `"deſcription":"x"`, `"code\u0000":"x"`, `"code ":"x"`} {
		refuses(t, f, `{`+whole+`,`+more+`}`, fault.InvalidDefinition)
	}
	refuses(t, f, `{"Name":"a","description":"","code":"one"}`, fault.InvalidDefinition)
	refuses(t, f, `{"name":"a","description":"","implementation":{"class":"sandboxed-code","language":"javascript","code":"one","Code":"evil"}}`, fault.InvalidDefinition)
	refuses(t, f, `{"name":"a","description":"","implementation":{"class":"Sandboxed-Code","language":"javascript","code":"one"}}`, fault.InvalidDefinition)
	refuses(t, f, `{"name":"a","description":"","implementation":{"class":"sandboxed-code","language":"JavaScript","code":"one"}}`, fault.InvalidDefinition)
	isEmpty(t, f)

	r := f.install(t, "a", "one", `,"parameters":{"type":"object","properties":{"input":{"type":"string"}},"required":["input"],"additionalProperties":false}`)
	for _, args := range []string{`{"Input":"x"}`, `{"input":"x","Input":"y"}`, `{"\u0131nput":"x"}`} {
		refusesDraft(t, f, call("a", args), fault.InvalidArguments)
	}
	refusesDraft(t, f, call("A", `{"input":"x"}`), fault.NotFound)
	refusesDraft(t, f, `{"role":"function","content":{"functioncall":{"name":"a","arguments":{"input":"x"}}}}`, fault.InvalidDraft)
	refusesDraft(t, f, `{"role":"Function","content":{"functionCall":{"name":"a","arguments":{"input":"x"}}}}`, fault.InvalidDraft)
	other := tooled(t, f, "A", "", "two")
	kept, err := f.Registry().Lookup(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, r.ID(), kept.ID(), "a tool in another letter case is another tool")
	require.NotEqual(t, r.ID(), other.ID())
}

func prototypeKeys(t *testing.T) {
	f := open(t, echo())
	for _, key := range []string{"__proto__", "constructor", "prototype", "toString", "hasOwnProperty", "then", "toJSON"} {
		refuses(t, f, `{"name":"a","description":"","code":"one","`+key+`":{"code":"evil"}}`, fault.InvalidDefinition)
	}
	isEmpty(t, f)
	plain := f.install(t, "a", "one", `,"parameters":{"type":"object","properties":{}}`)
	keyed := f.install(t, "a", "one", `,"parameters":{"type":"object","properties":{"__proto__":{"type":"number"},"constructor":{}},"required":["__proto__"]}`)
	require.NotEqual(t, plain.ID(), keyed.ID())
	refusesDraft(t, f, call("a", `{"__proto__":"text"}`), fault.InvalidArguments)
	refusesDraft(t, f, call("a", `{"toString":1}`), fault.InvalidArguments)
	compiled, text := f.compile(t, "a", `{"__proto__":7,"constructor":{"prototype":{"x":1}},"toString":null}`)
	without, _ := f.compile(t, "a", `{"__proto__":7}`)
	require.NotEqual(t, compiled.ID, without.ID)
	record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"__proto__": 7.0, "constructor": map[string]any{"prototype": map[string]any{"x": 1.0}}, "toString": nil},
		record.Result.(map[string]any)["args"])
}

func brokenText(t *testing.T) {
	f := open(t, echo())
	for _, broken := range []string{`\ud800`, `\udc00`, `\ud83d\u0041`, `\ud83dx`, "\xed\xa0\x80", "\xff", "\xc0\x80", "a\x80", "\xf4\x90\x80\x80"} {
		refuses(t, f, `{"name":"a","description":"","code":"`+broken+`"}`, fault.InvalidJSON)
		refuses(t, f, `{"name":"a`+broken+`","description":"","code":"one"}`, fault.InvalidJSON)
		refuses(t, f, `{"name":"a","description":"","code":"one","parameters":{"type":"object","properties":{"`+broken+`":{}}}}`, fault.InvalidJSON)
		refusesDraft(t, f, `{"role":"user","content":{"message":"`+broken+`"}}`, fault.InvalidJSON)
	}
	isEmpty(t, f)
	f.install(t, "a", "one", "")
	refusesDraft(t, f, call("a", `{"x":"\udfff"}`), fault.InvalidJSON)
	refusesDraft(t, f, call("a", `"{\"x\":\"\\udfff\"}"`), fault.InvalidArguments)
	repaired, kept := tooled(t, f, "a", "\uFFFD", "one"), tooled(t, f, "a", "?", "one")
	require.NotEqual(t, repaired.ID(), kept.ID(), "the replacement character is a character of its own")
}

func lookAlikes(t *testing.T) {
	f := open(t, echo())
	for title, name := range map[string]string{
		"composed": "\u00e9", "decomposed": "e\u0301", "Cyrillic a": "\u0430dmin", "Greek o": "t\u03bf", "full width": "\uff41", "zero width": "a\u200b",
		"joiner": "a\u200d", "byte-order mark": "\ufeffa", "right-to-left": "a\u202eb", "isolate": "\u2066a", "trailing dot": "a.", "trailing blank": "a ", "leading blank": " a",
		"line end": "a\n", "no-break blank": "a\u00a0", "byte 0": "a\x00", "sharp s": "\u00df", "Turkish i": "\u0131", "Turkish I": "\u0130", "Kelvin": "\u212a", "slash": "a/b",
		"colon": "tool:a", "dots": "..", "percent": "a%20", "digit of another script": "\u0661", "emoji": "\U0001F600", "long s": "\u017f",
	} {
		t.Run(title, func(t *testing.T) {
			refuses(t, f, `{"name":`+quote(t, name)+`,"description":"","code":"one"}`, fault.InvalidDefinition)
			refusesDraft(t, f, call(strings.Trim(quote(t, name), `"`), `{}`), fault.NotFound, fault.InvalidRequest)
		})
	}
	isEmpty(t, f)
	seen := map[canon.ToolID]string{}
	for _, code := range []string{"\u00e9", "e\u0301", "\u212b", "\u00c5", "A\u030a", "\ufb01", "fi", "a\u200b", "a", "\u0430"} {
		id := tooled(t, f, "same", "", code).ID()
		require.Empty(t, seen[id], "%+q and %+q", seen[id], code)
		seen[id] = code
	}
}

func spelledNumbers(t *testing.T) {
	f := open(t, echo())
	id := func(number string) canon.ToolID {
		return f.install(t, "a", "one", `,"parameters":{"type":"object","default":{"n":`+number+`}}`).ID()
	}
	taskID := func(number string) canon.TaskID {
		compiled, _ := f.compile(t, "b", `{"n":`+number+`}`)
		return compiled.ID
	}
	f.install(t, "b", "one", "")
	for _, same := range [][]string{
		{"1", "1.0", "1e0", "1E0", "10e-1", "0.1e+1", "1.0000000000000000001"}, {"0", "-0", "0.0", "-0e9", "1e-400"}, {"100", "1e2", "1E+2", "100.0"},
		{"0.1", "1e-1", "0.1000000000000000055", "0.10"}, {"9007199254740992", "9007199254740993.0", "9.007199254740992e15"}, {"1e21", "1E+21", "1000e18"},
	} {
		for _, number := range same {
			require.Equal(t, id(same[0]), id(number), number)
			require.Equal(t, taskID(same[0]), taskID(number), number)
		}
	}
	require.NotEqual(t, id("0.1"), id("0.10000000000000002"), "the next number is another number")
	require.NotEqual(t, id("1"), id("-1"))
	require.NotEqual(t, id("1"), id(`"1"`))
	for _, number := range []string{"1e400", "-1e400", "9007199254740993", "-9007199254740993", "NaN", "Infinity", "-Infinity", "+1", "01", ".5", "1.", "0x10", "1e", "1_000", "1n", "٣"} {
		refuses(t, f, `{"name":"a","description":"","code":"one","parameters":{"type":"object","default":`+number+`}}`, fault.InvalidJSON)
		refusesDraft(t, f, call("b", `{"n":`+number+`}`), fault.InvalidJSON)
	}
}

func bytesOfSource(t *testing.T) {
	f := open(t, echo())
	again := core.New(core.Ports{Wall: echo(), Isolation: "test", Syntax: anything{}, Tools: f.tools, Tasks: new(task.Memory),
		Clock: sandbox.SystemClock{}, Limits: limits.Default()})
	t.Cleanup(again.Close)
	seen := map[canon.ToolID]string{}
	for _, source := range []string{"a\nb", "a\r\nb", "a\rb", "a\u2028b", "a\u2029b", "a\u0085b", "a\nb\n", "a\nb\n\n", "\ufeffa\nb", "a\nb\x00", "a\nb ", " a\nb", "a\n\tb", "a\nb\x1a", "a\\nb"} {
		r := tooled(t, f, "same", "", source)
		require.Empty(t, seen[r.ID()], "%q and %q", seen[r.ID()], source)
		seen[r.ID()] = source
		// Another engine over the same store reads the text back, and runs it.
		back, err := again.Registry().Revision(t.Context(), r.ID())
		require.NoError(t, err)
		require.Equal(t, source, back.Definition().Implementation.Code)
		_, text := f.compile(t, "same", `{}`)
		record, err := again.Run(t.Context(), []byte(text), core.RunOptions{Disposable: true})
		require.NoError(t, err)
		require.Equal(t, source, record.Result.(map[string]any)["program"])
	}
}

func boundaries(t *testing.T) {
	f := open(t, echo())
	seen := map[canon.ToolID]bool{}
	add := func(r *tool.Revision) {
		require.False(t, seen[r.ID()], r.Bytes())
		seen[r.ID()] = true
	}
	add(tooled(t, f, "a", "", "bc"))
	add(tooled(t, f, "ab", "", "c"))
	add(tooled(t, f, "a", "b", "c"))
	add(tooled(t, f, "a", "bc", `","code":"`))
	add(tooled(t, f, "a", `","code":"`, "bc"))
	for _, implementation := range []string{
		`{"class":"trusted-native","native":"a","version":"bc"}`, `{"class":"trusted-native","native":"ab","version":"c"}`,
		`{"class":"external-service","service":"a","operation":"bc"}`, `{"class":"external-service","service":"ab","operation":"c"}`,
	} {
		r, err := f.Install(t.Context(), []byte(`{"name":"a","description":"","implementation":`+implementation+`}`), false)
		require.NoError(t, err)
		add(r)
	}
	// Equal bytes have another digest for each kind of thing.
	digests := map[string]bool{}
	for _, id := range []string{canon.SumTool([]byte("x")).String(), canon.SumTask([]byte("x")).String(), canon.SumSettings([]byte("x")).String(), canon.SumFile([]byte("x")).String()} {
		digests[id[strings.LastIndex(id, ":")+1:]] = true
	}
	require.Len(t, digests, 4)
}

func orderAndSpace(t *testing.T) {
	f := open(t, echo())
	want := f.install(t, "a", "one", `,"limits":{"timeoutMs":5},"parameters":{"type":"object","default":{"x":1,"y":[]}}`).ID()
	for _, same := range []string{
		`{"parameters":{"default":{"y":[],"x":1},"type":"object"},"limits":{"timeoutMs":5},"code":"one","description":"","name":"a"}`,
		"\r\n\t {\"name\" :\"a\",\"description\":\n\"\",\"code\":\"one\" , \"limits\":{ \"timeoutMs\":5 },\"parameters\":{\"type\":\"object\",\"default\":{\"x\":1,\"y\":[ ]}}} \n",
		`{"n\u0061me":"\u0061","description":"","code":"o\u006Ee","limits":{"timeoutMs":5.0},"parameters":{"type":"object","default":{"x":1,"y":[]}}}`,
	} {
		r, err := f.Install(t.Context(), []byte(same), true)
		require.NoError(t, err)
		require.Equal(t, want, r.ID())
	}
	one, _ := f.compile(t, "a", `{"b":1,"a":[{"d":1,"c":2}]}`)
	other, _ := f.compile(t, "a", "{ \"a\" : [ {\"c\":2,\n\"d\":1.0} ] , \"\\u0062\":1}")
	require.Equal(t, one.ID, other.ID)
	asText, _ := f.compile(t, "a", quote(t, `{ "b":1, "a":[{"d":1,"c":2}] }`))
	require.Equal(t, one.ID, asText.ID)
	swapped, _ := f.compile(t, "a", `{"b":1,"a":[{"d":2,"c":1}]}`)
	require.NotEqual(t, one.ID, swapped.ID)
}

func orderOfKeys(t *testing.T) {
	f := open(t, echo())
	r := f.install(t, "a", "one", `,"parameters":{"type":"object","default":{"\uFB33":1,"\ud83d\ude02":2,"b":3,"":4}}`)
	require.Contains(t, r.Bytes(), "{\"\":4,\"b\":3,\"\U0001F602\":2,\"\uFB33\":1}")
	compiled, _ := f.compile(t, "a", "{\"\uFB33\":1,\"\U0001F602\":2}")
	require.Contains(t, compiled.Bytes(), "{\"\U0001F602\":2,\"\uFB33\":1}")
}
