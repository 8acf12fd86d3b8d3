package registry

import (
	"bytes"
	"context"
	"sort"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// PutSettings implements Store.
func (m *Memory) PutSettings(_ context.Context, list ...Kept) error {
	for _, s := range list {
		if err := ProvenSettings(s.ID, s.Bytes); err != nil {
			return err
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.settings == nil {
		m.settings = map[canon.ToolID][]Kept{}
	}
	for _, s := range list {
		s.Bytes = bytes.Clone(s.Bytes)
		m.settings[s.Revision] = append(m.settings[s.Revision], s)
	}
	return nil
}

// Settings implements Store.
func (m *Memory) Settings(_ context.Context, id canon.SettingsID) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if id.IsZero() {
		return nil, MissingSettings(id)
	}
	for _, history := range m.settings {
		for _, row := range history {
			if row.ID == id {
				return bytes.Clone(row.Bytes), ProvenSettings(id, row.Bytes)
			}
		}
	}
	return nil, MissingSettings(id)
}

// Current implements Store.
func (m *Memory) Current(_ context.Context, revision canon.ToolID) (Setting, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	history := m.settings[revision]
	if len(history) == 0 {
		return Setting{}, nil
	}
	return history[len(history)-1].Setting, nil
}

// SettingsHistory implements Store.
func (m *Memory) SettingsHistory(_ context.Context, revision canon.ToolID) ([]Setting, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Setting
	for _, row := range m.settings[revision] {
		list = append(list, row.Setting)
	}
	return list, nil
}

// Block implements Store.
func (m *Memory) Block(_ context.Context, b Block) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.blocks == nil {
		m.blocks = map[canon.ToolID]Block{}
	}
	m.blocks[b.Revision] = b
	return nil
}

// Unblock implements Store.
func (m *Memory) Unblock(_ context.Context, id canon.ToolID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.blocks, id)
	return nil
}

// Blocked implements Store.
func (m *Memory) Blocked(_ context.Context, id canon.ToolID) (Block, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.blocks[id], nil
}

// Blocks implements Store.
func (m *Memory) Blocks(context.Context) ([]Block, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Block, 0, len(m.blocks))
	for _, b := range m.blocks {
		list = append(list, b)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Revision.String() < list[j].Revision.String() })
	return list, nil
}
