package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// tricky holds what every encoding escapes.
const tricky = `Zq7/+=&"\ <'>%ü€😀~x`

// written gives the ways in which servers write a value, by name.
func written(value string) map[string]string {
	each := func(f func(byte) string) string {
		var out strings.Builder
		for i := range len(value) {
			out.WriteString(f(value[i]))
		}
		return out.String()
	}
	runes := func(f func(rune) string) string {
		var out strings.Builder
		for _, r := range value {
			out.WriteString(f(r))
		}
		return out.String()
	}
	quoted, _ := json.Marshal(value)
	inner := string(quoted[1 : len(quoted)-1])
	upper := url.QueryEscape(value)
	ways := map[string]string{
		"raw": value, "query": upper, "path": url.PathEscape(value), "lower percent": lowerEscapes(upper),
		"all percent":  each(func(b byte) string { return fmt.Sprintf("%%%02X", b) }),
		"some percent": partly(value, func(b byte) string { return fmt.Sprintf("%%%02x", b) }),
		"json":         inner, "json slashes": strings.ReplaceAll(inner, "/", `\/`),
		"json ascii":     runes(func(r rune) string { return unicodeEscapes(r, "%04x") }),
		"json ASCII":     runes(func(r rune) string { return unicodeEscapes(r, "%04X") }),
		"html":           html.EscapeString(value),
		"html decimal":   runes(func(r rune) string { return fmt.Sprintf("&#%d;", r) }),
		"html hex":       runes(func(r rune) string { return fmt.Sprintf("&#x%x;", r) }),
		"html HEX":       runes(func(r rune) string { return fmt.Sprintf("&#X%06X;", r) }),
		"hex":            hex.EncodeToString([]byte(value)),
		"HEX":            strings.ToUpper(hex.EncodeToString([]byte(value))),
		"basic":          base64Of("user:" + value),
		"basic, longer":  base64Of("somebody-else:" + value),
		"json of base64": strings.ReplaceAll(base64Of(value), "/", `\/`),
		"url of base64":  url.QueryEscape(base64Of("??" + value)),
	}
	ways["utf-16le"], ways["utf-16be"] = wide(value)
	for before := range 3 {
		for after := range 3 {
			bytes := []byte("ab"[:before] + value + "yz"[:after])
			for name, e := range map[string]*base64.Encoding{"std": base64.StdEncoding, "raw": base64.RawStdEncoding, "url": base64.URLEncoding, "rawurl": base64.RawURLEncoding} {
				ways[fmt.Sprintf("base64 %s %d %d", name, before, after)] = e.EncodeToString(bytes)
			}
		}
	}
	return ways
}

func lowerEscapes(text string) string {
	out := []byte(text)
	for i := range out {
		if i > 1 && out[i-2] == '%' || i > 0 && out[i-1] == '%' {
			out[i] = bytes.ToLower(out[i : i+1])[0]
		}
	}
	return string(out)
}

func partly(value string, f func(byte) string) string {
	out := ""
	for i := range len(value) {
		if i%2 == 0 || value[i] == '%' {
			out += f(value[i])
		} else {
			out += value[i : i+1]
		}
	}
	return out
}

