package canon_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

func TestPathsAreReadable(t *testing.T) {
	for name, want := range map[string]string{
		"a": "$.a", "timeoutMs": "$.timeoutMs", "_x1": "$._x1", "$t": "$.$t",
		"": `$[""]`, "odd key": `$["odd key"]`, "1a": `$["1a"]`, "a-b": `$["a-b"]`, "é": `$["é"]`, "a\"\n": `$["a\"\n"]`,
		"\xff": "$[\"\uFFFD\"]",
	} {
		require.Equal(t, want, canon.Child("$", name))
	}
	require.Equal(t, "$.a[0][12].b", canon.Child(canon.Index(canon.Index(canon.Child("$", "a"), 0), 12), "b"))
}

func TestPathsClipLongKeys(t *testing.T) {
	long := canon.Child("$", "x"+strings.Repeat("é", 1_000_000))
	require.Less(t, len(long), 120)
	require.True(t, strings.HasSuffix(long, `…"]`))
	require.NotContains(t, long, "\uFFFD", "a key is cut between characters")
}

func TestNearestGuessesWhatWasMeant(t *testing.T) {
	known := []string{"name", "description", "implementation", "timeoutMs", "id", "settings"}
	for name, want := range map[string]string{
		"name": "name", "Name": "name", "nam": "name", "nmae": "name", "names": "name", "TimeoutMS": "timeoutMs", "timeout_ms": "timeoutMs",
		"descriptoin": "description", "implementaton": "implementation", "ID": "id", "idd": "id", "\u017fettings": "settings",
		"": "", "x": "", "nope": "", "code": "", "mean": "", "desc": "", strings.Repeat("n", 1_000_000): "",
	} {
		require.Equal(t, want, canon.Nearest(name, known), "%.20q", name)
	}
	require.Equal(t, "", canon.Nearest("a", nil))
	require.Equal(t, "ab", canon.Nearest("abc", []string{"ab", "abcd"}), "the first of two equally near")
	require.Equal(t, "abcde", canon.Nearest("abcdef", []string{"abxy", "abcde"}), "the nearer one")
}
