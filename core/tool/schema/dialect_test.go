package schema_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool/schema"
)

func TestASchemaOfAnOlderDraftIsTakenWhereItMeansTheSame(t *testing.T) {
	for _, text := range []string{
		`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object",
			"properties":{"a":{"type":"string"},"dependencies":{"type":"string"}}}`,
		`{"$schema":"https://json-schema.org/draft/2019-09/schema","definitions":{"t":{"type":"string"}},
			"properties":{"a":{"$ref":"#/definitions/t","description":"d"}}}`,
		`{"$schema":"https://json-schema.org/draft/2020-12/schema","properties":{"a":{"type":"string"}}}`,
		`{"$schema":"http://json-schema.org/draft-07/schema","default":{"dependencies":{}},"properties":{"a":{"type":"string"}}}`,
	} {
		require.Error(t, compile(t, text).Check(decode(t, `{"a":1}`), fault.InvalidArguments), text)
	}
	for text, says := range map[string]string{
		`{"$schema":"http://json-schema.org/draft-07/schema#","dependencies":{"a":["b"]}}`:                                      "dependencies means something else",
		`{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"additionalItems":false}}}`:                    "additionalItems means something else",
		`{"$schema":"http://json-schema.org/draft-07/schema#","definitions":{"t":{}},"$ref":"#/definitions/t","type":"string"}`: "$ref with type beside it",
		`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{}]}`:                                                    "$.parameters.items",
		`{"$schema":"http://json-schema.org/draft-04/schema#"}`:                                                                 "want https://json-schema.org/draft/2020-12/schema",
		`{"$schema":"https://example.com/mine"}`:                                                                                "want https://json-schema.org/draft/2020-12/schema",
	} {
		_, err := schema.Compile(decode(t, text), "$.parameters", nil)
		require.Equal(t, fault.InvalidSchema, fault.CodeOf(err), text)
		require.ErrorContains(t, err, says)
	}
}

func TestAReferenceLeadsIntoTheSchemaOrToTheMetaSchema(t *testing.T) {
	for _, row := range []struct{ schema, fits, not string }{
		{`{"$ref":"https://json-schema.org/draft/2020-12/schema"}`, `{"type":"string","items":{"minLength":1}}`, `{"items":{"minLength":-1}}`},
		{`{"$id":"weather.json","$defs":{"t":{"$id":"t.json","type":"string"}},"items":{"$ref":"t.json"}}`, `["a"]`, `[1]`},
		{`{"$defs":{"t":{"type":"string"}},"definitions":{"u":{"type":"number"}},"prefixItems":[{"$ref":"#/$defs/t"},{"$ref":"#/definitions/u"}]}`,
			`["a",1]`, `["a","b"]`},
		{`{"$defs":{"a/b~c %":{"type":"string"}},"items":{"$ref":"#/$defs/a~1b~0c%20%25"}}`, `["a"]`, `[1]`},
		{`{"properties":{"list":{"type":"string"}},"items":{"$ref":"#/properties/list"}}`, `["a"]`, `[1]`},
	} {
		s := compile(t, row.schema)
		require.NoError(t, s.Check(decode(t, row.fits), fault.InvalidArguments), row.schema)
		require.Error(t, s.Check(decode(t, row.not), fault.InvalidArguments), row.schema)
	}
	for _, text := range []string{
		`{"$ref":"https://elsewhere.test/s.json"}`, `{"$ref":"other.json"}`, `{"$ref":"#/$defs/none"}`, `{"$ref":"#none"}`, `{"$ref":"#/properties","properties":{}}`,
		`{"$ref":"file:///etc/passwd"}`,
		`{"$dynamicRef":"https://json-schema.org/draft/2019-09/schema"}`, `{"$ref":"#/allOf/01","allOf":[{},{}]}`,
	} {
		_, err := schema.Compile(decode(t, text), "$.parameters", nil)
		require.Equal(t, fault.InvalidSchema, fault.CodeOf(err), text)
		require.Contains(t, fault.From(err).Path, "$.parameters.$", text)
	}
}

func TestWhatIsNoJSONIsRefusedWithoutHarm(t *testing.T) {
	for _, v := range []any{[]byte("x"), map[string]string{}, 7, struct{}{}, []any{[]string{}, []string{}}} {
		for _, text := range []string{`{"enum":[1,[2]]}`, `{"const":{}}`, `{"type":"object"}`, `{"uniqueItems":true,"minItems":9}`} {
			require.NotPanics(t, func() { _ = compile(t, text).Check(v, fault.InvalidArguments) })
		}
	}
}
