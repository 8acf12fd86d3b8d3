package canon_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Whatever decodes, encodes; the bytes decode again, to the same tree, and are their own canonical form.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"b":[1,-0,1e21,0.1],"a":{"\ud83d\ude00":"\u0000\n\"\\/é"},"":null}`, `[[[]],{}," "]`, `"\uD800"`, `{"a":1,"\u0061":2}`,
		`9007199254740993`, `[1.2345678901234568e20,1e21]`,
		`1e400`, `-0.0`, `{"\uFB33":1,"😀":2}`, "\"\xff\"", "\uFEFF{}", ` [ true , false ] x`, `5e-324`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := canon.Decode(text, nesting)
		if err != nil {
			require.Nil(t, v)
			return
		}
		once, err := canon.Encode(v)
		require.NoError(t, err)
		again, err := canon.Decode(once, nesting)
		require.NoError(t, err)
		require.Equal(t, v, again)
		twice, err := canon.Encode(again)
		require.NoError(t, err)
		require.Equal(t, string(once), string(twice))
	})
}
