package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

func TestABreachNamesPathExpectationAndValue(t *testing.T) {
	const union = `{"oneOf":[{"properties":{"kind":{"const":"circle"},"radius":{"type":"number"}},"required":["kind","radius"]},
		{"properties":{"kind":{"const":"square"},"side":{"type":"number"}},"required":["kind","side"]}]}`
	for _, row := range []struct{ schema, value, path, says string }{
		{`{"type":"string"}`, `1`, `$`, `want string, got 1`},
		{`{"type":["string","null"]}`, `1`, `$`, `want string or null, got 1`},
		{`{"type":"integer"}`, `1.5`, `$`, `want integer, got 1.5`},
		{`{"properties":{"a":false}}`, `{"a":1}`, `$.a`, `nothing is allowed here, got 1`},
		{`{"enum":["a","b"]}`, `"c"`, `$`, `want one of ["a","b"], got "c"`},
		{`{"const":{"a":1}}`, `{"a":2}`, `$`, `want {"a":1}, got {"a":2}`},
		{`{"minimum":3}`, `2`, `$`, `want at least 3, got 2`},
		{`{"exclusiveMaximum":3}`, `3`, `$`, `want less than 3, got 3`},
		{`{"multipleOf":0.01}`, `0.015`, `$`, `want a multiple of 0.01, got 0.015`},
		{`{"minLength":2}`, `"é"`, `$`, `want length of at least 2, got "é"`},
		{`{"maxItems":1}`, `[1,2]`, `$`, `want items of at most 1, got [1,2]`},
		{`{"minProperties":1}`, `{}`, `$`, `want properties of at least 1, got {}`},
		{`{"pattern":"^a"}`, `"b"`, `$`, `want a text that matches ^a, got "b"`},
		{`{"items":{"items":{"type":"string"}}}`, `[[],["a",2]]`, `$[1][1]`, `want string, got 2`},
		{`{"prefixItems":[{"type":"string"}],"items":false}`, `["a",2]`, `$[1]`, `nothing is allowed here, got 2`},
		{`{"uniqueItems":true}`, `[1,{"a":1},2,{"a":1}]`, `$`, `want different items, but 1 and 3 are equal, got {"a":1}`},
		{`{"contains":{"type":"string"}}`, `[1]`, `$`, `want at least 1 items that fit {"type":"string"}, found 0, got [1]`},
		{`{"contains":{"type":"string"},"maxContains":1}`, `["a","b"]`, `$`, `want at most 1 items that fit`},
		{`{"unevaluatedItems":false}`, `[1]`, `$[0]`, `nothing is allowed here`},
		{`{"required":["a"]}`, `{}`, `$`, `"a" is missing`},
		{`{"dependentRequired":{"a":["b"]}}`, `{"a":1}`, `$`, `"b" is missing; whoever gives "a" gives it too`},
		{`{"dependentSchemas":{"a":{"properties":{"b":{"type":"string"}}}}}`, `{"a":1,"b":2}`, `$.b`, `want string, got 2`},
		{`{"additionalProperties":{"type":"string"}}`, `{"a b":1}`, `$["a b"]`, `want string, got 1`},
		{`{"patternProperties":{"^n_":{"type":"number"}},"additionalProperties":false}`, `{"n_a":"x"}`, `$.n_a`, `want number, got "x"`},
		{`{"patternProperties":{"^n_":{"type":"number"}},"additionalProperties":false}`, `{"m_a":1}`, `$`, `"m_a" is not a declared name`},
		{`{"propertyNames":{"maxLength":2}}`, `{"long":1}`, `$`, `the name "long": want length of at most 2, got "long"`},
		{`{"allOf":[{"properties":{"a":{}}}],"unevaluatedProperties":false}`, `{"b":1}`, `$`, `"b" is not a declared name`},
		{`{"not":{"type":"string"}}`, `"a"`, `$`, `want anything that does not fit {"type":"string"}, got "a"`},
		{`{"anyOf":[{"type":"string"},{"minimum":5}]}`,
			`1`, `$`, `fits none of the 2 branches of anyOf: 1) want string, got 1; 2) want at least 5, got 1; got 1`},
		{`{"oneOf":[{"type":"integer"},{"minimum":5}]}`, `7`, `$`, `want exactly one branch of oneOf to fit, but 1 and 2 do, got 7`},
		{`{"oneOf":[{"type":"string"},{"properties":{"a":{"type":"string"}},"required":["a"]}]}`, `{"a":1}`, `$.a`, `want string, got 1`},
		{union, `{"kind":"circle","radius":"2"}`, `$.radius`, `want number, got "2"`},
		{union, `{"kind":"square","radius":"2"}`, `$`, `"side" is missing`},
		{union, `{"kind":"line"}`, `$`, `1) $.kind want "circle", got "line"; 2) $.kind want "square", got "line"; got {"kind":"line"}`},
		{`{"if":{"required":["a"]},"then":{"required":["b"]}}`, `{"a":1}`, `$`, `"b" is missing`},
		{`{"$ref":"#/$defs/t","$defs":{"t":{"properties":{"next":{"$ref":"#/$defs/t"},"v":{"type":"string"}}}}}`,
			`{"next":{"next":{"v":1}}}`, `$.next.next.v`, `want string, got 1`},
	} {
		f := fault.From(compile(t, row.schema).Check(decode(t, row.value), fault.InvalidArguments))
		require.NotNil(t, f, "%s %s", row.schema, row.value)
		require.Equal(t, fault.InvalidArguments, f.Code)
		require.Equal(t, row.path, f.Path, f.Message)
		require.True(t, strings.HasPrefix(f.Message, row.path+": "), f.Message)
		require.Contains(t, f.Message, row.says)
		require.NotContains(t, f.Message, "\n")
	}
}

