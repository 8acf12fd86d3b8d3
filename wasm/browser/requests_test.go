//go:build js && wasm

package browser

import (
	"context"
	"testing"

	"github.com/hack-pad/safejs"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

type yes struct{}

func (yes) Granted(context.Context, policy.Want) (bool, error) { return true, nil }

// A page from a blob or from srcdoc has an address without a host, and the origin of whoever made it.
func TestAPagesOwnOriginIsOutOfReachWhateverItsAddressIs(t *testing.T) {
	global := safejs.Global()
	set := func(name string, value any) {
		before, err := global.Get(name)
		require.NoError(t, err)
		require.NoError(t, global.Set(name, value))
		t.Cleanup(func() { _ = global.Set(name, before) })
	}
	fetch, err := safejs.FuncOf(func(safejs.Value, []safejs.Value) any { return nil })
	require.NoError(t, err)
	t.Cleanup(fetch.Release)
	for _, row := range [][2]string{
		{"https://app.example.com/x", "https://app.example.com"}, {"about:srcdoc", "https://app.example.com"},
		{"blob:https://app.example.com/8e8d", "https://app.example.com"}, {"https://app.example.com/x", "null"},
	} {
		set("location", map[string]any{"href": row[0]})
		set("origin", row[1])
		r, err := openRequests(Options{Fetch: fetch.Value()}, limits.Default())
		require.NoError(t, err)
		needs, err := r.policy.Needs(nil)
		require.NoError(t, err)
		_, err = r.policy.Decide(t.Context(), policy.Asker{Revision: canon.SumTool(nil), Needs: needs}, policy.Request{URL: "https://app.example.com/data"}, yes{})
		var denial *policy.Denial
		require.ErrorAs(t, err, &denial)
		require.Equal(t, policy.Self, denial.Reason, row)
	}
}
