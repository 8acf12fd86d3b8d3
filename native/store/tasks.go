package store

import (
	"context"
	"database/sql"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Tasks implements task.Store.
type Tasks struct{ s *Store }

// Put implements task.Store.
func (k *Tasks) Put(ctx context.Context, t *task.Task) error {
	v, err := task.Verified(t)
	if err != nil {
		return err
	}
	return typed(put(ctx, k.s.statements[putTask], v), "put a task")
}

// Import implements task.Store.
func (k *Tasks) Import(ctx context.Context, tasks []*task.Task) error {
	verified, _, err := task.Admissible(tasks)
	if err != nil {
		return err
	}
	return typed(k.s.change(ctx, func(tx *sql.Tx) error {
		insert := tx.StmtContext(ctx, k.s.statements[putTask])
		for _, v := range verified {
			if err := put(ctx, insert, v); err != nil {
				return err
			}
		}
		return nil
	}), "import tasks")
}

func put(ctx context.Context, insert *sql.Stmt, v task.Sealed) error {
	_, err := insert.ExecContext(ctx, v.ID.String(), orNull(v.Parent.String()), orNull(v.Pin.String()), v.Bytes)
	if isCode(err, sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY) {
		return task.Orphan(v.Parent)
	}
	return err
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

// Get implements task.Store.
func (k *Tasks) Get(ctx context.Context, id canon.TaskID) (*task.Task, error) {
	rows, err := k.s.texts(ctx, getTask, 2, id.String())
	if err != nil {
		return nil, typed(err, "read a task")
	}
	if len(rows) == 0 {
		return nil, task.Missing(id)
	}
	return task.Thaw(id, []byte(rows[0][1]))
}

// Lineage implements task.Store, in one query.
func (k *Tasks) Lineage(ctx context.Context, id canon.TaskID) ([]*task.Task, error) {
	rows, err := k.s.texts(ctx, lineage, 2, id.String())
	if err != nil {
		return nil, typed(err, "read a lineage")
	}
	nodes := make(map[string]string, len(rows))
	for _, row := range rows {
		nodes[row[0]] = row[1]
	}
	return task.Climb(id, func(id canon.TaskID) (*task.Task, error) {
		node, here := nodes[id.String()]
		if !here {
			return k.Get(ctx, id)
		}
		return task.Thaw(id, []byte(node))
	})
}

// Children implements task.Store.
func (k *Tasks) Children(ctx context.Context, id canon.TaskID) ([]canon.TaskID, error) {
	rows, err := k.s.texts(ctx, children, 2, orNull(id.String()))
	if err != nil {
		return nil, typed(err, "read children")
	}
	var ids []canon.TaskID
	for _, row := range rows {
		child, err := canon.ParseTaskID(row[0])
		if err != nil {
			return nil, fault.New(fault.Corrupt, "task %s: child %.80q is no task", id, row[0])
		}
		t, err := task.Thaw(child, []byte(row[1]))
		if err != nil {
			return nil, err
		}
		if t.Parent != id {
			return nil, fault.New(fault.Corrupt, "task %s: is stored under another parent than its own", child)
		}
		ids = append(ids, child)
	}
	return ids, nil
}

// Complete implements task.Store. A task never changes, so that what was admitted by it holds until it is erased.
func (k *Tasks) Complete(ctx context.Context, r *task.Record) error {
	t, err := k.Get(ctx, r.Task)
	if err != nil {
		return err
	}
	digest, text, err := task.FreezeRecord(t, r)
	if err != nil {
		return err
	}
	_, err = k.s.statements[putRecord].ExecContext(ctx, t.ID.String(), digest, text)
	if isCode(err, sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY) {
		return task.Missing(t.ID)
	}
	return typed(err, "keep a record")
}

// Records implements task.Store.
func (k *Tasks) Records(ctx context.Context, id canon.TaskID) ([]*task.Record, error) {
	rows, err := k.s.texts(ctx, records, 2, id.String())
	if err != nil || len(rows) == 0 {
		return nil, typed(err, "read records")
	}
	t, err := k.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]*task.Record, len(rows))
	for i, row := range rows {
		if out[i], err = task.ThawRecord(t, row[0], []byte(row[1])); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Pins implements task.Store.
func (k *Tasks) Pins(ctx context.Context, tool canon.ToolID) (bool, error) {
	rows, err := k.s.texts(ctx, pins, 1, tool.String())
	return len(rows) > 0, typed(err, "look for pins")
}

// Erase implements task.Store.
func (k *Tasks) Erase(ctx context.Context, root canon.TaskID) error {
	_, err := k.s.statements[eraseTasks].ExecContext(ctx, root.String())
	if err == nil {
		err = k.s.scrub(ctx)
	}
	return typed(err, "erase tasks")
}

// Clear implements task.Store.
func (k *Tasks) Clear(ctx context.Context) error {
	_, err := k.s.statements[clearTasks].ExecContext(ctx)
	if err == nil {
		err = k.s.scrub(ctx)
	}
	return typed(err, "clear tasks")
}
