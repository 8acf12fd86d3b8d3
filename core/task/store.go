package task

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Store keeps tasks and records. tasktest is its contract. Every implementation holds laws 1 and 2 at its own door, on the way
// in and on the way out: what was changed in storage is corrupt, with its id. Each method is one change: whole or not at all.
type Store interface {
	// Put keeps a task. Putting it again changes nothing. An id that is not the hash of the node, or an executable node
	// without a pinned revision, is invalid_task; a parent that is not here is not_found.
	Put(ctx context.Context, t *Task) error
	// Import is Put for many, all or none. A parent is here already or stands in the list before its children.
	Import(ctx context.Context, tasks []*Task) error
	// Get returns a task, hashed again on the way out: not_found, or corrupt with its id.
	Get(ctx context.Context, id canon.TaskID) (*Task, error)
	// Lineage returns the task and its ancestors, the root first, each as by Get.
	Lineage(ctx context.Context, id canon.TaskID) ([]*Task, error)
	// Children returns the ids of the tasks whose parent is id, in the order in which they were put. The zero id lists the roots.
	Children(ctx context.Context, id canon.TaskID) ([]canon.TaskID, error)
	// Complete appends a record to its task, after Admit.
	Complete(ctx context.Context, r *Record) error
	// Records returns the records of a task, oldest first, after Admit: else corrupt. Their values are shared: read only.
	Records(ctx context.Context, id canon.TaskID) ([]*Record, error)
	// Pins tells whether any task is pinned to the revision.
	Pins(ctx context.Context, tool canon.ToolID) (bool, error)
	// Erase forgets a task, its descendants and the records of all of them. What is not here is no error.
	Erase(ctx context.Context, root canon.TaskID) error
	// Clear forgets everything.
	Clear(ctx context.Context) error
}

// Climb returns the lineage of id, the root first, by one get for each task: for stores that have no faster way. A get must
// verify what it returns; then a lineage cannot be a circle, since nothing holds its own hash.
func Climb(id canon.TaskID, get func(canon.TaskID) (*Task, error)) ([]*Task, error) {
	var up []*Task
	for more := true; more; more = !id.IsZero() {
		t, err := get(id)
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

// Admissible verifies a list for Import: each task as for Put, and every parent in the list before its child or in outside,
// the parents that the store must already have.
func Admissible(tasks []*Task) (verified []Sealed, outside []canon.TaskID, err error) {
	listed, asked := make(map[canon.TaskID]bool, len(tasks)), map[canon.TaskID]bool{}
	for _, t := range tasks {
		v, err := Verified(t)
		if err != nil {
			return nil, nil, err
		}
		if p := v.Parent; !p.IsZero() && !listed[p] && !asked[p] {
			asked[p] = true
			outside = append(outside, p)
		}
		if !listed[v.ID] {
			listed[v.ID] = true
			verified = append(verified, v)
		}
	}
	return verified, outside, nil
}

// Verified returns what a store keeps of a task: proven to be sound and to hash to its id, else invalid_task.
func Verified(t *Task) (Sealed, error) {
	if t.proven && t.sealed.ID == t.ID {
		return t.sealed, nil
	}
	v, err := Thaw(t.ID, []byte(t.sealed.Bytes))
	if err != nil {
		return Sealed{}, fault.New(fault.InvalidTask, "put: %s", err)
	}
	return v.sealed, nil
}

// Orphan is the error of a task whose parent is not in the store.
func Orphan(parent canon.TaskID) error {
	return fault.At(fault.NotFound, "$.parent", "task: its parent %s is not here", parent)
}

// Missing is the error of a task that is not in the store.
func Missing(id canon.TaskID) error {
	return fault.New(fault.NotFound, "task %s: not in this store", id)
}

// recordNesting leaves room for a result in tagged form, which nests up to three levels for each of its own 64.
const recordNesting = 3*64 + 16

// ThawRecord reads a record of t back from a store. A text that is no record, not the one that digest names, or not admitted by
// its task is corrupt.
func ThawRecord(t *Task, digest string, text []byte) (*Record, error) {
	if canon.SumFile(text).String() != digest {
		return nil, fault.New(fault.Corrupt, "record of task %s: stored bytes are not it", t.ID)
	}
	r := new(Record)
	err := canon.Unmarshal(text, r, recordNesting, fault.Corrupt)
	if err == nil {
		err = Admit(t.sealed, r)
	}
	if err != nil {
		return nil, fault.New(fault.Corrupt, "record of task %s: %s", t.ID, err)
	}
	return r, nil
}

// FreezeRecord writes a record for a store, after Admit, with the digest that ThawRecord checks.
func FreezeRecord(t *Task, r *Record) (digest, text string, err error) {
	if err := Admit(t.sealed, r); err != nil {
		return "", "", err
	}
	if text, err = r.JSON(); err != nil {
		return "", "", fault.Wrap(fault.InvalidValue, err, "record of task %s", t.ID)
	}
	return canon.SumFile([]byte(text)).String(), text, nil
}
