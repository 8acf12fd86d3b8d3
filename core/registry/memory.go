package registry

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Memory is a Store that lives as long as its engine. The zero value is ready to use.
type Memory struct {
	mu        sync.Mutex
	revisions map[canon.ToolID][]byte
	installed map[string][]canon.ToolID
	order     []canon.ToolID // of all revisions
	bindings  map[string][]Binding
	settings  map[canon.ToolID][]Kept // each with its own bytes, so that they can go with their revision
	blocks    map[canon.ToolID]Block
}

// PutRevision implements Store.
func (m *Memory) PutRevision(_ context.Context, id canon.ToolID, name string, text []byte) error {
	if err := Proven(id, text); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, kept := m.revisions[id]; kept {
		return nil
	}
	if m.revisions == nil {
		m.revisions, m.installed = map[canon.ToolID][]byte{}, map[string][]canon.ToolID{}
	}
	m.revisions[id] = bytes.Clone(text)
	m.installed[name] = append(m.installed[name], id)
	m.order = append(m.order, id)
	return nil
}

// Revision implements Store.
func (m *Memory) Revision(_ context.Context, id canon.ToolID) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	text, kept := m.revisions[id]
	if !kept {
		return nil, Missing(id)
	}
	return bytes.Clone(text), Proven(id, text)
}

// Revisions implements Store.
func (m *Memory) Revisions(_ context.Context, name string) ([]canon.ToolID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.installed[name]), nil
}

// Installed implements Store.
func (m *Memory) Installed(context.Context) ([]canon.ToolID, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.order), nil
}

// Bind implements Store.
func (m *Memory) Bind(_ context.Context, b Binding, before canon.ToolID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.active(b.Name).Revision != before {
		return Moved(b.Name)
	}
	if m.bindings == nil {
		m.bindings = map[string][]Binding{}
	}
	m.bindings[b.Name] = append(m.bindings[b.Name], b)
	return nil
}

// Bindings implements Store.
func (m *Memory) Bindings(_ context.Context, name string) ([]Binding, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.bindings[name]), nil
}

// Active implements Store.
func (m *Memory) Active(_ context.Context, name string) (Binding, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.active(name), nil
}

func (m *Memory) active(name string) Binding {
	history := m.bindings[name]
	if len(history) == 0 {
		return Binding{}
	}
	return history[len(history)-1]
}

// Bound implements Store.
func (m *Memory) Bound(context.Context) ([]Binding, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Binding, 0, len(m.bindings))
	for _, name := range slices.Sorted(maps.Keys(m.bindings)) {
		list = append(list, m.active(name))
	}
	return list, nil
}

// Erase implements Store.
func (m *Memory) Erase(_ context.Context, id canon.ToolID) error {
	if id.IsZero() {
		return nil // the zero revision of a binding is no revision
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for name := range m.bindings {
		if m.active(name).Revision == id {
			return StillActive(id, name)
		}
	}
	for name, history := range m.bindings {
		m.bindings[name] = slices.DeleteFunc(history, func(b Binding) bool { return b.Revision == id })
	}
	for name, ids := range m.installed {
		m.installed[name] = slices.DeleteFunc(ids, func(kept canon.ToolID) bool { return kept == id })
	}
	m.order = slices.DeleteFunc(m.order, func(kept canon.ToolID) bool { return kept == id })
	delete(m.revisions, id)
	delete(m.settings, id)
	return nil
}

// Clear implements Store.
func (m *Memory) Clear(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.revisions, m.installed, m.order, m.bindings, m.settings, m.blocks = nil, nil, nil, nil, nil, nil
	return nil
}
