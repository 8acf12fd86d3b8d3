package safe_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/safe"
)

func TestTextIsDrawnWhereItIsWrittenAndNothingInItIsHidden(t *testing.T) {
	for _, row := range []struct{ title, text, want string }{
		{"plain text stays", "Reads the weather, 20 °C. It's “fine” – 好的 ありがとう", "Reads the weather, 20 °C. It's “fine” – 好的 ありがとう"},
		{"other scripts stay", "Привет שלום مرحبا नमस्ते ไทย Việt", "Привет שלום مرحبا नमस्ते ไทย Việt"},
		{"accents stay, loose ones too", "e\u0301 a\u0323\u0302", "e\u0301 a\u0323\u0302"},
		{"an emoji stays", "☀️ 🌍", "☀ 🌍"},
		{"override", "a\u202eb", "a[U+202E]b"},
		{"embeddings", "\u202a\u202b\u202c\u202d", "[U+202A +3]"},
		{"isolates", "\u2066a\u2067b\u2068c\u2069", "[U+2066]a[U+2067]b[U+2068]c[U+2069]"},
		{"marks of direction", "a\u200e\u200f\u061cb", "a[U+200E +2]b"},
		{"zero width", "a\u200bb\u200cc\u200dd\u2060e\ufefff", "a[U+200B]b[U+200C]c[U+200D]d[U+2060]e[U+FEFF]f"},
		{"soft hyphen", "pay\u00adpal", "pay[U+00AD]pal"},
		{"fillers and blanks", "a\u3164b\uffa0c\u115fd\u2800e\u034f", "a[U+3164]b[U+FFA0]c[U+115F]d[U+2800]e[U+034F]"},
		{"tags", "a\U000e0001\U000e0068\U000e0069b", "a[U+E0001 +2]b"},
		{"variation selectors", "a\U000e0100b\ufe00c", "a[U+E0100]b[U+FE00]c"},
		{"forms of an emoji with nothing before", "\ufe0fa", "[U+FE0F]a"},
		{"private use and what is no character", "\ue000\U0010ffff", "[U+E000 +1]"},
		{"lines", "a\nb\r\nc\u2028d\u2029e\vf\fg\u0085h", "a b c d e f g h"},
		{"spaces", "  a \t\u00a0\u3000\u2003 b  ", "a b"},
		{"controls", "a\x00b\x07c\x7fd\u009be", "a[U+0000]b[U+0007]c[U+007F]d[U+009B]e"},
		{"ANSI colours", "\x1b[31mred\x1b[0m", "[U+001B][31mred[U+001B][0m"},
		{"a title and a link of a terminal", "\x1b]0;t\x07\x1b]8;;https://x\x1b\\", "[U+001B]]0;t[U+0007 +1]]8;;https://x[U+001B]\\"},
		{"backspaces", "ab\b\bcd", "ab[U+0008 +1]cd"},
		{"piled marks", "a" + strings.Repeat("\u0301", 100) + "b", "a\u0301\u0301\u0301\u0301�b"},
		{"a mark on nothing", "\u0301a \u0338b", "◌\u0301a ◌\u0338b"},
		{"a mark behind what is hidden", "a\u200b\u0301", "a[U+200B]◌\u0301"},
		{"enclosing marks", "a\u20e0", "a[U+20E0]"},
		{"no UTF-8", "a\xff\xfeb", "a��b"},
		{"nothing", "", ""},
		{"only white space", " \n ", ""},
	} {
		got := safe.Text(row.text, 200)
		require.Equal(t, row.want, got, row.title)
		require.Equal(t, got, safe.Text(got, 200), row.title)
	}
}

func TestTextIsCutAtItsBoundBetweenCharacters(t *testing.T) {
	for _, row := range []struct {
		text string
		most int
		want string
	}{
		{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "abc…"}, {"ab cdefg", 6, "ab…"}, {"äöüä", 8, "äöüä"}, {"äöüäa", 8, "äö…"},
		{"ab\u202e", 10, "ab[U+202E]"}, {"abc\u202e", 10, "abc…"}, {"a\u0301\u0301\u0301\u0301\u0301", 6, "a\u0301…"},
		{"abc", 2, ""}, {"a", 0, ""}, {"", 0, ""}, {"abcd   ", 4, "abcd"}, {"abcd   e", 4, "a…"},
	} {
		got := safe.Text(row.text, row.most)
		require.Equal(t, row.want, got, row.text)
		require.LessOrEqual(t, len(got), row.most)
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\u202e\u0301\x1b[0m\u200b \n\U000e0041…◌", 20)
	f.Fuzz(func(t *testing.T, text string, most int) {
		most %= 1000
		got := safe.Text(text, most)
		require.LessOrEqual(t, len(got), max(most, 0))
		require.True(t, utf8.ValidString(got))
		require.Equal(t, got, safe.Text(got, most))
		for _, r := range got {
			require.True(t, unicode.IsPrint(r), "%U", r)
			require.False(t, unicode.In(r, unicode.Cf, unicode.Cc, unicode.Variation_Selector), "%U", r)
		}
	})
}
