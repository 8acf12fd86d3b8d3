package registrytest

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

func blocks(t *testing.T, open func(*testing.T) registry.Store) {
	blocked := func(t *testing.T, s registry.Store, id canon.ToolID) registry.Block {
		got, err := s.Blocked(t.Context(), id)
		require.NoError(t, err)
		return got
	}
	list := func(t *testing.T, s registry.Store) []registry.Block {
		got, err := s.Blocks(t.Context())
		require.NoError(t, err)
		return got
	}
	t.Run("a revision may be blocked that is not installed, and blocked again for another reason", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		require.Zero(t, blocked(t, s, one))
		require.Empty(t, list(t, s))
		first := registry.Block{Revision: one, Reason: "leaks", At: noon}
		require.NoError(t, s.Block(ctx, first))
		require.Equal(t, first, blocked(t, s, one))
		require.Zero(t, blocked(t, s, two))
		_, err := s.Revision(ctx, one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		second := registry.Block{Revision: one, Reason: "", At: noon.Add(1)}
		require.NoError(t, s.Block(ctx, second))
		require.Equal(t, []registry.Block{second}, list(t, s), "one block for one revision")
	})
	t.Run("a block is taken back, and taking back what is not blocked is no error", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		other := registry.Block{Revision: two, Reason: "leaks", At: noon}
		require.NoError(t, s.Block(ctx, registry.Block{Revision: one, Reason: "leaks", At: noon}))
		require.NoError(t, s.Block(ctx, other))
		for range 2 {
			require.NoError(t, s.Unblock(ctx, one))
			require.Zero(t, blocked(t, s, one))
			require.Equal(t, []registry.Block{other}, list(t, s))
		}
	})
	t.Run("blocks are listed by the text of their revision", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		var want []string
		for i := range 20 {
			id := canon.SumTool([]byte{byte(i)})
			want = append(want, id.String())
			require.NoError(t, s.Block(ctx, registry.Block{Revision: id, Reason: "leaks", At: noon}))
		}
		slices.Sort(want)
		var got []string
		for _, b := range list(t, s) {
			got = append(got, b.Revision.String())
		}
		require.Equal(t, want, got)
	})
	t.Run("a block outlives its revision", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		want := registry.Block{Revision: one, Reason: "leaks", At: noon}
		require.NoError(t, s.Block(ctx, want))
		put(t, s, "a", "one")
		_, err := s.Revision(ctx, one)
		require.NoError(t, err, "who may run it is the registry's business")
		require.NoError(t, s.Erase(ctx, one))
		_, err = s.Revision(ctx, one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		require.Equal(t, want, blocked(t, s, one))
	})
}
