package signature_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

func formats() []signature.Format {
	var all []signature.Format
	for _, word := range signature.Format("").Words() {
		all = append(all, signature.Format(word))
	}
	return all
}

func compile(t *testing.T, format signature.Format, tools ...tool.Definition) *signature.Set {
	set, err := signature.Compile(format, tools)
	require.NoError(t, err)
	return set
}

// functions reads the tools out of a request's field, each as the object that holds its name.
func functions(t *testing.T, format signature.Format, set *signature.Set) []map[string]any {
	tree, err := canon.Decode([]byte(set.JSON()), 1000)
	require.NoError(t, err)
	list := array(tree)
	if format == signature.Gemini && len(list) > 0 {
		require.Len(t, list, 1)
		list = array(object(list[0])["functionDeclarations"])
	}
	all := make([]map[string]any, len(list))
	for i, item := range list {
		all[i] = object(item)
		if format == signature.OpenAIChat {
			require.Equal(t, "function", all[i]["type"])
			all[i] = object(all[i]["function"])
		}
	}
	return all
}

func (c *checker) check(format signature.Format, f map[string]any) {
	path := fmt.Sprint(f["name"])
	switch format {
	case signature.OpenAIChat:
		c.want(only(f, "name", "description", "parameters", "strict") == "", path, "unknown field")
		c.openAIFunction(f, path)
	case signature.OpenAIResponses:
		c.want(only(f, "type", "name", "description", "parameters", "strict") == "" && f["type"] == "function", path, "wrong fields")
		c.openAIFunction(f, path)
	case signature.Anthropic:
		c.anthropicTool(f, path)
	case signature.Gemini:
		c.geminiTool(f, path)
	case signature.MCP:
		c.mcpTool(f, path)
	case signature.JSONSchema:
		c.plainTool(f, path)
	}
}

func TestEveryToolOfTheCorpusIsShownInAFormThatTheProviderAccepts(t *testing.T) {
	require.Greater(t, len(corpus)+len(oddToolNames), 40)
	for _, format := range formats() {
		t.Run(string(format), func(t *testing.T) {
			set := compile(t, format, definitions(t)...)
			for _, note := range set.Notes() {
				require.False(t, note.Refused, note)
			}
			shown := functions(t, format, set)
			require.Len(t, shown, len(corpus)+len(oddToolNames))
			var c checker
			for _, f := range shown {
				c.check(format, f)
			}
			require.Empty(t, c.breaches)
		})
	}
}

// Schemas are mixed in every way that a provider may choke on: beside one another, as alternatives, and one inside the other.
func TestMixturesOfTheCorpusAreShownInAFormThatTheProviderAccepts(t *testing.T) {
	var tools []tool.Definition
	for i, a := range corpus {
		for j, b := range corpus {
			if (i+j)%4 != 0 || len(a[1])+len(b[1]) > 2500 || strings.Contains(a[1]+b[1], `"$`) {
				continue
			}
			one, other := schemaOf(t, a[1]), schemaOf(t, b[1])
			for keyword, parameters := range map[string]map[string]any{
				"allOf": {"type": "object", "allOf": []any{one, other}},
				"anyOf": {"type": "object", "properties": one["properties"], "anyOf": []any{one, other}},
				"deep":  {"type": "object", "properties": map[string]any{"x": map[string]any{"oneOf": []any{one, map[string]any{"type": "array", "items": other}}, "description": "d"}}},
				"inner": {"type": "object", "properties": map[string]any{"x": map[string]any{"allOf": []any{other}, "anyOf": []any{one, other}, "if": one, "then": other}}},
				"strict": {"type": "object", "additionalProperties": false, "properties": map[string]any{"x": one, "y": other,
					"z": map[string]any{"anyOf": []any{one, other}}}},
			} {
				if parameters["properties"] == nil {
					delete(parameters, "properties")
				}
				tools = append(tools, tool.Definition{Name: fmt.Sprint(keyword, "-", i, "-", j), Description: "D.", Parameters: parameters})
			}
		}
	}
	require.Greater(t, len(tools), 500)
	for _, format := range []signature.Format{signature.OpenAIChat, signature.Anthropic, signature.Gemini} {
		set := compile(t, format, tools...)
		var c checker
		strict := 0
		for _, f := range functions(t, format, set) {
			c.check(format, f)
			if f["strict"] == true {
				strict++
			}
		}
		require.Empty(t, c.breaches, format)
		require.Greater(t, len(set.Names()), len(tools)*9/10, "what no object fits is left out")
		if format == signature.OpenAIChat {
			require.Positive(t, strict)
		}
	}
}

