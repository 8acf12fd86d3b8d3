package task

import (
	"context"
	"slices"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Memory is a Store that lives as long as its engine. It keeps tasks as bytes, and gives out what it reads from them. Of records it keeps the latest 64 MiB or so. The zero value is ready to use.
type Memory struct {
	mu       sync.Mutex
	tasks    map[canon.TaskID]Sealed
	records  map[canon.TaskID][]Record
	children map[canon.TaskID][]canon.TaskID
	pins     map[canon.ToolID]int
	order    []weighed // the records, oldest first
	weight   int       // of all of them
}

// Put implements Store.
func (m *Memory) Put(_ context.Context, t *Task) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if kept, ok := m.tasks[t.ID]; ok && kept.Bytes == t.sealed.Bytes {
		return nil
	}
	verified, err := Verified(t)
	if err != nil {
		return err
	}
	if _, kept := m.tasks[verified.Parent]; !kept && !verified.Parent.IsZero() {
		return Orphan(verified.Parent)
	}
	m.keep(verified)
	return nil
}

// Import implements Store.
func (m *Memory) Import(_ context.Context, tasks []*Task) error {
	verified, outside, err := Admissible(tasks)
	if err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, parent := range outside {
		if _, kept := m.tasks[parent]; !kept {
			return Orphan(parent)
		}
	}
	for _, t := range verified {
		if _, kept := m.tasks[t.ID]; !kept {
			m.keep(t)
		}
	}
	return nil
}

func (m *Memory) keep(t Sealed) {
	if m.tasks == nil {
		m.tasks, m.records = map[canon.TaskID]Sealed{}, map[canon.TaskID][]Record{}
		m.children, m.pins = map[canon.TaskID][]canon.TaskID{}, map[canon.ToolID]int{}
	}
	m.tasks[t.ID] = t
	m.children[t.Parent] = append(m.children[t.Parent], t.ID)
	if !t.Pin.IsZero() {
		m.pins[t.Pin]++
	}
}

// Get implements Store.
func (m *Memory) Get(_ context.Context, id canon.TaskID) (*Task, error) {
	m.mu.Lock()
	t, kept := m.tasks[id]
	m.mu.Unlock()
	if !kept {
		return nil, Missing(id)
	}
	return Thaw(id, []byte(t.Bytes))
}

// Lineage implements Store.
func (m *Memory) Lineage(ctx context.Context, id canon.TaskID) ([]*Task, error) {
	return Climb(id, func(id canon.TaskID) (*Task, error) { return m.Get(ctx, id) })
}

// Complete implements Store.
func (m *Memory) Complete(_ context.Context, r *Record) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, kept := m.tasks[r.Task]
	if !kept {
		return Missing(r.Task)
	}
	if err := Admit(t, r); err != nil {
		return err
	}
	m.records[r.Task] = append(m.records[r.Task], *r)
	bytes := weightOf(r)
	m.order, m.weight = append(m.order, weighed{r.Task, bytes}), m.weight+bytes
	m.makeRoom()
	return nil
}

// Records implements Store.
func (m *Memory) Records(_ context.Context, id canon.TaskID) ([]*Record, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []*Record
	for _, r := range m.records[id] {
		if err := Admit(m.tasks[id], &r); err != nil {
			return nil, fault.New(fault.Corrupt, "record of task %s: %s", id, err)
		}
		out = append(out, &r)
	}
	return out, nil
}

// Children implements Store.
func (m *Memory) Children(_ context.Context, id canon.TaskID) ([]canon.TaskID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.children[id]), nil
}

// Pins implements Store.
func (m *Memory) Pins(_ context.Context, tool canon.ToolID) (bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.pins[tool] > 0, nil
}

// Erase implements Store.
func (m *Memory) Erase(_ context.Context, root canon.TaskID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	t, kept := m.tasks[root]
	if !kept {
		return nil
	}
	m.children[t.Parent] = slices.DeleteFunc(m.children[t.Parent], func(id canon.TaskID) bool { return id == root })
	gone := map[canon.TaskID]bool{}
	for doomed := []canon.TaskID{root}; len(doomed) > 0; {
		id := doomed[len(doomed)-1]
		doomed = append(doomed[:len(doomed)-1], m.children[id]...)
		if pin := m.tasks[id].Pin; !pin.IsZero() {
			m.pins[pin]--
		}
		gone[id] = true
		delete(m.tasks, id)
		delete(m.records, id)
		delete(m.children, id)
	}
	m.order = slices.DeleteFunc(m.order, func(w weighed) bool {
		if gone[w.task] {
			m.weight -= w.bytes
		}
		return gone[w.task]
	})
	return nil
}

// Clear implements Store.
func (m *Memory) Clear(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tasks, m.records, m.children, m.pins, m.order, m.weight = nil, nil, nil, nil, nil, 0
	return nil
}
