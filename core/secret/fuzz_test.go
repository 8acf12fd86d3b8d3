package secret

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzScrub writes a value in each listed encoding, and in mixtures of escaped and plain, between texts of anybody's choice and in pieces
// of any size: no output may hold what was written, and what stood around it stays.
func FuzzScrub(f *testing.F) {
	f.Add(sample, "abc%2", "%4", uint64(0x5a5a), uint16(3))
	f.Add(tricky, `\`, "&amp", uint64(0xffff), uint16(1))
	f.Add("aaaaaa", "aaaaa", "aaaa", uint64(1), uint16(2))
	f.Add("%41%41%41", "%", "%41", uint64(0x11), uint16(5))
	f.Add(`\u0041\u0041`, `\u00`, `&#x41;`, uint64(0x77), uint16(7))
	f.Add("a+b/c==", "YW", "=", uint64(9), uint16(64))
	b := newRig(f, "K")
	f.Fuzz(func(t *testing.T, value, before, after string, mask uint64, piece uint16) {
		if len(value) < ShortBytes || len(value) > 200 || len(before)+len(after) > 500 || b.check("K", value) != nil {
			t.Skip()
		}
		c := &calling{book: b.Book, filled: map[string][]Value{"K": {NewValue(value)}}, basics: map[string][]Value{"K": {NewValue(base64Of("user:" + value))}}}
		call := &Call{func() *calling { return c }}
		ways := written(value)
		for name, escape := range map[string]func(rune) string{
			"mixed percent": func(r rune) string {
				out := ""
				for _, b := range []byte(string(r)) {
					out += fmt.Sprintf([]string{"%%%02x", "%%%02X"}[mask>>7&1], b)
				}
				return out
			},
			"mixed json": func(r rune) string { return unicodeEscapes(r, "%04x") },
			"mixed html": func(r rune) string { return fmt.Sprintf("&#%d;", r) },
		} {
			ways[name] = mixed(value, mask, escape)
		}
		for name, text := range ways {
			if len(text) < ShortBytes {
				continue
			}
			if name != "raw" { // what stands before it may make another escape of its first one
				text = "\n" + text + "\n"
			}
			got := scrubbed(call, before+text+after, int(piece%97)+1)
			require.Equal(t, got, scrubbed(call, before+text+after, 1<<20), "%s: pieces make no difference", name)
			for _, rest := range strings.Split(got, "[secret K]") {
				require.NotContains(t, rest, core(name, strings.Trim(text, "\n"), value), "%s of %q", name, value)
			}
			require.True(t, strings.Contains(got, "[secret K]"), name)
		}
		plain := before + after
		if !slices.ContainsFunc(patterns(0, value, nil), func(p pattern) bool { return bytes.Contains([]byte(plain), p.bytes[:1]) }) && !strings.ContainsAny(plain, `%\&`) {
			require.Equal(t, plain, scrubbed(call, plain, int(piece%97)+1), "what has nothing to do with the value stays")
		}
	})
}

// core is the part of an encoding that the value alone decides.
func core(name, text, value string) string {
	if !strings.HasPrefix(name, "base64") && name != "basic, longer" && name != "url of base64" {
		return text
	}
	for before := range 3 {
		for _, p := range patterns(0, value, nil) {
			if inner, _, _ := aligned(value, before); string(p.bytes) == inner && strings.Contains(text, inner) {
				return inner
			}
		}
	}
	return text
}

// mixed writes by chance: what would be read as something else is always escaped.
func mixed(value string, mask uint64, escape func(rune) string) string {
	var out strings.Builder
	for i, r := range []rune(value) {
		if mask>>(i%64)&1 == 1 || strings.ContainsRune(`%\&`, r) || r > unicode.MaxASCII {
			out.WriteString(escape(r))
		} else {
			out.WriteRune(r)
		}
	}
	return out.String()
}

func scrubbed(call *Call, text string, piece int) string {
	s, out := call.Scrubber(), []byte(nil)
	for rest := []byte(text); len(rest) > 0; rest = rest[min(piece, len(rest)):] {
		out = append(out, s.Write(rest[:min(piece, len(rest))])...)
	}
	return string(append(out, s.Close()...))
}

// FuzzEscapes holds readers of escapes to their word: a length within the text, and waiting only before the end.
func FuzzEscapes(f *testing.F) {
	for _, text := range []string{"%41", "%4", `\ud83d\ude00`, `\ud83d\u`, `\ud83dx`, `\x4`, "&amp;", "&#x41;", "&#99999999999;", "&#1114112;", "&;", "&#;", "&#x;"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, r := range readings {
			if len(text) == 0 || text[0] != r.escape {
				continue
			}
			for _, end := range []bool{false, true} {
				length, out := r.read(text, nil, end)
				require.LessOrEqual(t, length, len(text))
				require.True(t, length >= 0 || !end)
				require.True(t, length < 0 || length > 0 == (len(out) > 0) || length == 0)
				require.True(t, length <= 0 || r.escape == '%' || utf8.Valid(out))
			}
		}
	})
}

func BenchmarkScrub(b *testing.B) {
	values := map[string]string{}
	for i := range 10 {
		values[fmt.Sprint("K", i)] = fmt.Sprintf("sk-%02d-%s+/=%d", i, strings.Repeat("aB3dE", 8), i*7919)
	}
	call := filled(b, values)
	line := `{"id":12345,"name":"somebody \"else\" & more","url":"https:\/\/example.com\/a%20b?c=d&amp;e","text":"The quick brown fox jumps over the lazy dog 0123456789abcdef"},` + "\n"
	for name, text := range map[string]string{"prose": strings.Repeat("The quick brown fox jumps over the lazy dog, said somebody else.\n", 1000),
		"escapes": strings.Repeat(line, 500), "base64": base64Of(strings.Repeat(line, 400)), "all escapes": strings.Repeat("%41&amp;\\u0041", 5000)} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			piece := []byte(text)
			s := call.Scrubber()
			for range b.N {
				s.Write(piece)
			}
		})
	}
	b.Run("making", func(b *testing.B) {
		for range b.N {
			call.in().scrubs = nil
			call.Scrubber()
		}
	})
}
