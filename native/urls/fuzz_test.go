package urls_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
)

// The library meets every text of every tool: it must not panic, and what it has serialised under https reads as itself.
func FuzzASerialisedURLReadsAsItself(f *testing.F) {
	for _, row := range policytest.Rows(f) {
		f.Add(row.Raw)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := urls.Parser{}.Parse(raw)
		if err != nil || u.Scheme != "https" {
			return
		}
		again, err := urls.Parser{}.Parse(u.Href)
		require.NoError(t, err, "%q", u.Href)
		require.Equal(t, u, again)
	})
}