func TestAMisspeltNameIsNamedWithTheNearest(t *testing.T) {
	const parameters = `"type":"object","properties":{"maxDepth":{"type":"integer","default":3},
		"o":{"type":"object","properties":{"k":{"type":"string"}}}}`
	closed, open := compile(t, `{`+parameters+`,"additionalProperties":false}`), compile(t, `{`+parameters+`}`)
	require.ErrorContains(t, closed.Check(decode(t, `{"depth":9}`), fault.InvalidArguments), `"depth" is not a declared name; did you mean "maxDepth"?`)
	require.ErrorContains(t, closed.Check(decode(t, `{"maxdepth":9}`), fault.InvalidArguments), `did you mean "maxDepth"?`)
	require.ErrorContains(t, closed.Check(decode(t, `{"__proto__":{"maxDepth":9}}`), fault.InvalidArguments), `"__proto__" is not a declared name`)
	require.ErrorContains(t, open.Check(decode(t, `{"maxDepth":null}`), fault.InvalidArguments), `$.maxDepth: want integer, got null`)
	for _, passes := range []string{`{"o":{}}`, `{}`} {
		require.NoError(t, closed.Check(decode(t, passes), fault.InvalidArguments))
	}
	require.NoError(t, open.Check(decode(t, `{"depth":9}`), fault.InvalidArguments), "an open schema passes other names through")
}

func TestAMessageStaysShortWhateverTheValue(t *testing.T) {
	long := strings.Repeat("n", 100_000)
	for _, row := range []struct{ schema, value string }{
		{`{"type":"string"}`, `{"` + long + `":[` + many(10_000, func(int) string { return `"` + long[:50] + `"` }) + `]}`},
		{`{"additionalProperties":false}`, `{"` + long + `":1}`},
		{`{"properties":{"` + long + `":{"type":"string"}}}`, `{"` + long + `":1}`},
		{`{"pattern":"^` + long + `$"}`, `"x"`},
		{`{"anyOf":[` + many(500, func(i int) string { return `{"const":"` + long[:100] + `"}` }) + `]}`, `1`},
	} {
		err := compile(t, row.schema).Check(decode(t, row.value), fault.InvalidArguments)
		require.Error(t, err)
		require.Less(t, len(err.Error()), 1200)
	}
}

func TestFractionsAreMultiplesAsPeopleReadThem(t *testing.T) {
	for _, row := range []struct {
		of, v string
		fits  bool
	}{
		{"0.01", "19.99", true}, {"0.1", "0.3", true}, {"0.1", "1.1", true}, {"0.01", "19.995", false},
		{"1e-7", "0.0000003", true}, {"0.5", "1e308", true}, {"1.5", "1e308", false}, {"1e308", "1e-308", false}, {"7", "-49", true}, {"2", "0", true},
		{"5e-324", "1e308", true}, {"0.3", "1e17", false},
	} {
		s := compile(t, `{"multipleOf":`+row.of+`}`)
		require.Equal(t, row.fits, s.Check(decode(t, row.v), fault.InvalidArguments) == nil, "%s of %s", row.v, row.of)
	}
}
