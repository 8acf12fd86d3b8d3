package task

import (
	"context"
	"slices"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Memory is a Store that lives as long as its engine. It keeps tasks as it verified them, in values
// that nobody else holds, and gives out copies. The zero value is ready to use.
type Memory struct {
	mu       sync.Mutex
	tasks    map[canon.TaskID]*Task
	records  map[canon.TaskID][]*Record
	children map[canon.TaskID][]canon.TaskID
}

// Put implements Store.
func (m *Memory) Put(_ context.Context, t *Task) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if kept, ok := m.tasks[t.ID]; ok && kept.bytes == t.bytes {
		return nil
	}
	verified, err := Thaw(t.ID, []byte(t.bytes))
	if err != nil {
		return fault.New(fault.InvalidTask, "put: %s", err)
	}
	if _, kept := m.tasks[t.Parent]; !kept && !t.Parent.IsZero() {
		return fault.At(fault.NotFound, "$.parent", "task %s: its parent %s is not here", t.ID, t.Parent)
	}
	if m.tasks == nil {
		m.tasks, m.records, m.children = map[canon.TaskID]*Task{}, map[canon.TaskID][]*Record{}, map[canon.TaskID][]canon.TaskID{}
	}
	m.tasks[t.ID] = verified
	m.children[t.Parent] = append(m.children[t.Parent], t.ID)
	return nil
}

// Get implements Store.
func (m *Memory) Get(_ context.Context, id canon.TaskID) (*Task, error) {
	t, err := m.task(id)
	if err != nil {
		return nil, err
	}
	return Thaw(id, []byte(t.bytes))
}

// task returns the store's own value, which nobody else may hold.
func (m *Memory) task(id canon.TaskID) (*Task, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, kept := m.tasks[id]
	if !kept {
		return nil, fault.New(fault.NotFound, "task %s: not in this store", id)
	}
	return t, nil
}

// Complete implements Store.
func (m *Memory) Complete(_ context.Context, r *Record) error {
	t, err := m.task(r.Task)
	if err != nil {
		return err
	}
	if err := Admit(t, r); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.records[r.Task] = append(m.records[r.Task], r)
	return nil
}

// Records implements Store.
func (m *Memory) Records(_ context.Context, id canon.TaskID) ([]*Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.records[id]), nil
}

// Children implements Store.
func (m *Memory) Children(_ context.Context, id canon.TaskID) ([]canon.TaskID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.children[id]), nil
}
