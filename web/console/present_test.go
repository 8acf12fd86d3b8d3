package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func TestAnIDIsShortenedToItsFirstDigits(t *testing.T) {
	require.Equal(t, "0123456789…", console.Short("tool:b3:"+strings.Repeat("0123456789", 6)+"0123"))
	require.Equal(t, "1", console.Short("task:b3:1"))
	require.Empty(t, console.Short(""))
}

func TestAResultIsIndentedWithoutChangingItsValues(t *testing.T) {
	for text, want := range map[string]string{
		`{"a":12345678901234567890,"b":"<&>"}`: "{\n  \"a\": 12345678901234567890,\n  \"b\": \"<&>\"\n}",
		`{ "$t": "undefined" }`:                "undefined",
		`1e2`:                                  "1e2",
		`not JSON`:                             "not JSON",
	} {
		require.Equal(t, want, console.ResultText(text))
	}
}

func TestAHugeTextIsCutAndSaysSo(t *testing.T) {
	require.Equal(t, strings.Repeat("ä", 200_000), console.Bounded(strings.Repeat("ä", 200_000)))
	require.True(t, strings.HasSuffix(console.Bounded(strings.Repeat("ä", 200_001)), "ä\n… 1 more characters are not shown"))
}

func TestADurationIsReadable(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", 20 * time.Microsecond: "1 ms", 12 * time.Millisecond: "12 ms", 1500 * time.Millisecond: "1.5 s", 90 * time.Second: "90.0 s",
	} {
		require.Equal(t, want, console.Took(d))
	}
}

func TestEveryOutcomeHasATone(t *testing.T) {
	for outcome, want := range map[string]string{
		"ok": "good", "tool_error": "bad", "crashed": "bad", "timeout": "odd", "aborted": "odd", "denied": "odd", "internal": "bad",
	} {
		require.Equal(t, want, console.Tone(outcome))
	}
	require.Equal(t, "invalid arguments", console.OutcomeText("invalid_arguments"))
}

func TestAnExcerptPointsAtTheColumn(t *testing.T) {
	for _, row := range []struct {
		title, text  string
		line, column int
		want         string
	}{
		{"in the middle", "one\ntwo three", 2, 5, "2 | two three\n        ^"},
		{"with tabs", "\tx", 1, 2, "1 |  x\n     ^"},
		{"just past the end", "ab", 1, 3, "1 | ab\n      ^"},
		{"without column", "ab", 1, 0, "1 | ab"},
		{"a column that is not there", "ab", 1, 9, "1 | ab"},
		{"Windows lines", "a\r\nb", 2, 1, "2 | b\n    ^"},
		{"no such line", "a", 2, 1, ""},
		{"unknown line", "a", 0, 1, ""},
		{"a long line", strings.Repeat("x", 100) + "!" + strings.Repeat("y", 100), 1, 101,
			"1 | " + strings.Repeat("x", 60) + "!" + strings.Repeat("y", 59) + "\n" + strings.Repeat(" ", 64) + "^"},
	} {
		t.Run(row.title, func(t *testing.T) {
			require.Equal(t, row.want, console.Excerpt(row.text, row.line, row.column))
		})
	}
}