func unicodeEscapes(r rune, form string) string {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Sprintf(`\u`+form+`\u`+form, 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Sprintf(`\u`+form, r)
}

// most of an encoding that may stay: what depends on its neighbours only, and padding.
func residue(name, text string) string {
	return strings.Trim(strings.ReplaceAll(text, "[secret K]", ""), "=")
}

func TestEveryEncodingOfASecretIsTakenOut(t *testing.T) {
	for _, value := range []string{sample, tricky, "abcdef", "a b c d e", "[secret]"} {
		call := filled(t, map[string]string{"K": value})
		for name, text := range written(value) {
			got := call.Text("<pre>" + text + "<post>")
			require.True(t, strings.HasPrefix(got, "<pre>") && strings.HasSuffix(got, "<post>"), "%s of %q: %q", name, value, got)
			require.Contains(t, got, "[secret K]", "%s of %q: %q", name, value, text)
			rest := residue(name, got[5:len(got)-6])
			switch {
			case strings.HasPrefix(name, "base64"), name == "basic, longer", name == "url of base64":
				require.LessOrEqual(t, len(rest), 20, "%s of %q: %q of %q", name, value, got, text)
			default:
				require.Empty(t, rest, "%s of %q: %q of %q", name, value, got, text)
			}
		}
	}
}

// The characters to both sides of a value in base64 hold some of its bits.
func TestNoBitOfASecretStaysInBase64(t *testing.T) {
	for _, value := range []string{sample, sample + "x", sample + "xy"} {
		call := filled(t, map[string]string{"K": value})
		for before := range 3 {
			for after := range 4 {
				text := base64.RawURLEncoding.EncodeToString([]byte("ab"[:before] + value + "vwz"[:after]))
				end := ((before+len(value))*8 + 5) / 6
				require.Equal(t, " "+text[:before]+"[secret K]"+text[end:]+" ", call.Text(" "+text+" "), "%d %d", before, after)
			}
		}
	}
}

func TestAPieceMayEndAnywhere(t *testing.T) {
	call := filled(t, map[string]string{"K": tricky})
	for name, text := range written(tricky) {
		text = "aZ%2" + text + `\u00` + text + "%"
		whole := call.Text(text)
		for at := range len(text) + 1 {
			s := call.Scrubber()
			got := string(s.Write([]byte(text[:at])))
			got += string(s.Write([]byte(text[at:])))
			require.Equal(t, whole, got+string(s.Close()), "%s, cut at %d", name, at)
		}
		s, single := call.Scrubber(), ""
		for i := range len(text) {
			single += string(s.Write([]byte(text[i : i+1])))
		}
		require.Equal(t, whole, single+string(s.Close()), "%s, byte by byte", name)
	}
}

func TestNoMoreIsHeldBackThanMayBecomeASecret(t *testing.T) {
	call := filled(t, map[string]string{"K": sample})
	s := call.Scrubber()
	require.Equal(t, "data: 1\n\n", string(s.Write([]byte("data: 1\n\n"))))
	require.Equal(t, "data: ", string(s.Write([]byte("data: "+sample[:9]))))
	require.Equal(t, sample[:9]+".\n", string(s.Write([]byte(".\n"))))
	require.Equal(t, "", string(s.Write([]byte(sample))), "it may be followed by itself")
	require.Equal(t, "[secret K]\n", "[secret K]"+string(s.Write([]byte("\n")))[len("[secret K]"):])
	require.Empty(t, s.Close())
}

func TestSecretsThatOverlapOrRepeatAreTakenOutWithoutHoldingAll(t *testing.T) {
	call := filled(t, map[string]string{"K": "aaaaaa", "L": "aaabbb"})
	require.Equal(t, "[secret K]", call.Text("aaaaaaa"))
	require.Equal(t, "x[secret K]x[secret L]x", call.Text("xaaaaaabbbxaaabbbx"))
	s := call.Scrubber()
	most, out := 0, 0
	for range 1000 {
		out += len(s.Write(bytes.Repeat([]byte("a"), 1000)))
		most = max(most, len(s.in().held))
	}
	require.Less(t, most, 2000)
	require.Equal(t, len("[secret K]"), out+len(s.Close()))
}

func TestAShortSecretIsTakenOutWhereItStandsAlone(t *testing.T) {
	call := filled(t, map[string]string{"K": "a1b2", "L": "7"})
	for given, want := range map[string]string{
		"a1b2": "[secret K]", `{"k":"a1b2"}`: `{"k":"[secret K]"}`, "xa1b2": "xa1b2", "a1b2x": "a1b2x", "a%31b2": "[secret K]", `\u0061%20a1b2`: `\u0061%20[secret K]`,
		"7": "[secret L]", "77": "77", "id=7;": "id=[secret L];", "Basic " + base64Of("user:7"): "Basic [secret L]",
		"Basic " + base64Of("user:a1b2"): "Basic [secret K]", "key " + base64Of("a1b2"): "key [secret K]==",
	} {
		require.Equal(t, want, call.Text(given), given)
	}
}

func TestWhatTheCallHasNotSentStays(t *testing.T) {
	b, call, _ := sending(t, sample)
	require.Equal(t, sample, call.Text(sample), "positive control")
	tree := map[string]any{"a": sample}
	require.Equal(t, tree, call.Tree(tree))
	require.NoError(t, b.Set(t.Context(), mine, "L", NewValue("another value"), []string{api}))
	headers := [][2]string{{"x", call.Placeholders()["L"]}}
	_, err := call.Fill(t.Context(), Outgoing{Origin: api, Headers: headers})
	require.NoError(t, err)
	require.Equal(t, sample+" [secret L]", call.Text(sample+" another value"))
	require.NoError(t, b.Set(t.Context(), mine, "L", NewValue("a newer value"), []string{api}))
	_, err = call.Fill(t.Context(), Outgoing{Origin: api, Headers: headers})
	require.NoError(t, err)
	require.Equal(t, "[secret L] [secret L]", call.Text("another value a newer value"), "both have been sent")
}

func TestHeadersThatComeBackAreScrubbed(t *testing.T) {
	call := filled(t, map[string]string{"K": "abcdef123"})
	require.Equal(t, [][2]string{{"x-echo", "Basic [secret K]"}, {"y", "1"}},
		call.Headers([][2]string{{"x-echo", "Basic " + base64Of("user:abcdef123")}, {"x-abcdef123", "1"}, {"y", "1"}}))
}

func TestATaggedValueIsScrubbedEverywhereAndStaysWellFormed(t *testing.T) {
	call := filled(t, map[string]string{"K": "$12345678"[1:], "L": "$dollar"})
	tagged := func(kind string, v any) any { return map[string]any{"$t": kind, "v": v} }
	value := map[string]any{
		"text": "x12345678x", "12345678": 1.0, "[secret K]": 2.0, "$$dollar": 3.0, "number": 12345678.0, "other": 1.5, "none": nil, "yes": true,
		"list":  []any{"12345678", tagged("bytes", base64Of("\x00\x0012345678\xff"))},
		"big":   tagged("bigint", "9123456789"),
		"date":  tagged("date", "2026-01-02T03:04:05.678Z"),
		"map":   tagged("map", []any{[]any{"12345678", tagged("set", []any{"$dollar"})}}),
		"error": tagged("error", map[string]any{"name": "Error", "message": "bad 12345678", "stack": "at $dollar"}),
		"undef": map[string]any{"$t": "undefined"},
	}
	before, err := canon.Encode(value)
	require.NoError(t, err)
	got := call.Tree(value)
	require.NoError(t, protocol.CheckValue(got, 64))
	require.Equal(t, map[string]any{
		"text": "x[secret K]x", "[secret K] 2": 1.0, "[secret K]": 2.0, "[secret L]": 3.0, "number": "[secret K]", "other": 1.5, "none": nil, "yes": true,
		"list":  []any{"[secret K]", tagged("bytes", base64Of("\x00\x00[secret K]\xff"))},
		"big":   "9[secret K]9",
		"date":  tagged("date", "2026-01-02T03:04:05.678Z"),
		"map":   tagged("map", []any{[]any{"[secret K]", tagged("set", []any{"[secret L]"})}}),
		"error": tagged("error", map[string]any{"name": "Error", "message": "bad [secret K]", "stack": "at [secret L]"}),
		"undef": map[string]any{"$t": "undefined"},
	}, got)
	after, err := canon.Encode(value)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "what was given stays")
}

func TestTheLongestSecretIsTakenOutOfPieces(t *testing.T) {
	value := ""
	for i := 0; len(value) < 64<<10-8; i++ {
		value += fmt.Sprintf("%x/", i*7919)
	}
	call := filled(t, map[string]string{"K": value})
	for name, text := range map[string]string{"raw": value, "percent": url.QueryEscape(value), "basic": base64Of("user:" + value), "almost": value[1:]} {
		s, out := call.Scrubber(), ""
		for rest := "<" + text + ">"; rest != ""; rest = rest[min(1000, len(rest)):] {
			out += string(s.Write([]byte(rest[:min(1000, len(rest))])))
		}
		out += string(s.Close())
		if name == "almost" {
			require.Equal(t, "<"+text+">", out)
		} else {
			require.Equal(t, "<[secret K]>", out, name)
		}
	}
}
