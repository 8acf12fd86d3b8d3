package tasktest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// many is the part of the contract that is about many tasks at once.
func many(t *testing.T, open func(*testing.T) task.Store) {
	none := canon.TaskID{}
	t.Run("a chat of 10,000 tasks is imported, read as a lineage and erased, each in one step", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		chain := Chain(t, 10_000, "deep")
		require.NoError(t, s.Import(ctx, chain))
		require.NoError(t, s.Import(ctx, chain[:10]), "importing again changes nothing")
		lineage, err := s.Lineage(ctx, chain[len(chain)-1].ID)
		require.NoError(t, err)
		require.Equal(t, chain, lineage)
		require.NoError(t, s.Erase(ctx, chain[0].ID))
		Gone(t, s, chain[0].ID, chain[5_000].ID, chain[len(chain)-1].ID)
		roots, err := s.Children(ctx, none)
		require.NoError(t, err)
		require.Empty(t, roots)
	})
	t.Run("an import that holds one bad task, or a child before its parent, stores nothing", func(t *testing.T) {
		chain := Chain(t, 4, "hello")
		forged := *chain[3]
		forged.ID = canon.SumTask([]byte("x"))
		for name, row := range map[string]struct {
			list []*task.Task
			code fault.Code
		}{
			"forged": {append(chain[:3:3], &forged), fault.InvalidTask},
			"order":  {[]*task.Task{chain[0], chain[2], chain[1]}, fault.NotFound},
			"orphan": {chain[1:], fault.NotFound},
		} {
			s := open(t)
			require.Equal(t, row.code, fault.CodeOf(s.Import(t.Context(), row.list)), name)
			for _, each := range row.list {
				Gone(t, s, each.ID)
			}
			roots, err := s.Children(t.Context(), none)
			require.NoError(t, err)
			require.Empty(t, roots, name)
		}
	})
	t.Run("an import may go on from what is here", func(t *testing.T) {
		s, chain := open(t), Chain(t, 4, "hello")
		require.NoError(t, s.Import(t.Context(), chain[:2]))
		require.NoError(t, s.Import(t.Context(), chain[1:]))
		lineage, err := s.Lineage(t.Context(), chain[3].ID)
		require.NoError(t, err)
		require.Equal(t, chain, lineage)
	})
	t.Run("erasing a task takes its descendants and their records, and leaves its parent and siblings", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		root := Message(t, none, "root")
		one, other := Call(t, root.ID, "1"), Call(t, root.ID, "2")
		below := Call(t, one.ID, "3")
		require.NoError(t, s.Import(ctx, []*task.Task{root, one, other, below}))
		for _, call := range []*task.Task{one, other, below} {
			Complete(t, s, call, "secret")
		}
		require.NoError(t, s.Erase(ctx, one.ID))
		require.NoError(t, s.Erase(ctx, one.ID), "what is not here is no error")
		Gone(t, s, one.ID, below.ID)
		children, err := s.Children(ctx, root.ID)
		require.NoError(t, err)
		require.Equal(t, []canon.TaskID{other.ID}, children)
		records, err := s.Records(ctx, other.ID)
		require.NoError(t, err)
		require.Len(t, records, 1)
		for revision, want := range map[string]bool{"1": false, "2": true, "3": false} {
			pins, err := s.Pins(ctx, canon.SumTool([]byte(revision)))
			require.NoError(t, err)
			require.Equal(t, want, pins, revision)
		}
		require.NoError(t, s.Erase(ctx, none), "no id is no task, not every task")
		_, err = s.Get(ctx, root.ID)
		require.NoError(t, err)
		require.NoError(t, s.Put(ctx, one), "what was erased may come back")
		records, err = s.Records(ctx, one.ID)
		require.NoError(t, err)
		require.Empty(t, records, "without its past")
	})
	t.Run("a tool that a chat names pins its revision as a call does, and what names none pins none", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		revision := canon.SumTool([]byte("named"))
		named, err := task.Seal(task.Node{Role: task.System, Content: task.Content{ToolDefinition: map[string]any{"name": "a", "tool": revision.String()}}})
		require.NoError(t, err)
		pinned := func(id canon.ToolID) bool {
			pins, err := s.Pins(ctx, id)
			require.NoError(t, err)
			return pins
		}
		require.NoError(t, s.Import(ctx, []*task.Task{named, Message(t, named.ID, "x")}))
		require.True(t, pinned(revision))
		require.False(t, pinned(canon.ToolID{}))
		require.NoError(t, s.Erase(ctx, named.ID))
		require.False(t, pinned(revision))
	})
	t.Run("clearing forgets everything", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		call := Call(t, none, "r")
		require.NoError(t, s.Put(ctx, call))
		Complete(t, s, call, "secret")
		require.NoError(t, s.Clear(ctx))
		Gone(t, s, call.ID)
		require.NoError(t, s.Put(ctx, call), "and is as good as new")
	})
}

// Shared runs what holds between two handles on one store, as in two tabs or processes.
func Shared(t *testing.T, open func(*testing.T) (a, b task.Store)) {
	t.Run("two handles may write at once, and both see all of it", func(t *testing.T) {
		a, b := open(t)
		ctx := t.Context()
		root := Call(t, canon.TaskID{}, "r")
		require.NoError(t, a.Put(ctx, root))
		const each = 20
		errs := make(chan error, 2)
		for i, s := range []task.Store{a, b} {
			var tasks []*task.Task
			for n := range each {
				tasks = append(tasks, Message(t, root.ID, fmt.Sprint(i, n)), Message(t, root.ID, fmt.Sprint("both", n)))
			}
			go func() {
				var err error
				for n := 0; n < len(tasks) && err == nil; n++ {
					record := &task.Record{Task: root.ID, Tool: root.Content.FunctionCall.Tool, Outcome: task.OK, Result: float64(n)}
					if err = s.Put(ctx, tasks[n]); err == nil {
						err = s.Complete(ctx, record)
					}
				}
				errs <- err
			}()
		}
		require.NoError(t, <-errs)
		require.NoError(t, <-errs)
		for _, s := range []task.Store{a, b} {
			children, err := s.Children(ctx, root.ID)
			require.NoError(t, err)
			require.Len(t, children, 3*each, "the same task from both is one")
			records, err := s.Records(ctx, root.ID)
			require.NoError(t, err)
			require.Len(t, records, 4*each, "no record of either is lost")
		}
	})
	t.Run("a child is never left without its parent, whatever two handles do at once", func(t *testing.T) {
		a, b := open(t)
		ctx := t.Context()
		for n := range 20 {
			root := Message(t, canon.TaskID{}, fmt.Sprint("root", n))
			child := Message(t, root.ID, "child")
			require.NoError(t, a.Put(ctx, root))
			put, erased := make(chan error, 1), make(chan error, 1)
			go func() { put <- a.Put(ctx, child) }()
			go func() { erased <- b.Erase(ctx, root.ID) }()
			require.NoError(t, <-erased)
			if err := <-put; err != nil {
				require.Equal(t, fault.NotFound, fault.CodeOf(err))
			}
			Gone(t, a, root.ID, child.ID)
		}
	})
}
