package canon_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// vector is a row of testdata/identity.json, which natively, as wasm and in JavaScript must hold: text, in which FILL stands for fill
// so many times, has that canonical form of so many bytes, and these bytes have that identity as a revision.
type vector struct {
	Title     string `json:"title"`
	Text      string `json:"text"`
	Fill      string `json:"fill,omitempty"`
	Times     int    `json:"times,omitempty"`
	Canonical string `json:"canonical,omitempty"` // left out where it is long
	Bytes     int    `json:"bytes"`
	ID        string `json:"id"`
}

func TestTheCheckedInIdentitiesHoldInEveryBuild(t *testing.T) {
	text, err := os.ReadFile("testdata/identity.json")
	require.NoError(t, err)
	var vectors []vector
	require.NoError(t, canon.Unmarshal(text, &vectors, nesting, fault.InvalidValue))
	require.GreaterOrEqual(t, len(vectors), 20)
	largest := 0
	for _, v := range vectors {
		got, err := canon.Canonical([]byte(strings.Replace(v.Text, "FILL", strings.Repeat(v.Fill, v.Times), 1)), nesting)
		require.NoError(t, err, v.Title)
		if v.Canonical != "" {
			require.Equal(t, v.Canonical, string(got), v.Title)
		}
		require.Len(t, got, v.Bytes, v.Title)
		require.Equal(t, v.ID, canon.SumTool(got).String(), v.Title)
		largest = max(largest, len(got))
	}
	require.Greater(t, largest, 5_000_000, "a long source text is among them")
}
