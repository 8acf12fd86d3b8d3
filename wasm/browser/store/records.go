//go:build js && wasm

package store

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Complete implements task.Store. A task never changes, so that what was admitted by it holds until it is erased, and that is
// looked at again when the record is written.
func (k *Tasks) Complete(ctx context.Context, r *task.Record) error {
	kept, err := k.Get(ctx, r.Task)
	if err != nil {
		return err
	}
	digest, text, err := task.FreezeRecord(kept, r)
	if err != nil {
		return err
	}
	id := kept.ID.String()
	return k.s.transact(ctx, "readwrite", "keep a record", []any{tasks, records}, func(t *transaction) {
		t.request(taskByID, "getKey", func(key safejs.Value) {
			if key.IsUndefined() {
				t.fail(task.Missing(kept.ID))
			}
		}, id)
		// Records go only when all records of their task go, so that their number is the next free one.
		t.request(object{store: records}, "count", func(n safejs.Value) {
			t.request(object{store: records}, "add", nil, map[string]any{"digest": digest, "record": text}, []any{id, n})
		}, k.s.under(id))
	})
}

// Records implements task.Store.
func (k *Tasks) Records(ctx context.Context, id canon.TaskID) ([]*task.Record, error) {
	var found []row
	err := k.s.transact(ctx, "readonly", "read records", []any{records}, func(t *transaction) {
		t.request(object{store: records}, "getAll", func(result safejs.Value) { found = rowsOf(result) }, k.s.under(id.String()))
	})
	if err != nil || len(found) == 0 {
		return nil, err
	}
	kept, err := k.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out := make([]*task.Record, len(found))
	for i, r := range found {
		if out[i], err = task.ThawRecord(kept, r.text("digest"), []byte(r.text("record"))); err != nil {
			return nil, err
		}
	}
	return out, nil
}
