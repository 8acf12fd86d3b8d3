package tool_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

const code = `"({ input }) => input.toUpperCase()"`

func definition(fields string) string {
	return `{"name":"uppercase","description":"x","parameters":{"type":"object"},` + fields + `}`
}

func implementation(fields string) string { return definition(`"implementation":{` + fields + `}`) }

func sandboxed(more string) string {
	return definition(`"implementation":{"class":"sandboxed-code","language":"javascript","code":` + code + `}` + more)
}

func freeze(t *testing.T, text string) *tool.Revision {
	d, err := tool.Read([]byte(text), limits.Default())
	require.NoError(t, err)
	r, err := tool.Freeze(d)
	require.NoError(t, err)
	return r
}

func TestTheShortAndTheFullFormGiveTheSameRevision(t *testing.T) {
	short := freeze(t, definition(`"code":`+code))
	require.Equal(t, freeze(t, sandboxed("")).ID(), short.ID())
	require.Equal(t, freeze(t, sandboxed(`,"limits":{"timeoutMs":5}`)).ID(), freeze(t, definition(`"limits":{"timeoutMs":5},"code":`+code)).ID())
	require.True(t, strings.HasPrefix(short.ID().String(), "tool:b3:"))
	require.Equal(t, canon.SumTool([]byte(short.Bytes())), short.ID())
}

func TestKeyOrderWhiteSpaceAndNumberSpellingDoNotChangeARevision(t *testing.T) {
	one := `{"name":"n","description":"","parameters":{"type":"object","maxProperties":10},"code":"() => 1"}`
	two := "{ \"code\":\"\\u0028) => 1\",\n \"parameters\":{\"maxProperties\":1e1,\"type\":\"object\"},\"description\":\"\", \"name\":\"n\"}"
	require.Equal(t, freeze(t, one).ID(), freeze(t, two).ID())
	require.NotEqual(t, freeze(t, one).ID(), freeze(t, strings.Replace(one, "=> 1", "=>  1", 1)).ID(), "source text is hashed as is")
}

func TestDefaultsAreAsGoodAsSpelledOut(t *testing.T) {
	require.Equal(t, freeze(t, `{"name":"n","description":"","code":"() => 1"}`).ID(),
		freeze(t, `{"name":"n","description":"","parameters":{"type":"object"},"code":"() => 1"}`).ID())
	require.Equal(t, freeze(t, sandboxed("")).ID(), freeze(t, sandboxed(`,"needs":{"fetch":[],"storage":false},"limits":{}`)).ID())
	require.Equal(t, freeze(t, sandboxed(`,"needs":{"storage":true,"subtasks":false}`)).ID(), freeze(t, sandboxed(`,"needs":{"storage":true}`)).ID())
}

