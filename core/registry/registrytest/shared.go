package registrytest

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

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
						err = insist(ctx, s, registry.Binding{Name: "a", Revision: canon.SumTool(text), At: time.Unix(int64(i), 0).UTC()}, each)
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
	t.Run("of two handles that bind over the same binding at once, one has a conflict", func(t *testing.T) {
		a, b := open(t)
		ctx := t.Context()
		const rounds = 20
		before := canon.ToolID{}
		for i := range rounds {
			errs := make(chan error, 2)
			for which, s := range []registry.Store{a, b} {
				revision := canon.SumTool([]byte{byte(i), byte(which)})
				go func() { errs <- s.Bind(ctx, registry.Binding{Name: "a", Revision: revision, At: noon}, before) }()
			}
			codes := []fault.Code{fault.CodeOf(<-errs), fault.CodeOf(<-errs)}
			require.ElementsMatch(t, []fault.Code{"", fault.Conflict}, codes)
			active, err := a.Active(ctx, "a")
			require.NoError(t, err)
			before = active.Revision
		}
		history, err := b.Bindings(ctx, "a")
		require.NoError(t, err)
		require.Len(t, history, rounds)
	})
	t.Run("what one handle binds, sets and blocks, the other one sees, and erases", func(t *testing.T) {
		a, b := open(t)
		ctx := t.Context()
		put(t, a, "a", "one")
		bound := bind(t, a, "a", one, noon)
		setting := set(t, a, one, `"dark"`, noon)
		block := registry.Block{Revision: one, Reason: "leaks", At: noon}
		require.NoError(t, a.Block(ctx, block))

		active, err := b.Active(ctx, "a")
		require.NoError(t, err)
		require.Equal(t, bound, active)
		current, err := b.Current(ctx, one)
		require.NoError(t, err)
		require.Equal(t, setting, current)
		bytes, err := b.Settings(ctx, setting.ID)
		require.NoError(t, err)
		require.Equal(t, `"dark"`, string(bytes))
		seen, err := b.Blocked(ctx, one)
		require.NoError(t, err)
		require.Equal(t, block, seen)

		require.NoError(t, b.Unblock(ctx, one))
		bind(t, b, "a", nothing, noon)
		require.NoError(t, b.Erase(ctx, one))
		seen, err = a.Blocked(ctx, one)
		require.NoError(t, err)
		require.Zero(t, seen)
		_, err = a.Settings(ctx, setting.ID)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		current, err = a.Current(ctx, one)
		require.NoError(t, err)
		require.Zero(t, current)
	})
}

// insist binds, and begins again where somebody else was faster, who binds at most so often.
func insist(ctx context.Context, s registry.Store, b registry.Binding, others int) error {
	err := registry.Moved(b.Name)
	for try := 0; try <= others && fault.CodeOf(err) == fault.Conflict; try++ {
		var before registry.Binding
		if before, err = s.Active(ctx, b.Name); err == nil {
			err = s.Bind(ctx, b, before.Revision)
		}
	}
	return err
}
