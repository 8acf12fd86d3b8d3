package canon_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

const nesting = 64

func TestDecodeReadsEveryValueAsJavaScriptDoes(t *testing.T) {
	for text, want := range map[string]any{
		`null`: nil, `true`: true, `false`: false, `""`: "", `[]`: []any{}, `{}`: map[string]any{},
		" \t\r\n 1 \n":                1.0,
		`0`:                           0.0,
		`-1`:                          -1.0,
		`123456789012345`:             123456789012345.0,
		`-123456789012345`:            -123456789012345.0,
		`9007199254740993.0`:          9007199254740992.0,
		`0.1`:                         0.1,
		`1E-7`:                        1e-7,
		`1e+2`:                        100.0,
		`5e-324`:                      5e-324,
		`2e-324`:                      0.0,
		`1.7976931348623157e308`:      1.7976931348623157e308,
		`333333333.33333329`:          333333333.3333333,
		`"\"\\\/\b\f\n\r\t\u00e9"`:    "\"\\/\b\f\n\r\t\u00e9",
		`"a\u0000b"`:                  "a\x00b",
		`"\ud83D\uDE00 😀"`:            "😀 😀",
		"\"\x7f\u2028\u0080\"":        "\x7f\u2028\u0080",
		`"\uFFFE\uFDD0\uDBFF\uDFFF"`:  "\uFFFE\uFDD0\U0010FFFF",
		`[1,[2,[]],{"a":null}]`:       []any{1.0, []any{2.0, []any{}}, map[string]any{"a": nil}},
		`{"a":{"b":[true]},"":"x"}`:   map[string]any{"a": map[string]any{"b": []any{true}}, "": "x"},
		`{"__proto__":1,"\u0061b":2}`: map[string]any{"__proto__": 1.0, "ab": 2.0},
	} {
		got, err := canon.Decode([]byte(text), nesting)
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
	}
}

