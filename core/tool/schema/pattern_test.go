package schema_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool/schema"
)

func compile(t *testing.T, text string) *schema.Schema {
	s, err := schema.Compile(decode(t, text), "$.parameters", nil)
	require.NoError(t, err, text)
	return s
}

func TestAPatternMeansInRE2WhatItMeansInJavaScript(t *testing.T) {
	for _, row := range []struct {
		pattern  string
		fit, not []string
	}{
		{`^\d$`, []string{"7"}, []string{"\u0664", "a"}},
		{`^\w+$`, []string{"a_9"}, []string{"é"}},
		{`^\s$`, []string{" ", "\v", "\u00a0", "\ufeff", "\u2028", "\u3000"}, []string{"x", "\u200b"}},
		{`^\S$`, []string{"x", "\u200b", "😀"}, []string{" ", "\u00a0"}},
		{`^[\s,]+$`, []string{", \u00a0"}, []string{"x"}},
		{`^[^\s,]+$`, []string{"x"}, []string{"\u00a0", ","}},
		{`^[\S]$`, []string{"x"}, []string{"\u2003"}},
		{`^.$`, []string{"a", "😀"}, []string{"\n", "\r", "\u2028"}},
		{`a$`, []string{"a"}, []string{"a\n"}},
		{`^\cA\cz$`, []string{"\x01\x1a"}, []string{"cAcz"}},
		{`^\u0041\u{1F600}\uD83D\uDE00\x42$`, []string{"A😀😀B"}, []string{"A"}},
		{`^[\u{1F600}-\u{1F64F}]$`, []string{"😀"}, []string{"A"}},
		{`^(?<year>\d{4})-(?<month>\d\d)$`, []string{"2026-12"}, []string{"26-12"}},
		{`^[^]$`, []string{"\n", "a"}, []string{"", "aa"}},
		{`^[]$|^b$`, []string{"b"}, []string{"a"}},
		{`^[[]$`, []string{"["}, []string{"]"}},
		{`^[[:alpha:]]$`, []string{"a]", ":]"}, []string{"b"}},
		{`^[\b]$`, []string{"\b"}, []string{"b"}},
		{`^\/\-\.$`, []string{"/-."}, []string{"/-x"}},
		{`^\p{L}+$`, []string{"é文"}, []string{"1"}},
		{`^\p{Letter}\p{Script=Greek}\p{gc=Nd}$`, []string{"aβ٤"}, []string{"abc"}},
		{`^\0$`, []string{"\x00"}, []string{"0"}},
		{`b`, []string{"abc"}, []string{"ac"}},
	} {
		text, err := canon.Encode(map[string]any{"pattern": row.pattern})
		require.NoError(t, err)
		s := compile(t, string(text))
		require.Empty(t, s.Unenforced(), row.pattern)
		for _, value := range row.fit {
			require.NoError(t, s.Check(value, fault.InvalidArguments), row.pattern)
		}
		for _, value := range row.not {
			require.Error(t, s.Check(value, fault.InvalidArguments), "%s %q", row.pattern, value)
		}
	}
}

