package task_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// counting is a store that counts what is read of it and can do something in the middle of a reading.
type counting struct {
	task.Memory
	lineages, gets int
	meanwhile      func()
}

func (s *counting) Lineage(ctx context.Context, id canon.TaskID) ([]*task.Task, error) {
	s.lineages++
	lineage, err := s.Memory.Lineage(ctx, id)
	if s.meanwhile != nil {
		s.meanwhile()
	}
	return lineage, err
}

func (s *counting) Get(ctx context.Context, id canon.TaskID) (*task.Task, error) {
	s.gets++
	return s.Memory.Get(ctx, id)
}

func chain(t *testing.T, s task.Store, length int) []*task.Task {
	var list []*task.Task
	n := task.Node{Role: task.User, Content: task.Content{Message: "hi"}}
	for len(list) < length {
		sealed, err := task.Seal(n)
		require.NoError(t, err)
		list = append(list, sealed)
		n.Parent = sealed.ID
	}
	require.NoError(t, s.Import(t.Context(), list))
	return list
}

func TestWalkingDownAChatReadsItsLineageOnce(t *testing.T) {
	s := new(counting)
	list := chain(t, s, 200)
	scopes := task.NewScopes(s)
	_, err := scopes.Below(t.Context(), list[199].ID)
	require.NoError(t, err)
	for _, one := range list {
		_, err := scopes.Below(t.Context(), one.ID)
		require.NoError(t, err)
	}
	require.Equal(t, 1, s.lineages)
}

func TestWhatIsErasedWhileItIsReadIsNotRemembered(t *testing.T) {
	s := new(counting)
	list := chain(t, s, 3)
	scopes := task.NewScopes(s)
	s.meanwhile = func() {
		require.NoError(t, s.Erase(t.Context(), list[0].ID))
		scopes.Forget()
	}
	_, err := scopes.Below(t.Context(), list[2].ID)
	require.NoError(t, err, "the reading began before")
	s.meanwhile = nil
	_, err = scopes.Below(t.Context(), list[2].ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
}

type nest []nest

func TestWhatCannotBeReadBackIsNotProvenByBeingSealed(t *testing.T) {
	deep := nest{}
	for range 200 {
		deep = nest{deep}
	}
	tree := any("end")
	for range 100 {
		tree = []any{tree}
	}
	for _, arguments := range []any{deep, canon.Raw("null"), map[string]any{"a": tree}} {
		sealed, err := task.Seal(task.Node{Role: task.Function, Content: task.Content{FunctionCall: &task.FunctionCall{
			Name: "a", Arguments: arguments, Tool: canon.SumTool([]byte("a"))}}})
		if err != nil {
			continue
		}
		require.Equal(t, fault.InvalidTask, fault.CodeOf(new(task.Memory).Put(t.Context(), sealed)), "%T", arguments)
	}
}