func TestABadDefinitionIsRefusedWithItsPath(t *testing.T) {
	for _, row := range []struct{ name, text, path, says string }{
		{"code beside an implementation", sandboxed(`,"code":"x"`), "$.code", "implementation"},
		{"code that is no text", definition(`"code":7`), "$.implementation.code", "string"},
		{"an unknown field", definition(`"code":"x","colour":1`), "$.colour", "colour"},
		{"a field in another letter case", definition(`"Code":"x"`), "$.Code", ""},
		{"a missing description", `{"name":"n","parameters":{"type":"object"},"code":"x"}`, "$.description", "description"},
		{"a null field", sandboxed(`,"longDescription":null`), "$.longDescription", "null"},
		{"a null schema", sandboxed(`,"returns":null`), "$.returns", "null"},
		{"a bad name", strings.Replace(sandboxed(""), "uppercase", "up case", 1), "$.name", "up case"},
		{"an empty name", strings.Replace(sandboxed(""), "uppercase", "", 1), "$.name", "letters"},
		{"a long name", strings.Replace(sandboxed(""), "uppercase", strings.Repeat("n", 65), 1), "$.name", "64"},
		{"a wrong class", implementation(`"class":"magic"`), "$.implementation.class", "magic"},
		{"no code", implementation(`"class":"sandboxed-code","language":"javascript"`), "$.implementation.code", "missing"},
		{"empty code", implementation(`"class":"sandboxed-code","language":"javascript","code":""`), "$.implementation.code", "empty"},
		{"an unknown language", implementation(`"class":"sandboxed-code","language":"perl","code":"1"`), "$.implementation.language", "perl"},
		{"code in a native", implementation(`"class":"trusted-native","native":"a.b","version":"1","code":"x"`), "$.implementation.code", "no such field"},
		{"a wrong access", sandboxed(`,"needs":{"fetch":[{"origin":"https://a.test","access":"all"}]}`), "$.needs.fetch[0].access", "read or write"},
		{"popups of sandboxed code", sandboxed(`,"needs":{"popup":["custom-html"]}`), "$.needs.popup", "trusted-native"},
		{"a negative limit", sandboxed(`,"limits":{"timeoutMs":-1}`), "$.limits.timeoutMs", "negative"},
	} {
		t.Run(row.name, func(t *testing.T) {
			_, err := tool.Read([]byte(row.text), limits.Default())
			f := fault.From(err)
			require.NotNil(t, f)
			require.Equal(t, fault.InvalidDefinition, f.Code, f.Message)
			require.Equal(t, row.path, f.Path, f.Message)
			require.Contains(t, f.Message, row.says)
		})
	}
}

func TestABadSchemaIsRefusedWithItsPath(t *testing.T) {
	for _, row := range []struct{ schema, path string }{
		{`{"type":"string"}`, "$.parameters.type"},
		{`{}`, "$.parameters.type"},
		{`true`, "$.parameters.type"},
		{`{"type":"object","properties":{"a":{"type":"strnig"}}}`, "$.parameters.properties.a.type"},
		{`{"type":"object","required":["a","a"]}`, "$.parameters.required"},
		{`{"type":"object","properties":{"a":{"$ref":"https://elsewhere.test/s.json"}}}`, "$.parameters.properties.a.$ref"},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/nothing"}}}`, "$.parameters.properties.a.$ref"},
		{`{"type":"object","properties":{"a":{"pattern":"("}}}`, "$.parameters.properties.a.pattern"},
		{`{"type":"object","properties":{"a":{"minLength":-1}}}`, "$.parameters.properties.a.minLength"},
		{`{"type":"object","properties":{"a":7}}`, "$.parameters.properties.a"},
		{`{"type":"object","properties":[]}`, "$.parameters.properties"},
		{`{"type":"object","allOf":[{"items":[]}]}`, "$.parameters.allOf[0].items"},
		{`{"type":"object","dependentRequired":{"a":["b","b"]}}`, "$.parameters.dependentRequired.a"},
	} {
		_, err := tool.Read([]byte(`{"name":"n","description":"","code":"x","parameters":`+row.schema+`}`), limits.Default())
		f := fault.From(err)
		require.NotNil(t, f, row.schema)
		require.Equal(t, fault.InvalidSchema, f.Code, f.Message)
		require.Equal(t, row.path, f.Path, f.Message)
	}
}

func TestJSONThatIsNotStrictIsNoDefinition(t *testing.T) {
	for _, text := range []string{`{"name":"a","name":"b"}`, `{"name":"a","n\u0061me":"b"}`, `{"name":"\ud800"}`, `{} {}`, `{"a":1e400}`, ``} {
		_, err := tool.Read([]byte(text), limits.Default())
		require.Equal(t, fault.InvalidJSON, fault.CodeOf(err), text)
	}
}

func TestADefinitionIsBoundedAtTheEdgeAndOnePast(t *testing.T) {
	l := limits.Default()
	frame := fmt.Sprintf(`{"name":"n","description":"","code":"%s"}`, "")
	text := func(n int) []byte {
		return []byte(`{"name":"n","description":"","code":"` + strings.Repeat("x", n-len(frame)) + `"}`)
	}
	_, err := tool.Read(text(l.DefinitionBytes), l)
	require.NoError(t, err)
	_, err = tool.Read(text(l.DefinitionBytes+1), l)
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
}