func TestDecodeRefusesWhatTwoParsersCouldReadInTwoWays(t *testing.T) {
	for _, c := range []struct {
		title, text, says, path string
		line, column            int
	}{
		{"nothing", ``, "end of text", "$", 1, 1},
		{"only space", " \n ", "end of text", "$", 2, 2},
		{"byte-order mark", "\uFEFF{}", "byte-order mark", "$", 1, 1},
		{"UTF-16", "[\x00]\x00", `'\x00' where a value`, "$[0]", 1, 2},
		{"broken UTF-8", "[\n \"é\xff\"]", "byte 0xff is not UTF-8", "$", 2, 4},
		{"surrogate in UTF-8", "\"\xed\xa0\x80\"", "byte 0xed is not UTF-8", "$", 1, 2},
		{"overlong UTF-8", "\"\xc0\xaf\"", "byte 0xc0 is not UTF-8", "$", 1, 2},
		{"key given twice", `{"code":"x","code":"y"}`, `key "code" is given twice`, "$.code", 1, 13},
		{"key given twice by escape", `{"a":[{"code":1,"c\u006fde":2}]}`, `key "code" is given twice`, "$.a[0].code", 1, 17},
		{"high surrogate alone", `["\uD800"]`, "unpaired surrogate", "$[0]", 1, 3},
		{"high surrogate before text", `"\uD800abcdef"`, "unpaired surrogate", "$", 1, 2},
		{"high surrogate before an escape", `"\uD800\n12345"`, "unpaired surrogate", "$", 1, 2},
		{"two high surrogates", `"\uD800\uD800"`, "unpaired surrogate", "$", 1, 2},
		{"low surrogate alone", `{"\uDFAA":0}`, "unpaired surrogate", "$", 1, 3},
		{"integer over 2^53", `{"n":9007199254740993}`, "integer 9007199254740993 is not exact in float64, write it as a string", "$.n", 1, 6},
		{"negative integer below -2^53", `-9007199254740993`, "not exact", "$", 1, 1},
		{"integer over float64", "1" + strings.Repeat("0", 400), "beyond float64", "$", 1, 1},
		{"overflow", `[0, 1e400]`, "number 1e400 is beyond float64", "$[1]", 1, 5},
		{"negative overflow", `-1e400`, "number -1e400 is beyond float64", "$", 1, 1},
		{"NaN", `{"a":NaN}`, `'N' where a value should be`, "$.a", 1, 6},
		{"Infinity", `-Infinity`, `'I' where a digit should be`, "$", 1, 2},
		{"leading zero", `-012`, "leading zero", "$", 1, 2},
		{"leading plus", `+1`, `'+' where a value`, "$", 1, 1},
		{"no digit before the point", `.5`, `'.' where a value`, "$", 1, 1},
		{"no digit after the point", `5.`, "end of text where a digit of the fraction", "$", 1, 3},
		{"no exponent", `1e+`, "end of text where a digit of the exponent", "$", 1, 4},
		{"hex", `0x10`, `'x' after the end`, "$", 1, 2},
		{"trailing value", `{} {}`, `'{' after the end of the value`, "$", 1, 4},
		{"trailing bracket", `[1]]`, `']' after the end of the value`, "$", 1, 4},
		{"trailing zero byte", "1\x00", `'\x00' after the end`, "$", 1, 2},
		{"trailing comma in an array", `[1,]`, `']' where a value`, "$[1]", 1, 4},
		{"trailing comma in an object", `{"a":1,}`, `'}' where a key`, "$", 1, 8},
		{"comment", "{\n  // x\n}", `'/' where a key`, "$", 2, 3},
		{"bare key", `{a:1}`, `'a' where a key in double quotes`, "$", 1, 2},
		{"single quotes", `['a']`, `'\'' where a value`, "$[0]", 1, 2},
		{"no colon", `{"a" 1}`, `'1' where a colon`, "$.a", 1, 6},
		{"no comma", `[1 2]`, `'2' where a comma or ]`, "$", 1, 4},
		{"wrong bracket", `{"a":1]`, `']' where a comma or }`, "$", 1, 7},
		{"unclosed", `{"a":[1`, "end of text where a comma or ]", "$.a", 1, 8},
		{"unclosed string", `"abc`, "end of text inside a string", "$", 1, 5},
		{"unclosed escape", `"abc\`, "end of text inside a string", "$", 1, 5},
		{"line break in a string", "\"a\nb\"", `control character '\n'`, "$", 1, 3},
		{"unknown escape", `"\x41"`, "unknown escape", "$", 1, 2},
		{"short escape", `"\u00g0"`, "four hex digits", "$", 1, 2},
		{"word in capitals", `True`, `'T' where a value`, "$", 1, 1},
		{"half a word", `[nul]`, "unknown word, want null", "$[0]", 1, 2},
		{"no-break space", "\u00a01", `'\u00a0' where a value`, "$", 1, 1},
		{"odd key on the way", `{"a b":{"c":[[?]]}}`, `'?' where a value`, `$["a b"].c[0][0]`, 1, 15},
	} {
		t.Run(c.title, func(t *testing.T) {
			v, err := canon.Decode([]byte(c.text), nesting)
			require.Nil(t, v)
			f := fault.From(err)
			require.NotNil(t, f)
			require.Equal(t, fault.InvalidJSON, f.Code)
			require.Contains(t, f.Message, c.says)
			require.Equal(t, c.path, f.Path, f.Message)
			require.Equal(t, []int{c.line, c.column}, []int{f.Line, f.Column}, f.Message)
		})
	}
}

func TestDecodeKeepsIntegersThatFloat64HoldsExactly(t *testing.T) {
	for _, literal := range []string{
		"9007199254740991", "9007199254740992", "9007199254740994", "-9007199254740994", "100000000000000000000",
		"1267650600228229401496703205376", "-1267650600228229401496703205376",
	} {
		_, err := canon.Decode([]byte(literal), nesting)
		require.NoError(t, err, literal)
	}
}

func TestDecodeKeepsIntegersAsRFC8785WritesThem(t *testing.T) {
	for literal, want := range map[string]float64{"295147905179352830000": 1 << 68, "-123456789012345680000": -123456789012345683968} {
		v, err := canon.Decode([]byte(literal), nesting)
		require.NoError(t, err)
		require.Equal(t, want, v)
		out, err := canon.Encode(v)
		require.NoError(t, err)
		require.Equal(t, literal, string(out))
	}
	for _, literal := range []string{"295147905179352830001", "295147905179352820000", "295147905179352825857", "1267650600228229400000000000000"} {
		_, err := canon.Decode([]byte(literal), nesting)
		require.ErrorContains(t, err, "not exact", literal)
	}
}

func TestDecodeReadsMinusZeroAsZero(t *testing.T) {
	for _, literal := range []string{"-0", "-0.0", "-0e5", "-1e-400"} {
		out, err := canon.Canonical([]byte("["+literal+"]"), nesting)
		require.NoError(t, err)
		require.Equal(t, "[0]", string(out), literal)
		v, err := canon.Decode([]byte(literal), nesting)
		require.NoError(t, err)
		require.Positive(t, 1/v.(float64), "%s keeps a sign", literal)
	}
}

func TestDecodeCountsNestingFromTheOutermostBracket(t *testing.T) {
	nest := func(n int) []byte { return []byte(strings.Repeat(`[{"a":`, n/2) + "1" + strings.Repeat("}]", n/2)) }
	for _, allowed := range []int{0, 2, 64} {
		_, err := canon.Decode(nest(allowed), allowed)
		require.NoError(t, err)
		_, err = canon.Decode(nest(allowed+2), allowed)
		require.ErrorContains(t, err, "nested too deep")
		_, err = canon.Decode(nest(allowed+2), allowed+1)
		require.ErrorContains(t, err, "nested too deep")
	}
	_, err := canon.Decode([]byte("["+strings.Repeat("[],", 1000)+"{}]"), 2)
	require.NoError(t, err, "closed brackets give their level back")
}

// Each text is some megabytes of what is slow in a careless parser; work that grew with the square would take hours.
func TestDecodeTakesLinearTimeOnHostileText(t *testing.T) {
	var keys strings.Builder
	for i := range 100_000 {
		keys.WriteString(`"` + strconv.Itoa(i) + `":0,`)
	}
	for title, text := range map[string]string{
		"10 000 nested arrays":   strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000),
		"open brackets":          strings.Repeat("[", 4<<20),
		"open objects":           strings.Repeat(`{"a":`, 1<<20),
		"long fraction":          "0." + strings.Repeat("3", 4<<20),
		"long integer":           strings.Repeat("3", 4<<20),
		"long exponent":          "1e-" + strings.Repeat("9", 4<<20),
		"escapes":                `"` + strings.Repeat(`\u00e9`, 1<<20) + `"`,
		"long key, in the error": `{"` + strings.Repeat("k", 4<<20) + `":?}`,
		"many keys":              "{" + keys.String() + `"":0}`,
		"many items":             "[" + strings.Repeat("0,", 1<<20) + "0]",
		"many large integers":    "[" + strings.Repeat("1267650600228229401496703205376,", 1<<15) + "0]",
		"line breaks":            strings.Repeat("\n", 4<<20),
	} {
		t.Run(title, func(t *testing.T) {
			start := time.Now()
			_, err := canon.Decode([]byte(text), nesting)
			require.Less(t, time.Since(start), 20*time.Second)
			if err != nil {
				require.Less(t, len(err.Error()), 1000, "a stranger's text must not fill the log")
				require.Less(t, len(fault.From(err).Path), 1000)
			}
		})
	}
}

func TestDecodedStringsDoNotChangeWithTheBuffer(t *testing.T) {
	for _, size := range []int{10, 10_000} {
		text := []byte(`["` + strings.Repeat("a", size) + `","\u0062"]`)
		v, err := canon.Decode(text, nesting)
		require.NoError(t, err)
		clear(text)
		require.Equal(t, []any{strings.Repeat("a", size), "b"}, v)
	}
}
