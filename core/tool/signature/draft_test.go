package signature_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/task/tasktest"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

func draft(set *signature.Set, name, arguments string) (string, error) {
	text, err := set.Draft(signature.ProviderCall{Name: name, Arguments: arguments}, limits.Default())
	return string(text), err
}

// given returns the arguments that a call of the only tool ends up with.
func given(t *testing.T, set *signature.Set, arguments string) string {
	for name := range set.Names() {
		text, err := draft(set, name, arguments)
		require.NoError(t, err, arguments)
		tree := schemaOf(t, text)
		require.Equal(t, "function", tree["role"])
		out, err := canon.Encode(object(object(tree["content"])["functionCall"])["arguments"])
		require.NoError(t, err)
		return string(out)
	}
	return ""
}

func TestEveryWayToSayNoArgumentsMeansNone(t *testing.T) {
	for _, parameters := range []string{`{"type":"object"}`, `{"type":"object","properties":{"a":{"type":"number"}}}`} {
		set := compile(t, signature.OpenAIChat, named(t, "n", parameters))
		for _, text := range []string{"", "  \n", "null", "{}", `"{}"`, `""`, `"null"`, "```json\n{}\n```", "```\n```", "<|call|>", "{}<|call|>", "null <|end|>"} {
			require.Equal(t, `{}`, given(t, set, text), "%q", text)
		}
	}
}

func TestArgumentsAreReadThroughWhatModelsPutAroundThem(t *testing.T) {
	set := compile(t, signature.OpenAIChat, named(t, "n", `{"type":"object"}`))
	for _, text := range []string{`{"a":1}`, " {\"a\":1}\n", "```json\n{\"a\":1}\n```", "```\n{\"a\":1}```", `{"a":1}<|call|>`, `{"a":1} <|call|><|end|>`, `"{\"a\":1}"`,
		"\uFEFF{\"a\":1}", "```json\n{\"a\":1}\n```<|call|>", "```json\n{\"a\":1}", `"{\"a\":1}<|call|>"`} {
		require.Equal(t, `{"a":1}`, given(t, set, text), "%q", text)
	}
	require.Equal(t, `{"a":"<|call|>"}`, given(t, set, `{"a":"<|call|>"}`), "what is inside stays")
	require.Equal(t, "{\"a\":\"```\"}", given(t, set, "{\"a\":\"```\"}"))
}

