package signature_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

// one compiles one schema and returns the function, its parameters and the notes as one text.
func one(t *testing.T, format signature.Format, parameters string) (f, schema map[string]any, notes string) {
	set := compile(t, format, named(t, "n", parameters))
	f = functions(t, format, set)[0]
	for _, field := range []string{"parameters", "input_schema", "inputSchema"} {
		if f[field] != nil {
			schema = object(f[field])
		}
	}
	for _, note := range set.Notes() {
		notes += note.Path + ": " + note.Text + "\n"
	}
	return f, schema, notes
}

func properties(schema map[string]any) map[string]any { return object(schema["properties"]) }

func byName(name string) string {
	for _, row := range corpus {
		if row[0] == name {
			return row[1]
		}
	}
	panic("no such row: " + name)
}

func TestARuleAtTheRootIsSaidInTheDescription(t *testing.T) {
	for _, format := range []signature.Format{signature.OpenAIChat, signature.OpenAIResponses, signature.Anthropic, signature.Gemini} {
		f, schema, notes := one(t, format, byName("root-anyof"))
		require.Contains(t, f["description"], "Does n. Give at least one of: id; url.")
		require.Len(t, properties(schema), 2)
		require.Contains(t, notes, "$.parameters.anyOf")
		_, schema, notes = one(t, format, byName("root-oneof"))
		require.Len(t, properties(schema), 3, "the parameters of every alternative are offered")
		require.Empty(t, schema["required"])
		require.Contains(t, notes, "oneOf")
		_, schema, _ = one(t, format, byName("root-allof"))
		require.Equal(t, []any{"a"}, schema["required"])
		require.Len(t, properties(schema), 2)
	}
}

func TestALongDescriptionMakesRoomForTheRules(t *testing.T) {
	d := named(t, "n", byName("root-anyof"))
	d.Description = strings.Repeat("ä", 1023)
	f := functions(t, signature.OpenAIChat, compile(t, signature.OpenAIChat, d))[0]
	require.Equal(t, d.Description, f["description"])
	require.Equal(t, "Give at least one of: id; url.", object(f["parameters"])["description"])
	d.Description += "ää"
	set := compile(t, signature.OpenAIChat, d)
	require.Equal(t, 1024, utf8.RuneCountInString(functions(t, signature.OpenAIChat, set)[0]["description"].(string)))
	require.Contains(t, set.Notes()[len(set.Notes())-1].Text, "clipped")
}

func TestParametersThatAreCalledLikeKeywordsSurviveEverywhere(t *testing.T) {
	for _, format := range formats() {
		_, schema, _ := one(t, format, byName("keyword-names"))
		defaults := object(properties(schema)["o"])["default"]
		require.Equal(t, map[string]any{"title": "kept", "$ref": 1.0}, defaults, "%s: a default is data", format)
		shared := object(object(schema["$defs"])["s"])
		if format == signature.Gemini {
			shared = object(properties(schema)["shared"])
		}
		for depth, level := range []map[string]any{schema, object(properties(schema)["deep"]), shared} {
			require.GreaterOrEqual(t, len(properties(level)), 12, "%s at level %d", format, depth)
			require.Len(t, level["required"], 6)
			for _, name := range []string{"title", "type", "format", "pattern", "default", "required", "properties", "items", "description", "enum", "additionalProperties"} {
				require.Contains(t, properties(level), name)
			}
		}
	}
}

func TestAPlainSchemaIsNotTouchedByMCPAndJSONSchema(t *testing.T) {
	for _, row := range corpus {
		_, schema, _ := one(t, signature.JSONSchema, row[1])
		require.Equal(t, schemaOf(t, row[1]), schema, row[0])
		if row[0] != "untyped" && row[0] != "root-oneof" && row[0] != "root-null" {
			_, schema, _ = one(t, signature.MCP, row[1])
			require.Equal(t, schemaOf(t, row[1]), schema, row[0])
		}
	}
}