// Positive control: the checkers refuse what providers refuse.
func TestTheCheckersNoticeWhatProvidersRefuse(t *testing.T) {
	for _, row := range []struct {
		format signature.Format
		text   string
	}{
		{signature.OpenAIChat, `{"name":"a b","strict":false,"parameters":{"type":"object","properties":{}}}`},
		{signature.OpenAIChat, `{"name":"a","strict":false,"parameters":{"type":"object","properties":{},"anyOf":[]}}`},
		{signature.OpenAIChat, `{"name":"a","strict":true,"parameters":{"type":"object","properties":{"x":{"type":"string"}},"required":[],"additionalProperties":false}}`},
		{signature.OpenAIChat, `{"name":"a","strict":true,"parameters":{"type":"object","properties":{},"required":[]}}`},
		{signature.OpenAIChat, `{"name":"a","strict":false,"parameters":{"type":"object","properties":{"x":{"type":"array"}}}}`},
		{signature.OpenAIChat, `{"name":"a","strict":false,"parameters":{"type":"object"}}`},
		{signature.OpenAIResponses, `{"type":"function","name":"a","parameters":{"type":"object","properties":{}}}`},
		{signature.Anthropic, `{"name":"a","input_schema":{"type":"object","properties":{"$ref":{}}}}`},
		{signature.Anthropic, `{"name":"a","input_schema":{"type":"object","properties":{"x":{"$ref":"#/definitions/y"}}}}`},
		{signature.Gemini, `{"name":"9","description":"d"}`},
		{signature.Gemini, `{"name":"a","description":"d","parameters":{"type":"OBJECT","properties":{}}}`},
		{signature.Gemini, `{"name":"a","description":"d","parameters":{"type":"OBJECT","properties":{"x":{"type":"integer"}}}}`},
		{signature.Gemini, `{"name":"a","description":"d","parameters":{"type":"OBJECT","properties":{"x":{"type":"INTEGER","enum":[1]}}}}`},
		{signature.Gemini, `{"name":"a","description":"d","parameters":{"type":"OBJECT","properties":{"x":{"type":"STRING","const":"x"}}}}`},
		{signature.MCP, `{"name":"a","inputSchema":{"type":["object"]}}`},
		{signature.JSONSchema, `{"name":"a"}`},
	} {
		var c checker
		c.check(row.format, schemaOf(t, row.text))
		require.NotEmpty(t, c.breaches, row.text)
	}
}

func TestASignatureIsTheSameEachTime(t *testing.T) {
	for _, format := range formats() {
		one, two := compile(t, format, definitions(t)...), compile(t, format, definitions(t)...)
		require.Equal(t, one.JSON(), two.JSON())
		require.Equal(t, one.Notes(), two.Notes())
		again, err := canon.Canonical([]byte(one.JSON()), 1000)
		require.NoError(t, err)
		require.Equal(t, string(again), one.JSON(), "the text is canonical")
	}
}

func TestCompilingDoesNotChangeADefinition(t *testing.T) {
	tools := definitions(t)
	for _, format := range formats() {
		compile(t, format, tools...)
	}
	require.Equal(t, definitions(t), tools)
}

func TestEachProviderNameLeadsBackToExactlyOneTool(t *testing.T) {
	tools := definitions(t)
	for _, format := range formats() {
		set := compile(t, format, tools...)
		names := set.Names()
		require.Len(t, names, len(tools), format)
		var back []string
		for _, f := range functions(t, format, set) {
			name, known := names[f["name"].(string)]
			require.True(t, known)
			back = append(back, name)
		}
		for i, d := range tools {
			require.Equal(t, d.Name, back[i], format)
		}
		_, inherited := names["hasOwnProperty"]
		require.False(t, inherited)
	}
}

