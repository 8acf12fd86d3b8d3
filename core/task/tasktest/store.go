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

// Chain makes a root and its descendants, one under the other, n tasks in all.
func Chain(t *testing.T, n int, text string) []*task.Task {
	chain, parent := make([]*task.Task, n), canon.TaskID{}
	for i := range chain {
		chain[i] = Message(t, parent, text)
		parent = chain[i].ID
	}
	return chain
}

// Complete runs a call on paper: its record is ok with that result.
func Complete(t *testing.T, s task.Store, call *task.Task, result any) {
	record := &task.Record{Task: call.ID, Tool: call.Content.FunctionCall.Tool, Outcome: task.OK, Started: true, Result: result}
	require.NoError(t, s.Complete(t.Context(), record))
}

// Gone requires that nothing of a task is left.
func Gone(t *testing.T, s task.Store, ids ...canon.TaskID) {
	for _, id := range ids {
		_, err := s.Get(t.Context(), id)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		records, err := s.Records(t.Context(), id)
		require.NoError(t, err)
		require.Empty(t, records)
		children, err := s.Children(t.Context(), id)
		require.NoError(t, err)
		require.Empty(t, children)
	}
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
		lineage, err := s.Lineage(ctx, first.ID)
		require.NoError(t, err)
		require.Equal(t, []*task.Task{root, first}, lineage)
		_, err = s.Lineage(ctx, canon.SumTask([]byte("x")))
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
	})
	t.Run("a record comes back as it was completed, whatever its result holds", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		call := Call(t, none, "r")
		require.NoError(t, s.Put(ctx, call))
		var deep any = "bottom"
		for range 64 {
			deep = map[string]any{"$t": "map", "v": []any{[]any{"k", deep}}}
		}
		record := &task.Record{Task: call.ID, Tool: call.Content.FunctionCall.Tool, Outcome: task.OK, Started: true, Isolation: "browser",
			Result: map[string]any{"deep": deep, "null": nil, "n": 0.1, "text": "\u0000 \u2028 é 😀"}, Logs: []task.LogLine{{Level: "log", Text: "x"}},
			StartedAt: "2026-01-02T03:04:05.000Z", DurationMs: 1.5, QueuedMs: 0.25}
		failed := &task.Record{Task: call.ID, Tool: call.Content.FunctionCall.Tool, Outcome: task.ToolError,
			Error: &task.Failure{Code: task.ToolError, Message: "m", Line: 3, Value: map[string]any{"$t": "undefined"}}}
		for i, want := range []*task.Record{record, failed} {
			text, err := want.JSON()
			require.NoError(t, err)
			require.NoError(t, s.Complete(ctx, want))
			records, err := s.Records(ctx, call.ID)
			require.NoError(t, err)
			got, err := records[i].JSON()
			require.NoError(t, err)
			require.Equal(t, text, got)
		}
		record.Tool = canon.SumTool([]byte("other")) // the caller's value is the caller's
		records, err := s.Records(ctx, call.ID)
		require.NoError(t, err)
		require.Equal(t, call.Content.FunctionCall.Tool, records[0].Tool)
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
	many(t, open)
}