func TestStrictIsUsedWhenNothingIsLostByIt(t *testing.T) {
	for _, row := range []struct {
		name, why string // no reason: strict
	}{
		{"closed", ""}, {"closed-optional", ""}, {"nothing-closed", ""}, {"tree", ""}, {"tree-defs", ""}, {"texts-closed", ""}, {"odd-names-closed", ""},
		{"title-parameter", ""}, {"wide-100", ""}, {"deep-5", ""},
		{"annotations", ""}, // says nothing about values
		{"plain", "$.parameters: an open object"}, {"nothing", "open object"}, {"root-anyof", "anyOf at the root"}, {"root-null", "root must be an object"},
		{"defaults", "$.parameters.properties.a.default: not strict: default"}, {"root-ref", "$ref at the root"}, {"wide-101", "more than 100 properties"},
		{"deep-6", "nested more than 5 deep"}, {"many-values", "more than 500 enum values"}, {"union-closed", "minLength is not supported"},
	} {
		f, _, notes := one(t, signature.OpenAIChat, byName(row.name))
		require.Equal(t, row.why == "", f["strict"], "%s: %s", row.name, notes)
		if row.why == "" {
			require.NotContains(t, notes, "not strict")
		} else {
			require.Contains(t, strings.ReplaceAll(notes, "not strict: an", "an"), row.why, row.name)
		}
	}
}

func TestOptionalParametersAreNullableInTheStrictFormOnly(t *testing.T) {
	_, schema, _ := one(t, signature.OpenAIResponses, byName("closed"))
	require.Equal(t, []any{"city", "days"}, schema["required"])
	require.Equal(t, "string", object(properties(schema)["city"])["type"])
	require.Equal(t, []any{"integer", "null"}, object(properties(schema)["days"])["type"])
	for _, format := range []signature.Format{signature.Anthropic, signature.Gemini} {
		_, schema, _ = one(t, format, byName("closed"))
		require.Equal(t, []any{"city"}, schema["required"])
	}
	_, schema, _ = one(t, signature.OpenAIResponses, byName("closed-optional"))
	require.Equal(t, map[string]any{"anyOf": []any{map[string]any{"$ref": "#/$defs/r"}, map[string]any{"type": "null"}}}, properties(schema)["r"])
}

func TestARecursionEnds(t *testing.T) {
	_, schema, notes := one(t, signature.Gemini, byName("tree"))
	text, err := canon.Encode(schema)
	require.NoError(t, err)
	require.Equal(t, 2, strings.Count(string(text), `"name":{`), "unrolled twice")
	require.Contains(t, string(text), "JSON text of an object.")
	require.Contains(t, notes, "recursion is cut")
	_, schema, _ = one(t, signature.Anthropic, byName("mutual"))
	require.Equal(t, map[string]any{"$ref": "#/$defs/b"}, properties(object(object(schema["$defs"])["a"]))["b"])
}

func TestAReferenceLeadsWhereTheAuthorMeant(t *testing.T) {
	_, schema, _ := one(t, signature.Anthropic, byName("pointer-into-properties"))
	again := object(properties(schema)["again"])
	require.Equal(t, "like the first", again["description"])
	name := strings.TrimPrefix(again["$ref"].(string), "#/$defs/")
	require.Contains(t, properties(object(object(schema["$defs"])[name])), "w")
	_, schema, _ = one(t, signature.Gemini, byName("pointer-into-properties"))
	require.Equal(t, "OBJECT", object(properties(schema)["again"])["type"])
	require.Equal(t, "INTEGER", object(properties(schema)["e"])["type"], "%%20 is a blank")
	_, schema, _ = one(t, signature.Gemini, byName("anchors"))
	require.Equal(t, "ARRAY", object(properties(schema)["x"])["type"])
}

func TestGeminiIsToldInWordsWhatItsSchemaLacks(t *testing.T) {
	_, schema, _ := one(t, signature.Gemini, byName("numbers"))
	require.Equal(t, "Must be more than 0. Must be a multiple of 0.5.", object(properties(schema)["a"])["description"])
	require.Equal(t, map[string]any{"type": "INTEGER", "description": "Must be one of [1,2,3]."}, properties(schema)["b"])
	require.Equal(t, map[string]any{"type": "NUMBER", "format": "double"}, properties(schema)["d"])
	_, schema, _ = one(t, signature.Gemini, byName("texts"))
	require.Equal(t, map[string]any{"type": "STRING", "nullable": true, "enum": []any{"a", "b"}}, properties(schema)["n"])
	require.Equal(t, map[string]any{"type": "STRING", "description": "Format: uri."}, properties(schema)["u"])
	require.Equal(t, map[string]any{"type": "STRING", "format": "date-time"}, properties(schema)["t"])
	_, schema, _ = one(t, signature.Gemini, byName("nested-combinators"))
	v := object(properties(schema)["v"])
	require.Len(t, v["anyOf"], 2)
	require.Contains(t, object(array(v["anyOf"])[0])["description"], "Exactly one of the alternatives must fit.")
	require.Equal(t, true, object(array(v["anyOf"])[0])["nullable"])
	require.Equal(t, map[string]any{"type": "STRING", "minLength": 3.0}, properties(schema)["w"])
	_, schema, _ = one(t, signature.Gemini, byName("maps"))
	require.Contains(t, object(properties(schema)["headers"])["description"], `JSON text of an object. Other keys must fit the JSON Schema {"type":"string"}.`)
}