func TestAProviderNameDoesNotDependOnTheOrderOfTheTools(t *testing.T) {
	tools := definitions(t)
	turned := slices.Clone(tools)
	slices.Reverse(turned)
	for _, format := range formats() {
		require.Equal(t, compile(t, format, tools...).Names(), compile(t, format, turned...).Names())
	}
}

func TestANameThatLooksLikeAnAliasKeepsItsTool(t *testing.T) {
	alias := functions(t, signature.OpenAIChat, compile(t, signature.OpenAIChat, named(t, "a.b", `{"type":"object"}`)))[0]["name"].(string)
	names := compile(t, signature.OpenAIChat, named(t, "a.b", `{"type":"object"}`), named(t, alias, `{"type":"object"}`)).Names()
	require.Len(t, names, 2)
	require.Equal(t, alias, names[alias])
}

func TestOneBadToolNeverTakesTheGoodOnesDown(t *testing.T) {
	circle := named(t, "circle", `{"type":"object","allOf":[{"$ref":"#"}]}`)
	bad := []tool.Definition{
		named(t, "text", `{"type":"string"}`), named(t, "mistyped", `{"type":"object","properties":{"a":{"minimum":"1"}}}`), circle,
		{Name: "boolean", Parameters: true}, {Name: "broken\xff", Parameters: map[string]any{"type": "object"}},
		named(t, "impossible", `{"type":"object","allOf":[{"type":"string"}]}`),
	}
	for _, format := range formats() {
		set := compile(t, format, append(append([]tool.Definition{named(t, "first", `{"type":"object"}`)}, bad...), named(t, "last", `{"type":"object"}`))...)
		require.Equal(t, map[string]string{"first": "first", "last": "last"}, set.Names(), format)
		require.Len(t, functions(t, format, set), 2)
		var refused []string
		for _, note := range set.Notes() {
			if note.Refused {
				require.NotEmpty(t, note.Text)
				refused = append(refused, note.Tool)
			}
		}
		require.Len(t, refused, len(bad), format)
	}
}

func TestOfTwoToolsWithOneNameTheFirstIsShown(t *testing.T) {
	set := compile(t, signature.Anthropic, named(t, "n", `{"type":"object","properties":{"near":{}}}`), named(t, "n", `{"type":"object","properties":{"far":{}}}`))
	require.Contains(t, set.JSON(), "near")
	require.NotContains(t, set.JSON(), "far")
	require.True(t, set.Notes()[0].Refused)
	require.Contains(t, set.Notes()[0].Text, "same name")
}

func TestAnUnknownFormatIsRefusedWithTheNearest(t *testing.T) {
	_, err := signature.Compile("openai-chats", nil)
	require.Equal(t, fault.InvalidRequest, fault.CodeOf(err))
	require.ErrorContains(t, err, "openai-chat?")
}

func TestNoToolsAreAnEmptyList(t *testing.T) {
	for _, format := range formats() {
		require.Equal(t, "[]", compile(t, format).JSON())
	}
}

func TestATreeOfManyReferencesStaysSmall(t *testing.T) {
	for _, row := range corpus {
		if row[0] == "fan-30" {
			for _, format := range formats() {
				require.Less(t, len(compile(t, format, named(t, row[0], row[1])).JSON()), 1<<20)
			}
		}
	}
	big := `{"type":"object","properties":{` + strings.TrimSuffix(strings.Repeat(`"%":{"$ref":"#/$defs/e"},`, 1), ",") + `},"$defs":{"e":{"enum":[` + strings.TrimSuffix(numbered(20000), ",") + `]}}}`
	var refs []string
	for i := range 500 {
		refs = append(refs, fmt.Sprintf(`"p%d":{"$ref":"#/$defs/e"}`, i))
	}
	big = strings.Replace(big, `"%":{"$ref":"#/$defs/e"}`, strings.Join(refs, ","), 1)
	require.Less(t, len(compile(t, signature.Gemini, named(t, "big", big)).JSON()), 4<<20)
}
