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

var (
	one, two = canon.SumTool([]byte("one")), canon.SumTool([]byte("two"))
	nothing  canon.ToolID
)

// noon is a time; later ones are so many nanoseconds after it.
var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// bind binds a name to what it shall mean next, whatever it means now.
func bind(t *testing.T, s registry.Store, name string, revision canon.ToolID, at time.Time) registry.Binding {
	before, err := s.Active(t.Context(), name)
	require.NoError(t, err)
	b := registry.Binding{Name: name, Revision: revision, At: at}
	require.NoError(t, s.Bind(t.Context(), b, before.Revision))
	return b
}

func put(t *testing.T, s registry.Store, name, text string) canon.ToolID {
	id := canon.SumTool([]byte(text))
	require.NoError(t, s.PutRevision(t.Context(), id, name, []byte(text)))
	return id
}

// Store runs the contract over fresh, empty stores.
func Store(t *testing.T, open func(*testing.T) registry.Store) {
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
	t.Run("all installed revisions are listed oldest first, each one once, until they are erased", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		installed := func() []canon.ToolID {
			ids, err := s.Installed(ctx)
			require.NoError(t, err)
			return ids
		}
		require.Empty(t, installed())
		three := put(t, s, "b", "three")
		put(t, s, "a", "one")
		put(t, s, "b", "two")
		put(t, s, "a", "three")
		require.Equal(t, []canon.ToolID{three, one, two}, installed())
		require.NoError(t, s.Erase(ctx, one))
		require.Equal(t, []canon.ToolID{three, two}, installed())
		put(t, s, "a", "one")
		require.Equal(t, []canon.ToolID{three, two, one}, installed())
		require.NoError(t, s.Clear(ctx))
		require.Empty(t, installed())
	})
	bindings(t, open)
	erasing(t, open)
	settings(t, open)
	blocks(t, open)
}