func TestArgumentsThatAreNotAWholeObjectNeverRun(t *testing.T) {
	set := compile(t, signature.OpenAIChat, named(t, "n", `{"type":"object"}`))
	for text, says := range map[string]string{
		`{"a":1`: "incomplete", `{"a":"x`: "incomplete", `{"a":"x\`: "incomplete", `"{\"a\":1`: "incomplete", `"{\"a\":1"`: "incomplete", `{`: "incomplete",
		`{"a":tr`: "incomplete", "```json\n{\"a\":": "incomplete", `{"a":1<|call|>`: "incomplete",
		`[]`: "got an array", `[1,2`: "incomplete", `"5"`: `got the text "5"`, `5`: "got a number, 5", `true`: "got a boolean", `"text"`: "got the text",
		`"\"{}\""`: "got the text", `{"a":1}{"b":2}`: "follows the arguments", `{"a":1} and more`: "follows", `{"a":1,"a":2}`: "given twice", `Sure!`: "not JSON",
		`{a:1}`: "not JSON", `{"a":undefined}`: "not JSON", strings.Repeat(`{"a":`, 65) + "1" + strings.Repeat("}", 65): "nested too deep",
	} {
		_, err := draft(set, "n", text)
		require.Equal(t, fault.InvalidArguments, fault.CodeOf(err), text)
		require.ErrorContains(t, err, says, text)
	}
	l := limits.Default()
	l.ArgumentsBytes = 7
	_, err := set.Draft(signature.ProviderCall{Name: "n", Arguments: `{"a":1}`}, l)
	require.NoError(t, err)
	_, err = set.Draft(signature.ProviderCall{Name: "n", Arguments: `{"a":12}`}, l)
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
}

func TestACallOfAnUnknownToolIsOfferedTheNearest(t *testing.T) {
	set := compile(t, signature.OpenAIChat, named(t, "weather", `{"type":"object"}`), named(t, "a.b", `{"type":"object"}`))
	_, err := draft(set, "wether", "")
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.ErrorContains(t, err, `did you mean "weather"?`)
	for _, name := range []string{"a.b", "", "__proto__", "hasOwnProperty"} {
		_, err = draft(set, name, "")
		require.Equal(t, fault.NotFound, fault.CodeOf(err), "only names of the request lead to a tool")
	}
}

func TestEachProviderNameDraftsACallOfItsOwnTool(t *testing.T) {
	for _, format := range formats() {
		set := compile(t, format, definitions(t)...)
		for name, own := range set.Names() {
			text, err := draft(set, name, "{}")
			require.NoError(t, err)
			require.Equal(t, own, object(object(schemaOf(t, text)["content"])["functionCall"])["name"])
		}
	}
}

// renamed is a parameter's name at a provider.
func renamed(t *testing.T, schema map[string]any, name string) string {
	for key, part := range properties(schema) {
		text, err := canon.Encode(part)
		require.NoError(t, err)
		if key == name || strings.Contains(string(text), fmt.Sprintf("Stands for the parameter \\\"%s\\\".", name)) {
			return key
		}
	}
	require.Fail(t, "no such parameter", name)
	return ""
}

func TestRenamedParametersComeBackUnderTheirOwnNames(t *testing.T) {
	for _, format := range formats() {
		set := compile(t, format, named(t, "n", byName("odd-names")))
		_, schema, _ := one(t, format, byName("odd-names"))
		for _, name := range []string{"höhe", "a b", "constructor", "__proto__", strings.Repeat("k", 80), "", "filter[id]", "9", "x.y", "undeclared ü"} {
			key := name
			if format != signature.MCP && format != signature.JSONSchema {
				key = renamed(t, schema, name)
			}
			require.Equal(t, fmt.Sprintf(`{%q:"5x"}`, name), given(t, set, fmt.Sprintf(`{%q:"5x"}`, key)), format)
		}
	}
	set := compile(t, signature.Anthropic, named(t, "n", byName("odd-names")))
	_, schema, _ := one(t, signature.Anthropic, byName("odd-names"))
	_, err := draft(set, "n", fmt.Sprintf(`{"höhe":1,%q:2}`, renamed(t, schema, "höhe")))
	require.Equal(t, fault.InvalidArguments, fault.CodeOf(err), "one parameter given under both names")
	require.ErrorContains(t, err, "given twice")
}

func TestANullThatStrictModeForcedIsDropped(t *testing.T) {
	parameters := byName("closed-optional")
	text := `{"a":null,"e":null,"l":null,"n":null,"r":null}`
	require.Equal(t, `{"n":null}`, given(t, compile(t, signature.OpenAIChat, named(t, "n", parameters)), text), "n itself takes null")
	require.Equal(t, text, given(t, compile(t, signature.Anthropic, named(t, "n", parameters)), text), "not strict: null was the model's own idea")
	set := compile(t, signature.OpenAIResponses, named(t, "n", byName("closed")))
	require.Equal(t, `{"city":null}`, given(t, set, `{"city":null,"days":null}`), "a required parameter is judged as it came")
	require.Equal(t, `{"children":[{"name":"b"}],"name":"a"}`, given(t, compile(t, signature.OpenAIChat, named(t, "n", byName("tree"))),
		`{"name":"a","children":[{"name":"b","children":null}]}`), "at every depth")
}

func TestATextIsReadAsJSONOnlyWhereNoTextIsTaken(t *testing.T) {
	const parameters = `{"type":"object","properties":{"i":{"type":"integer"},"n":{"type":["number","null"]},"b":{"type":"boolean"},"s":{"type":"string"},"any":{},
		"u":{"type":["string","number"]},"o":{"type":"object","properties":{"höhe":{"type":"number"}}},"l":{"type":"array","items":{"type":"integer"}},
		"e":{"enum":[1,2]},"r":{"$ref":"#/$defs/r"}},"additionalProperties":{"type":"number"},"$defs":{"r":{"anyOf":[{"type":"boolean"},{"type":"null"}]}}}`
	for _, format := range formats() {
		set := compile(t, format, named(t, "n", parameters))
		for text, want := range map[string]string{
			`{"i":"5"}`: `{"i":5}`, `{"i":"-5"}`: `{"i":-5}`, `{"n":"0.5"}`: `{"n":0.5}`, `{"b":"true"}`: `{"b":true}`, `{"e":"2"}`: `{"e":2}`, `{"r":"false"}`: `{"r":false}`,
			`{"l":"[1,2]"}`: `{"l":[1,2]}`, `{"l":["1"]}`: `{"l":[1]}`, `{"o":"{\"höhe\":\"3\"}"}`: `{"o":{"höhe":3}}`, `{"more":"7"}`: `{"more":7}`,
			`{"i":" 5"}`: `{"i":" 5"}`, `{"i":"05"}`: `{"i":"05"}`, `{"i":"5.5"}`: `{"i":"5.5"}`, `{"i":"five"}`: `{"i":"five"}`, `{"i":""}`: `{"i":""}`, `{"b":"True"}`: `{"b":"True"}`,
			`{"b":"1"}`: `{"b":"1"}`, `{"b":"yes"}`: `{"b":"yes"}`, `{"i":"true"}`: `{"i":"true"}`, `{"n":"null"}`: `{"n":"null"}`, `{"n":"NaN"}`: `{"n":"NaN"}`,
			`{"s":"5"}`: `{"s":"5"}`, `{"any":"5"}`: `{"any":"5"}`, `{"u":"5"}`: `{"u":"5"}`, `{"i":true}`: `{"i":true}`,
		} {
			require.Equal(t, want, given(t, set, text), format)
		}
	}
}

func TestADraftCompilesAndTheDefinitionsOwnSchemaDecides(t *testing.T) {
	d, err := tool.Read([]byte(`{"name":"find","description":"","code":"() => 1","parameters":`+byName("root-anyof")+`}`), limits.Default())
	require.NoError(t, err)
	revision, err := tool.Freeze(d)
	require.NoError(t, err)
	store := new(task.Memory)
	compiler := task.Compiler{Tools: tasktest.Tools{revision}, Scopes: task.NewScopes(store), Limits: limits.Default()}
	for _, format := range formats() {
		set := compile(t, format, d)
		text, err := set.Draft(signature.ProviderCall{Name: "find", Arguments: `{"id":"7"}`}, limits.Default())
		require.NoError(t, err)
		compiled, err := compiler.Compile(t.Context(), text)
		require.NoError(t, err)
		require.Equal(t, revision.ID(), compiled.Content.FunctionCall.Tool)
		require.NoError(t, store.Put(t.Context(), compiled))

		text, err = set.Draft(signature.ProviderCall{Name: "find", Arguments: `{}`, Parent: compiled.ID}, limits.Default())
		require.NoError(t, err)
		require.Contains(t, string(text), compiled.ID.String())
		_, err = compiler.Compile(t.Context(), text)
		require.Equal(t, fault.InvalidArguments, fault.CodeOf(err), "what was only put into words is still enforced")
	}
}