func TestARenamedParameterSaysWhatItStandsFor(t *testing.T) {
	for _, format := range []signature.Format{signature.OpenAIChat, signature.Anthropic, signature.Gemini} {
		_, schema, notes := one(t, format, byName("odd-names"))
		text, err := canon.Encode(schema)
		require.NoError(t, err)
		for _, name := range []string{"höhe", "a b", strings.Repeat("k", 80), "filter[id]", "undeclared ü", ""} {
			require.NotContains(t, properties(schema), name)
			require.Contains(t, string(text), `Stands for the parameter \"`+name+`\".`)
		}
		require.Contains(t, properties(schema), "constructor")
		require.Contains(t, properties(schema), "__proto__")
		require.Contains(t, notes, "its own name is not allowed")
	}
	for _, format := range []signature.Format{signature.MCP, signature.JSONSchema} {
		_, schema, _ := one(t, format, byName("odd-names"))
		require.Contains(t, properties(schema), "höhe")
	}
}

func TestAKeyThatAPatternAllowsIsNotForbiddenToTheModel(t *testing.T) {
	for _, format := range []signature.Format{signature.OpenAIChat, signature.Anthropic, signature.Gemini} {
		f, schema, _ := one(t, format, byName("patterned"))
		require.NotContains(t, schema, "additionalProperties")
		require.NotContains(t, properties(schema)["h"], "additionalProperties")
		require.Contains(t, f["description"], `{"additionalProperties":false,"patternProperties":{"^y-":{"type":"integer"}}}`)
		require.NotContains(t, f["description"], "No other keys")
	}
}

func TestAToolWithoutParametersHasAFormForEachProvider(t *testing.T) {
	for _, parameters := range []any{nil, map[string]any{"type": "object"}} {
		d := tool.Definition{Name: "now", Description: "Tells the time.", Parameters: parameters}
		for format, want := range map[signature.Format]string{
			signature.OpenAIChat:      `[{"function":{"description":"Tells the time.","name":"now","parameters":{"properties":{},"type":"object"},"strict":false},"type":"function"}]`,
			signature.OpenAIResponses: `[{"description":"Tells the time.","name":"now","parameters":{"properties":{},"type":"object"},"strict":false,"type":"function"}]`,
			signature.Anthropic:       `[{"description":"Tells the time.","input_schema":{"properties":{},"type":"object"},"name":"now"}]`,
			signature.Gemini:          `[{"functionDeclarations":[{"description":"Tells the time.","name":"now"}]}]`,
			signature.MCP:             `[{"description":"Tells the time.","inputSchema":{"type":"object"},"name":"now"}]`,
			signature.JSONSchema:      `[{"description":"Tells the time.","name":"now","parameters":{"type":"object"}}]`,
		} {
			require.Equal(t, want, compile(t, format, d).JSON())
		}
	}
}

func TestAnOutputSchemaIsAnnouncedForObjectsOnly(t *testing.T) {
	d := named(t, "n", `{"type":"object"}`)
	d.Returns = schemaOf(t, `{"type":"object","properties":{"a":true}}`)
	require.Equal(t, schemaOf(t, `{"type":"object","properties":{"a":{}}}`), functions(t, signature.MCP, compile(t, signature.MCP, d))[0]["outputSchema"])
	d.Returns = schemaOf(t, `{"type":"array"}`)
	set := compile(t, signature.MCP, d)
	require.NotContains(t, set.JSON(), "outputSchema")
	require.Equal(t, "$.returns", set.Notes()[0].Path)
}
