// Package registrytest is the contract of registry.Store, run by every implementation.
package registrytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// Store runs the contract over fresh, empty stores.
func Store(t *testing.T, open func(*testing.T) registry.Store) {
	one, two := canon.SumTool([]byte("one")), canon.SumTool([]byte("two"))
	t.Run("a revision comes back byte for byte, and putting it again changes nothing", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		bytes := []byte("one")
		require.NoError(t, s.PutRevision(ctx, one, "a", bytes))
		bytes[0] = 'X' // the caller's slice is the caller's
		require.NoError(t, s.PutRevision(ctx, one, "a", []byte("other")))
		got, err := s.Revision(ctx, one)
		require.NoError(t, err)
		require.Equal(t, "one", string(got))
		got[0] = 'Y'
		got, _ = s.Revision(ctx, one)
		require.Equal(t, "one", string(got), "what was handed out is a copy")
	})
	t.Run("a revision that was never put is not found", func(t *testing.T) {
		_, err := open(t).Revision(t.Context(), one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
	})
	t.Run("revisions of a name are listed oldest first, bound or not", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		require.NoError(t, s.PutRevision(ctx, two, "a", []byte("two")))
		require.NoError(t, s.PutRevision(ctx, one, "a", []byte("one")))
		ids, err := s.Revisions(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, []canon.ToolID{two, one}, ids)
		none, err := s.Revisions(ctx, "b")
		require.NoError(t, err)
		require.Empty(t, none)
	})
	t.Run("every binding is kept, in order, under its name only", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		want := []registry.Binding{{Name: "a", Revision: one, At: at}, {Name: "a", Revision: two, At: at.Add(1e9)}, {Name: "a", Revision: one, At: at.Add(2e9)}}
		for _, b := range want {
			require.NoError(t, s.Bind(ctx, b))
		}
		require.NoError(t, s.Bind(ctx, registry.Binding{Name: "Z", Revision: two, At: at}))
		got, err := s.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, want, got)
		names, err := s.Names(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{"Z", "a"}, names)
	})
}
