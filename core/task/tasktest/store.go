// Package tasktest is the contract of task.Store, run by every implementation. Laws 1 and 2 stand at the store's own door.
package tasktest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Call makes a sealed executable task that is pinned to the revision named.
func Call(t *testing.T, parent canon.TaskID, revision string) *task.Task {
	sealed, err := task.Seal(task.Node{Role: task.Function, Parent: parent, Content: task.Content{FunctionCall: &task.FunctionCall{
		Name: "a", Arguments: map[string]any{"x": nil}, Tool: canon.SumTool([]byte(revision))}}})
	require.NoError(t, err)
	return sealed
}

// Message makes a sealed message.
func Message(t *testing.T, parent canon.TaskID, text string) *task.Task {
	sealed, err := task.Seal(task.Node{Role: task.User, Parent: parent, Content: task.Content{Message: text}})
	require.NoError(t, err)
	return sealed
}

// Store runs the contract over fresh, empty stores.
func Store(t *testing.T, open func(*testing.T) task.Store) {
	none := canon.TaskID{}
	t.Run("a task comes back as it was put, and putting it again changes nothing", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		call := Call(t, none, "r")
		require.NoError(t, s.Put(ctx, call))
		require.NoError(t, s.Put(ctx, call))
		got, err := s.Get(ctx, call.ID)
		require.NoError(t, err)
		require.Equal(t, call, got)
		children, err := s.Children(ctx, none)
		require.NoError(t, err)
		require.Equal(t, []canon.TaskID{call.ID}, children)
	})
	t.Run("a task that was never put is not found", func(t *testing.T) {
		_, err := open(t).Get(t.Context(), canon.SumTask([]byte("x")))
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
	})
	t.Run("an id that is not the hash of the node is refused", func(t *testing.T) {
		s, forged := open(t), *Call(t, none, "r")
		forged.ID = canon.SumTask([]byte("x"))
		require.Equal(t, fault.InvalidTask, fault.CodeOf(s.Put(t.Context(), &forged)))
		_, err := s.Get(t.Context(), forged.ID)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
	})
	t.Run("an executable task without a pinned revision is refused", func(t *testing.T) {
		s := open(t)
		loose, err := task.Seal(task.Node{Role: task.Function, Content: task.Content{FunctionCall: &task.FunctionCall{Name: "a", Arguments: map[string]any{}}}})
		require.NoError(t, err)
		require.Equal(t, fault.InvalidTask, fault.CodeOf(s.Put(t.Context(), loose)))
		_, err = s.Get(t.Context(), loose.ID)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
	})
	t.Run("a parent must be there first, and children keep their order", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		root := Message(t, none, "hello")
		first, second := Call(t, root.ID, "1"), Call(t, root.ID, "2")
		require.Equal(t, fault.NotFound, fault.CodeOf(s.Put(ctx, first)))
		for _, each := range []*task.Task{root, second, first} {
			require.NoError(t, s.Put(ctx, each))
		}
		children, err := s.Children(ctx, root.ID)
		require.NoError(t, err)
		require.Equal(t, []canon.TaskID{second.ID, first.ID}, children)
		lineage, err := task.Lineage(ctx, s, first.ID)
		require.NoError(t, err)
		require.Equal(t, []*task.Task{root, first}, lineage)
	})
	t.Run("records are kept in order", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		call := Call(t, none, "r")
		require.NoError(t, s.Put(ctx, call))
		for _, outcome := range []task.Outcome{task.Timeout, task.OK} {
			require.NoError(t, s.Complete(ctx, &task.Record{Task: call.ID, Tool: call.Content.FunctionCall.Tool, Outcome: outcome}))
		}
		records, err := s.Records(ctx, call.ID)
		require.NoError(t, err)
		require.Len(t, records, 2)
		require.Equal(t, task.Timeout, records[0].Outcome)
		require.Equal(t, task.OK, records[1].Outcome)
	})
	t.Run("no record without the very revision that its task is pinned to", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		call, message := Call(t, none, "r"), Message(t, none, "hello")
		require.NoError(t, s.Put(ctx, call))
		require.NoError(t, s.Put(ctx, message))
		for _, row := range []struct {
			record task.Record
			code   fault.Code
		}{
			{task.Record{Task: call.ID, Outcome: task.OK}, fault.InvalidTask},
			{task.Record{Task: call.ID, Outcome: task.OK, Tool: canon.SumTool([]byte("other"))}, fault.Conflict},
			{task.Record{Task: message.ID, Outcome: task.OK, Tool: canon.SumTool([]byte("r"))}, fault.InvalidTask},
			{task.Record{Task: canon.SumTask([]byte("x")), Outcome: task.OK, Tool: canon.SumTool([]byte("r"))}, fault.NotFound},
		} {
			require.Equal(t, row.code, fault.CodeOf(s.Complete(ctx, &row.record)))
			records, err := s.Records(ctx, row.record.Task)
			require.NoError(t, err)
			require.Empty(t, records)
		}
	})
}
