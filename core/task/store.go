package task

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Store keeps tasks and records. tasktest is its contract. Every implementation holds laws 1 and 2 at its own door.
type Store interface {
	// Put keeps a task. Putting it again changes nothing. An id that is not the hash of the node, or an executable node
	// without a pinned revision, is invalid_task; a parent that is not here is not_found.
	Put(ctx context.Context, t *Task) error
	// Get returns a task, hashed again on the way out: not_found, or corrupt with its id.
	Get(ctx context.Context, id canon.TaskID) (*Task, error)
	// Complete appends a record to its task, after Admit.
	Complete(ctx context.Context, r *Record) error
	// Records returns the records of a task, oldest first.
	Records(ctx context.Context, id canon.TaskID) ([]*Record, error)
	// Children returns the ids of the tasks whose parent is id, in the order in which they were put.
	Children(ctx context.Context, id canon.TaskID) ([]canon.TaskID, error)
}

// Lineage returns the task and its ancestors, the root first.
func Lineage(ctx context.Context, s Store, id canon.TaskID) ([]*Task, error) {
	var up []*Task
	for !id.IsZero() {
		t, err := s.Get(ctx, id)
		if err != nil {
			return nil, err
		}
		up = append(up, t)
		id = t.Parent
	}
	for i, j := 0, len(up)-1; i < j; i, j = i+1, j-1 {
		up[i], up[j] = up[j], up[i]
	}
	return up, nil
}
