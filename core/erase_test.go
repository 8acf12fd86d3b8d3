package core_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// watched is a shelf that says when it is cleared, and may refuse.
type watched struct {
	shelf.Memory
	clearing func() error
}

func (w *watched) Clear(ctx context.Context, prefix string) error {
	if w.clearing != nil {
		if err := w.clearing(); err != nil {
			return err
		}
	}
	return w.Memory.Clear(ctx, prefix)
}

// keep puts something of every room that goes with a revision, and gives the keys.
func keep(t *testing.T, s shelf.Store, id canon.ToolID) (keys []string) {
	for _, room := range []string{"grant", "secret", "storage"} {
		for _, name := range []string{"one", "a/b"} {
			key := shelf.Key(room, id.String(), name)
			require.NoError(t, s.Put(t.Context(), shelf.Change{Key: key, Value: []byte("kept")}))
			keys = append(keys, key)
		}
	}
	return keys
}

func kept(t *testing.T, s shelf.Store) (keys []string) {
	rows, err := s.List(t.Context(), "", "", 0)
	require.NoError(t, err)
	for _, r := range rows {
		keys = append(keys, r.Key)
	}
	return keys
}

func shelved(t *testing.T, s shelf.Store, wall sandbox.Wall) *fixture {
	f := &fixture{tools: new(registry.Memory), tasks: new(task.Memory)}
	ports := f.ports(wall)
	ports.Shelf = s
	f.Engine = core.New(ports)
	t.Cleanup(f.Close)
	require.Same(t, s, f.Shelf())
	return f
}

func TestErasingARevisionTakesWhatIsKeptForItAndNothingElse(t *testing.T) {
	for title, erase := range map[string]func(f *fixture, id canon.ToolID) error{
		"alone": func(f *fixture, id canon.ToolID) error { return f.EraseTool(t.Context(), id) },
		"with all that are unpinned": func(f *fixture, id canon.ToolID) error {
			ids, err := f.EraseUnpinned(t.Context())
			require.Equal(t, []canon.ToolID{id}, ids)
			return err
		},
	} {
		t.Run(title, func(t *testing.T) {
			f := open(t, echo())
			one, two := f.install(t, "a", "one", "").ID(), f.install(t, "b", "two", "").ID()
			gone, stays := keep(t, f.Shelf(), one), keep(t, f.Shelf(), two)
			for _, key := range []string{shelf.Key("audit", one.String(), "x"), shelf.Key("grant", one.String()), shelf.Key("grant", one.String()+"0", "x")} {
				require.NoError(t, f.Shelf().Put(t.Context(), shelf.Change{Key: key, Value: []byte("kept")}))
				stays = append(stays, key)
			}
			require.Equal(t, fault.Conflict, fault.CodeOf(f.EraseTool(t.Context(), one)), "it is active")
			require.ElementsMatch(t, append(stays, gone...), kept(t, f.Shelf()), "a revision that stays keeps what it has")
			require.NoError(t, f.Registry().Remove(t.Context(), "a"))
			require.NoError(t, erase(f, one))
			require.ElementsMatch(t, stays, kept(t, f.Shelf()))
		})
	}
}

func TestClearingForgetsTheWholeShelfOnceNothingRunsThatCouldPutSomething(t *testing.T) {
	s, wall := new(watched), echo()
	f := shelved(t, s, wall)
	id := f.install(t, "a", "one", "").ID()
	f.ran(t, f.call(t, nil, "a"))
	require.Equal(t, 1, wall.Live())
	keep(t, s, id)
	require.NoError(t, s.Put(t.Context(), shelf.Change{Key: "audit", Value: []byte{}}))
	s.clearing = func() error {
		require.Zero(t, wall.Live())
		return nil
	}
	require.NoError(t, f.Clear(t.Context()))
	require.Empty(t, kept(t, s))
}

func TestErasingThatFailsOnTheShelfSaysSoAndIsDoneByErasingAgain(t *testing.T) {
	full := errors.New("the shelf is out of order")
	for title, erase := range map[string]func(f *fixture, id canon.ToolID) error{
		"a revision": func(f *fixture, id canon.ToolID) error { return f.EraseTool(t.Context(), id) },
		"everything": func(f *fixture, _ canon.ToolID) error { return f.Clear(t.Context()) },
	} {
		t.Run(title, func(t *testing.T) {
			s := new(watched)
			f := shelved(t, s, echo())
			id := f.install(t, "a", "one", "").ID()
			require.NoError(t, f.Registry().Remove(t.Context(), "a"))
			keep(t, s, id)
			s.clearing = func() error { return full }
			require.ErrorIs(t, erase(f, id), full)
			require.NotEmpty(t, kept(t, s))
			s.clearing = nil
			require.NoError(t, erase(f, id))
			require.Empty(t, kept(t, s))
		})
	}
}
