package canon_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Strings are read and written in words of eight bytes; no place in a word is blind.
func TestEveryByteIsSeenAtEveryPlace(t *testing.T) {
	for place := range 20 {
		for c := range 128 {
			text := strings.Repeat("\u0080é", 20)[:2*place] + string(rune(c)) + strings.Repeat("\x7f!#[]", 5)
			out, err := canon.Encode(text)
			require.NoError(t, err)
			back, err := canon.Decode(out, 0)
			require.NoError(t, err)
			require.Equal(t, text, back)
			escaped := c < ' ' || c == '"' || c == '\\'
			require.Equal(t, escaped, strings.Contains(string(out), `\`), "%q", out)
			_, err = canon.Decode([]byte(`"`+text+`"`), 0)
			require.Equal(t, escaped, err != nil, "%q", text)
		}
	}
}