func TestARevisionReadBackIsHashedAgain(t *testing.T) {
	r := freeze(t, sandboxed(""))
	back, err := tool.Thaw(r.ID(), []byte(r.Bytes()), limits.Default())
	require.NoError(t, err)
	require.Equal(t, r.ID(), back.ID())
	_, err = tool.Thaw(r.ID(), []byte(strings.Replace(r.Bytes(), "toUpperCase", "toLowerCase", 1)), limits.Default())
	require.Equal(t, fault.Corrupt, fault.CodeOf(err))
	require.Contains(t, err.Error(), r.ID().String())
}

func TestABreachOfTheArgumentsNamesPathExpectationAndValue(t *testing.T) {
	r := freeze(t, `{"name":"n","description":"","code":"x","parameters":{"type":"object","required":["input"],"additionalProperties":false,
		"properties":{"input":{"type":"string","pattern":"^a+$"},"list":{"type":"array","items":{"type":"integer"}}}}}`)
	for _, row := range []struct{ args, path, says string }{
		{`{}`, "$", "input"},
		{`{"imput":"a"}`, "$", `did you mean "input"?`},
		{`{"input":1}`, "$.input", "got 1"},
		{`{"input":"b"}`, "$.input", `got "b"`},
		{`{"input":"a","list":[1,"two"]}`, "$.list[1]", `got "two"`},
		{`{"input":"a","more":1}`, "$", "more"},
		{`{"input":"a","lst":[]}`, "$", `did you mean "list"?`},
	} {
		args, err := canon.Decode([]byte(row.args), 64)
		require.NoError(t, err)
		f := fault.From(r.CheckArguments(args))
		require.NotNil(t, f, row.args)
		require.Equal(t, fault.InvalidArguments, f.Code)
		require.Equal(t, row.path, f.Path, f.Message)
		require.Contains(t, f.Message, row.says)
	}
	require.NoError(t, r.CheckArguments(map[string]any{"input": "aa"}))
}

func TestAMisspeltArgumentIsOfferedTheNearestName(t *testing.T) {
	r := freeze(t, `{"name":"n","description":"","code":"x","parameters":{"type":"object","required":["input"]}}`)
	require.ErrorContains(t, r.CheckArguments(map[string]any{"imput": "a"}), `"imput" was given, did you mean "input"?`)
}

// Without the guard each of these would recurse until the program dies.
func TestASchemaThatLeadsBackToItselfIsRefused(t *testing.T) {
	for _, schema := range []string{
		`{"type":"object","$ref":"#"}`,
		`{"type":"object","allOf":[{"$ref":"#/$defs/a"}],"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"not":{"$ref":"#/$defs/a"}}}}`,
		`{"type":"object","$anchor":"me","if":{"$ref":"#me"}}`,
		`{"type":"object","properties":{"x":{"$id":"https://a.test/x","oneOf":[{"$ref":"#"}]}}}`,
		`{"type":"object","$id":"https://a.test/r","properties":{"x":{"$id":"x","allOf":[{"$ref":"x"}]}}}`,
		`{"type":"object","$dynamicAnchor":"n","dependentSchemas":{"a":{"$dynamicRef":"#n"}}}`,
	} {
		_, err := tool.Read([]byte(`{"name":"n","description":"","code":"x","parameters":`+schema+`}`), limits.Default())
		require.Equal(t, fault.InvalidSchema, fault.CodeOf(err), schema)
		require.ErrorContains(t, err, "refers to itself")
	}
	tree := `{"type":"object","properties":{"children":{"type":"array","items":{"$ref":"#"}}}}`
	r := freeze(t, `{"name":"n","description":"","code":"x","parameters":`+tree+`}`)
	args, err := canon.Decode([]byte(`{"children":[{"children":[{"children":7}]}]}`), 64)
	require.NoError(t, err)
	f := fault.From(r.CheckArguments(args))
	require.Equal(t, "$.children[0].children[0].children", f.Path, "a schema of a tree goes deeper and is fine")
}
