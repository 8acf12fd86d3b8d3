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
	bindings  map[string][]Binding
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

// Bind implements Store.
func (m *Memory) Bind(_ context.Context, b Binding) error {
	m.mu.Lock()
	defer m.mu.Unlock()
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

// Names implements Store.
func (m *Memory) Names(context.Context) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.bindings)), nil
}

// Erase implements Store.
func (m *Memory) Erase(_ context.Context, id canon.ToolID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, history := range m.bindings {
		if history[len(history)-1].Revision == id {
			return StillActive(id, name)
		}
	}
	for name, history := range m.bindings {
		m.bindings[name] = slices.DeleteFunc(history, func(b Binding) bool { return b.Revision == id })
	}
	for name, ids := range m.installed {
		m.installed[name] = slices.DeleteFunc(ids, func(kept canon.ToolID) bool { return kept == id })
	}
	delete(m.revisions, id)
	return nil
}

// Clear implements Store.
func (m *Memory) Clear(context.Context) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.revisions, m.installed, m.bindings = nil, nil, nil
	return nil
}
