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
		require.NoError(t, s.PutRevision(ctx, one, "b", []byte("one")))
		got, err := s.Revision(ctx, one)
		require.NoError(t, err)
		require.Equal(t, "one", string(got))
		got[0] = 'Y'
		got, _ = s.Revision(ctx, one)
		require.Equal(t, "one", string(got), "what was handed out is a copy")
		ids, err := s.Revisions(ctx, "b")
		require.NoError(t, err)
		require.Empty(t, ids)
	})
	t.Run("bytes under an id that is not their hash are refused", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		require.Equal(t, fault.Corrupt, fault.CodeOf(s.PutRevision(ctx, one, "a", []byte("two"))))
		_, err := s.Revision(ctx, one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
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
	t.Run("an erased revision is gone with every binding to it, but never the active one", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		require.NoError(t, s.Erase(ctx, one), "what is not here is no error")
		require.NoError(t, s.PutRevision(ctx, one, "a", []byte("one")))
		require.NoError(t, s.PutRevision(ctx, two, "a", []byte("two")))
		require.NoError(t, s.Bind(ctx, registry.Binding{Name: "a", Revision: one, At: at}))
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Erase(ctx, one)))
		_, err := s.Revision(ctx, one)
		require.NoError(t, err)
		active := registry.Binding{Name: "a", Revision: two, At: at}
		require.NoError(t, s.Bind(ctx, active))
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
	t.Run("clearing forgets everything", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		require.NoError(t, s.PutRevision(ctx, one, "a", []byte("one")))
		require.NoError(t, s.Bind(ctx, registry.Binding{Name: "a", Revision: one, At: time.Now()}))
		require.NoError(t, s.Clear(ctx))
		_, err := s.Revision(ctx, one)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		names, err := s.Names(ctx)
		require.NoError(t, err)
		require.Empty(t, names)
		require.NoError(t, s.PutRevision(ctx, one, "a", []byte("one")), "and is as good as new")
	})
}

// Shared runs what holds between two handles on one store, as in two tabs or processes.
func Shared(t *testing.T, open func(*testing.T) (a, b registry.Store)) {
	t.Run("two handles may install and bind at once, and both see all of it", func(t *testing.T) {
		a, b := open(t)
		ctx := t.Context()
		const each = 20
		errs := make(chan error, 2)
		for _, s := range []registry.Store{a, b} {
			go func() {
				var err error
				for i := 0; i < each && err == nil; i++ {
					text := []byte{byte(i)}
					if err = s.PutRevision(ctx, canon.SumTool(text), "a", text); err == nil {
						err = s.Bind(ctx, registry.Binding{Name: "a", Revision: canon.SumTool(text), At: time.Unix(int64(i), 0).UTC()})
					}
				}
				errs <- err
			}()
		}
		require.NoError(t, <-errs)
		require.NoError(t, <-errs)
		for _, s := range []registry.Store{a, b} {
			ids, err := s.Revisions(ctx, "a")
			require.NoError(t, err)
			require.Len(t, ids, each, "the same revision from both is one")
			history, err := s.Bindings(ctx, "a")
			require.NoError(t, err)
			require.Len(t, history, 2*each, "no binding of either is lost")
		}
		one, err := a.Bindings(ctx, "a")
		require.NoError(t, err)
		other, err := b.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, one, other)
	})
}
