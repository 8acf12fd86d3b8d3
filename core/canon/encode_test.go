package canon_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

func TestNumbersAreWrittenAsECMAScriptWritesThem(t *testing.T) {
	for _, c := range []struct {
		bits uint64 // IEEE 754, as in RFC 8785 appendix B
		want string
	}{
		{0x0000000000000000, "0"},
		{0x8000000000000000, "0"},
		{0x0000000000000001, "5e-324"},
		{0x8000000000000001, "-5e-324"},
		{0x7fefffffffffffff, "1.7976931348623157e+308"},
		{0xffefffffffffffff, "-1.7976931348623157e+308"},
		{0x4340000000000000, "9007199254740992"},
		{0xc340000000000000, "-9007199254740992"},
		{0x4430000000000000, "295147905179352830000"},
		{0x44b52d02c7e14af5, "9.999999999999997e+22"},
		{0x44b52d02c7e14af6, "1e+23"},
		{0x44b52d02c7e14af7, "1.0000000000000001e+23"},
		{0x444b1ae4d6e2ef4e, "999999999999999700000"},
		{0x444b1ae4d6e2ef4f, "999999999999999900000"},
		{0x444b1ae4d6e2ef50, "1e+21"},
		{0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
		{0x3eb0c6f7a0b5ed8d, "0.000001"},
		{0x41b3de4355555553, "333333333.3333332"},
		{0x41b3de4355555554, "333333333.33333325"},
		{0x41b3de4355555555, "333333333.3333333"},
		{0x41b3de4355555556, "333333333.3333334"},
		{0x41b3de4355555557, "333333333.33333343"},
		{0xbecbf647612f3696, "-0.0000033333333333333333"},
		{0x43143ff3c1cb0959, "1424953923781206.2"},
	} {
		got, err := canon.Encode(math.Float64frombits(c.bits))
		require.NoError(t, err)
		require.Equal(t, c.want, string(got), "%x", c.bits)
	}
}

func TestNumberLiteralsHaveOneCanonicalSpelling(t *testing.T) {
	for literal, want := range map[string]string{
		"1e21": "1e+21", "1E-7": "1e-7", "-0": "0", "5e-324": "5e-324", "0.1": "0.1", "1.0": "1", "100": "100", "1e2": "100",
		"333333333.33333329": "333333333.3333333", "4.50": "4.5", "2e-3": "0.002", "1e-27": "1e-27", "0.000001": "0.000001",
		"1e20": "100000000000000000000", "123456789012345680000": "123456789012345680000", "-1.5e300": "-1.5e+300", "1e100": "1e+100",
	} {
		got, err := canon.Canonical([]byte(literal), nesting)
		require.NoError(t, err, literal)
		require.Equal(t, want, string(got), literal)
	}
}

func TestStringsEscapeOnlyWhatTheyMust(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 `""`,
		"plain é 😀":                        `"plain é 😀"`,
		"\"\\/":                            `"\"\\/"`,
		"\b\t\n\f\r":                       `"\b\t\n\f\r"`,
		"\x00\x01\x0b\x1f":                 `"\u0000\u0001\u000b\u001f"`,
		"\x7f\u0080\u2028\u2029\uFFFE<>&'": "\"\x7f\u0080\u2028\u2029\uFFFE<>&'\"",
	} {
		got, err := canon.Encode(text)
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
}

func TestKeysAreSortedByUTF16CodeUnits(t *testing.T) {
	for text, want := range map[string]string{
		`{"\uFB33":1,"\uD83D\uDE00":2}`:                        "{\"\U0001F600\":2,\"\uFB33\":1}",
		`{"b":1,"a":2,"A":3,"":4}`:                             `{"":4,"A":3,"a":2,"b":1}`,
		`{"aa":1,"a":2,"a\u0000":3,"\uE000":4,"é":5,"z":6}`:    "{\"a\":2,\"a\\u0000\":3,\"aa\":1,\"z\":6,\"é\":5,\"\uE000\":4}",
		`{"x\uE000":1,"x\uD800\uDC00":2,"x\uD7FF":3}`:          "{\"x\uD7FF\":3,\"x\U00010000\":2,\"x\uE000\":1}",
		`{"\uD83D\uDE01":1,"\uD83D\uDE00":2,"\uDBFF\uDFFF":3}`: "{\"\U0001F600\":2,\"\U0001F601\":1,\"\U0010FFFF\":3}",
		`{"\uFFFF":1,"\uE000":2,"\uF000":3}`:                   "{\"\uE000\":2,\"\uF000\":3,\"\uFFFF\":1}",
		`{"10":1,"9":2,"1":{"d":[{"c":1,"b":{}}],"a":[]}}`:     `{"1":{"a":[],"d":[{"b":{},"c":1}]},"10":1,"9":2}`,
	} {
		got, err := canon.Canonical([]byte(text), nesting)
		require.NoError(t, err, text)
		require.Equal(t, want, string(got))
	}
}

func TestEncodeRefusesWhatJSONCannotSay(t *testing.T) {
	cycle := map[string]any{}
	cycle["self"] = cycle
	loop := []any{nil}
	loop[0] = loop
	for _, c := range []struct {
		title      string
		v          any
		path, says string
	}{
		{"not a number", []any{1.0, math.NaN()}, "$[1]", "$[1]: NaN has no JSON form"},
		{"infinity", map[string]any{"a": math.Inf(-1)}, "$.a", "-Inf has no JSON form"},
		{"broken UTF-8", map[string]any{"a": []any{"\xff"}}, "$.a[0]", "not UTF-8"},
		{"surrogate in UTF-8", "\xed\xa0\x80", "$", "unpaired surrogate"},
		{"broken key", map[string]any{"\xff": 1.0}, "$[\"\uFFFD\"]", "not UTF-8"},
		{"Go int", map[string]any{"a b": 1}, `$["a b"]`, "Go type int has no JSON form"},
		{"Go slice", []string{"a"}, "$", "Go type []string has no JSON form"},
		{"Go struct", struct{}{}, "$", "has no JSON form"},
	} {
		t.Run(c.title, func(t *testing.T) {
			out, err := canon.Append([]byte("kept"), c.v)
			require.Equal(t, "kept", string(out))
			f := fault.From(err)
			require.Equal(t, fault.InvalidValue, f.Code)
			require.Equal(t, c.path, f.Path)
			require.Contains(t, f.Message, c.says)
		})
	}
	for _, endless := range []any{cycle, loop} {
		_, err := canon.Encode(endless)
		require.ErrorContains(t, err, "cycle")
	}
}

func TestAppendAddsToWhatIsThere(t *testing.T) {
	out, err := canon.Append([]byte("id="), []any{nil, true, false, []any(nil), map[string]any(nil)})
	require.NoError(t, err)
	require.Equal(t, "id=[null,true,false,[],{}]", string(out))
}

func TestCanonicalRefusesWhatDecodeRefuses(t *testing.T) {
	_, err := canon.Canonical([]byte(`{"a":1,"a":1}`), nesting)
	require.Equal(t, fault.InvalidJSON, fault.CodeOf(err))
}