func TestWhatIsNoPatternIsRefusedAtInstall(t *testing.T) {
	for _, pattern := range []string{`(`, `)`, `[a`, `a**`, `\`, `\a`, `\Z`, `\A`, `\Qx\E`, `\u12`, `[b-a]`, `(?=`, `(?=a`, `*`} {
		for _, doc := range []any{map[string]any{"pattern": pattern}, map[string]any{"patternProperties": map[string]any{pattern: true}}} {
			_, err := schema.Compile(doc, "$.parameters", nil)
			require.Equal(t, fault.InvalidSchema, fault.CodeOf(err), "%s", pattern)
			require.True(t, strings.HasPrefix(fault.From(err).Path, "$.parameters.pattern"), fault.From(err).Path)
		}
	}
}

func TestAPatternBeyondRE2IsListedAndTheRestIsEnforced(t *testing.T) {
	for pattern, why := range map[string]string{
		`^(?=.*\\d).{8,}$`: "look-around is beyond RE2", `^(?!admin$)`: "look-around is beyond RE2", `(?<=a)b`: "look-around is beyond RE2",
		`(a)\\1`: "a back-reference is beyond RE2", `(?<x>a)\\k<x>`: "a back-reference is beyond RE2",
		`a{2000}`: "repeats more than 1000 times", `\\p{Emoji}`: "names a property that RE2 does not know",
		`\\p{scx=Greek}`: "Script_Extensions is beyond RE2",
	} {
		s := compile(t, `{"properties":{"a":{"type":"string","maxLength":9,"pattern":"`+pattern+`"}}}`)
		require.Equal(t, []string{"$.parameters.properties.a.pattern: " + why + ", not enforced"}, s.Unenforced())
		require.NoError(t, s.Check(decode(t, `{"a":"admin"}`), fault.InvalidArguments), pattern)
		require.Error(t, s.Check(decode(t, `{"a":"admin is too long"}`), fault.InvalidArguments), pattern)
		require.Error(t, s.Check(decode(t, `{"a":7}`), fault.InvalidArguments), pattern)
	}
}

// A pattern that nobody judged neither fits nor fails: whatever would hang on it passes, and nothing else does.
func TestNothingIsRefusedBecauseOfAPatternThatIsNotEnforced(t *testing.T) {
	const p = `{"type":"string","pattern":"(?!x)"}`
	for _, row := range []struct{ schema, passes, fails string }{
		{`{"not":` + p + `}`, `"a"`, ``},
		{`{"not":{"not":` + p + `}}`, `"a"`, `1`},
		{`{"anyOf":[` + p + `,{"type":"null"}]}`, `"a"`, `1`},
		{`{"oneOf":[` + p + `,{"type":"string"}]}`, `"a"`, `1`},
		{`{"oneOf":[` + p + `,{"minLength":1},{"maxLength":2}]}`, `"abc"`, `"ab"`},
		{`{"if":` + p + `,"then":{"const":"t"},"else":{"const":"e"}}`, `"t"`, `"neither"`},
		{`{"if":` + p + `,"then":{"const":"t"},"else":{"const":"e"}}`, `"e"`, `1`},
		{`{"contains":` + p + `}`, `["a"]`, `[1]`},
		{`{"contains":` + p + `,"maxContains":1}`, `["a","b"]`, `[]`},
		{`{"patternProperties":{"(?=x)":{"type":"string"}},"additionalProperties":false}`, `{"a":"x","b":1}`, ``},
		{`{"properties":{"b":{"type":"string"}},"patternProperties":{"(?=x)":{}},"additionalProperties":false}`, `{"a":"x"}`, `{"b":1}`},
		{`{"patternProperties":{"(?=x)":{}},"unevaluatedProperties":false}`, `{"a":1}`, ``},
		{`{"anyOf":[{"properties":{"a":` + p + `}}],"unevaluatedProperties":false}`, `{"a":"x"}`, `{"b":"x"}`},
		{`{"propertyNames":` + p + `,"maxProperties":1}`, `{"a":1}`, `{"a":1,"b":2}`},
	} {
		s := compile(t, row.schema)
		require.Len(t, s.Unenforced(), 1, row.schema)
		require.NoError(t, s.Check(decode(t, row.passes), fault.InvalidArguments), row.schema)
		if row.fails != "" {
			require.Error(t, s.Check(decode(t, row.fails), fault.InvalidArguments), "%s %s", row.schema, row.fails)
		}
	}
}

func TestUnknownFormatsAndKeywordsAreAnnotations(t *testing.T) {
	s := compile(t, `{"$comment":"c","x-vendor":{"type":"nonsense"},"examples":[1],"Type":"string","MINIMUM":9,
		"properties":{"u":{"format":"uri"},"m":{"format":"made-up"}}}`)
	require.Empty(t, s.Unenforced())
	require.NoError(t, s.Check(decode(t, `{"u":"no uri","m":"x"}`), fault.InvalidArguments))
	require.NoError(t, s.Check(1.0, fault.InvalidArguments), "keywords are case-sensitive")
	for _, text := range []string{`{"minimum":"3"}`, `{"exclusiveMinimum":true}`, `{"required":true}`, `{"items":[{}]}`, `{"multipleOf":0}`} {
		_, err := schema.Compile(decode(t, text), "$", nil)
		require.Equal(t, fault.InvalidSchema, fault.CodeOf(err), text)
	}
}
