package registrytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

func bindings(t *testing.T, open func(*testing.T) registry.Store) {
	t.Run("every binding is kept, in order, under its name only", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		var want []registry.Binding
		for i, revision := range []canon.ToolID{one, two, one, one} {
			want = append(want, bind(t, s, "a", revision, noon.Add(time.Duration(i))))
		}
		other := bind(t, s, "Z", two, noon)
		got, err := s.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, want, got)
		bound, err := s.Bound(ctx)
		require.NoError(t, err)
		require.Equal(t, []registry.Binding{other, want[3]}, bound, "the latest binding of each name, sorted by name")
		none, err := s.Bindings(ctx, "b")
		require.NoError(t, err)
		require.Empty(t, none)
	})
	t.Run("a name means its latest binding, and a name that was never bound nothing", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		// Both neighbours in the order of names are there, so that a store that looks nearby is caught.
		bind(t, s, "a", one, noon)
		bind(t, s, "c", one, noon)
		none, err := s.Active(ctx, "b")
		require.NoError(t, err)
		require.Zero(t, none)
		// What is latest is told by order and not by the clock, which may be set back.
		bind(t, s, "b", two, noon)
		latest := bind(t, s, "b", one, noon.Add(-time.Hour))
		got, err := s.Active(ctx, "b")
		require.NoError(t, err)
		require.Equal(t, latest, got)
	})
	t.Run("a binding over another one than its author saw is a conflict that appends nothing", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		next := registry.Binding{Name: "a", Revision: two, At: noon}
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Bind(ctx, next, one)), "the name means nothing yet")
		bound, err := s.Bound(ctx)
		require.NoError(t, err)
		require.Empty(t, bound)
		first := bind(t, s, "a", one, noon)
		for _, stale := range []canon.ToolID{nothing, two} {
			err := s.Bind(ctx, next, stale)
			require.Equal(t, fault.Conflict, fault.CodeOf(err))
			require.ErrorContains(t, err, `"a"`)
		}
		second := bind(t, s, "a", two, noon)
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Bind(ctx, next, one)), "one is in the history, and no longer what the name means")
		history, err := s.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, []registry.Binding{first, second}, history)
	})
	t.Run("a name that was bound to nothing means nothing, keeps its history, and may be bound again", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "one")
		first := bind(t, s, "a", one, noon)
		removed := bind(t, s, "a", nothing, noon.Add(1))
		require.True(t, removed.Revision.IsZero())
		active, err := s.Active(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, removed, active)
		bound, err := s.Bound(ctx)
		require.NoError(t, err)
		require.Equal(t, []registry.Binding{removed}, bound, "the name is still known")
		_, err = s.Revision(ctx, one)
		require.NoError(t, err, "the revision is kept")
		ids, err := s.Revisions(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, []canon.ToolID{one}, ids)
		again := registry.Binding{Name: "a", Revision: one, At: noon.Add(2)}
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Bind(ctx, again, one)), "it no longer means what it did")
		require.NoError(t, s.Bind(ctx, again, nothing))
		history, err := s.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, []registry.Binding{first, removed, again}, history)
	})
}

func erasing(t *testing.T, open func(*testing.T) registry.Store) {
	t.Run("an erased revision is gone with every binding to it, but never the active one", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		require.NoError(t, s.Erase(ctx, one), "what is not here is no error")
		put(t, s, "a", "one")
		put(t, s, "a", "two")
		bind(t, s, "a", one, noon)
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Erase(ctx, one)))
		_, err := s.Revision(ctx, one)
		require.NoError(t, err)
		active := bind(t, s, "a", two, noon)
		require.NoError(t, s.Erase(ctx, one))
		_, err = s.Revision(ctx, one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		ids, err := s.Revisions(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, []canon.ToolID{two}, ids)
		history, err := s.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, []registry.Binding{active}, history)
	})
	t.Run("a revision whose name means nothing now may be erased, and the name is still known", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "one")
		bind(t, s, "a", one, noon)
		removed := bind(t, s, "a", nothing, noon.Add(1))
		require.NoError(t, s.Erase(ctx, one))
		_, err := s.Revision(ctx, one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		history, err := s.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, []registry.Binding{removed}, history)
	})
	t.Run("erasing no revision erases nothing", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		bind(t, s, "a", one, noon)
		bind(t, s, "a", nothing, noon)
		bind(t, s, "a", one, noon)
		bind(t, s, "b", one, noon)
		bind(t, s, "b", nothing, noon)
		require.NoError(t, s.Erase(ctx, nothing))
		for name, bindings := range map[string]int{"a": 3, "b": 2} {
			history, err := s.Bindings(ctx, name)
			require.NoError(t, err)
			require.Len(t, history, bindings)
		}
	})
	t.Run("clearing forgets everything", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "one")
		bind(t, s, "a", one, noon)
		set(t, s, one, "{}", noon)
		require.NoError(t, s.Block(ctx, registry.Block{Revision: two, Reason: "bad", At: noon}))
		require.NoError(t, s.Clear(ctx))
		_, err := s.Revision(ctx, one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		bound, err := s.Bound(ctx)
		require.NoError(t, err)
		require.Empty(t, bound)
		_, err = s.Settings(ctx, canon.SumSettings([]byte("{}")))
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		current, err := s.Current(ctx, one)
		require.NoError(t, err)
		require.Zero(t, current)
		blocks, err := s.Blocks(ctx)
		require.NoError(t, err)
		require.Empty(t, blocks)
		put(t, s, "a", "one") // and it is as good as new
		bind(t, s, "a", one, noon)
	})
}
