package registry_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// contested is a memory store that others bind names in, each time just before this engine does.
type contested struct {
	registry.Memory
	others []canon.ToolID
}

func (s *contested) Bind(ctx context.Context, b registry.Binding, before canon.ToolID) error {
	if len(s.others) > 0 {
		other := registry.Binding{Name: b.Name, Revision: s.others[0], At: b.At}
		s.others = s.others[1:]
		if err := s.Memory.Bind(ctx, other, before); err != nil {
			return err
		}
	}
	return s.Memory.Bind(ctx, b, before)
}

func TestABindingIsTriedAgainWhenAnotherTabWasFaster(t *testing.T) {
	for others, code := range map[int]fault.Code{0: "", 1: "", 7: "", 8: fault.Conflict} {
		store := new(contested)
		for i := range others {
			store.others = append(store.others, canon.SumTool([]byte{byte(i)}))
		}
		seen := store.others
		f := open(new(tampered))
		var retired []canon.ToolID
		r := registry.New(registry.Options{Store: store, Syntax: f.judge, Limits: limits.Default(), Now: time.Now,
			Retired: func(id canon.ToolID) { retired = append(retired, id) }})
		own, err := r.Install(t.Context(), text("a", "1"), true)
		require.Equal(t, code, fault.CodeOf(err), "%d others", others)
		history, err := r.History(t.Context(), "a")
		require.NoError(t, err)
		if code != "" {
			require.Len(t, history, others, "and nothing of the others' is undone")
			require.Empty(t, retired)
			continue
		}
		require.Len(t, history, others+1)
		require.Equal(t, own.ID(), history[others].Revision)
		if others > 0 {
			require.Equal(t, seen[others-1:], retired, "what it took over from is what had become active")
		}
	}
}

func TestANameThatMeansNothingIsNotListedFoundOrOffered(t *testing.T) {
	f, ctx := open(new(tampered)), t.Context()
	r, err := f.Install(ctx, text("uppercase", "1"), true)
	require.NoError(t, err)
	require.NoError(t, f.store.Bind(ctx, registry.Binding{Name: "uppercase", At: time.Now()}, r.ID()))
	list, err := f.List(ctx)
	require.NoError(t, err)
	require.Empty(t, list)
	for _, name := range []string{"uppercase", "upercase"} {
		_, err = f.Lookup(ctx, name)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		require.NotContains(t, err.Error(), "did you mean")
	}
	_, err = f.Activate(ctx, r.ID())
	require.NoError(t, err)
	_, err = f.Lookup(ctx, "uppercase")
	require.NoError(t, err)
}
