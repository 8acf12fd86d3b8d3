package shelf

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
)

// Memory is a Store that lives as long as its engine. The zero value is ready to use.
type Memory struct {
	mu   sync.Mutex
	rows map[string][]byte
}

// Get implements Store.
func (m *Memory) Get(_ context.Context, key string) ([]byte, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	value, kept := m.rows[key]
	if !kept {
		return nil, Missing(key)
	}
	return bytes.Clone(value), nil
}

// Put implements Store.
func (m *Memory) Put(_ context.Context, changes ...Change) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range changes {
		if err := Fits(c.Key); err != nil {
			return err
		}
		value, kept := m.rows[c.Key]
		if c.Check && (kept != (c.Before != nil) || !bytes.Equal(value, c.Before)) {
			return Changed(c.Key)
		}
	}
	if m.rows == nil {
		m.rows = map[string][]byte{}
	}
	for _, c := range changes {
		if c.Value == nil {
			delete(m.rows, c.Key)
		} else {
			m.rows[c.Key] = append([]byte{}, c.Value...)
		}
	}
	return nil
}

// List implements Store.
func (m *Memory) List(_ context.Context, prefix, after string, most int) ([]Row, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var rows []Row
	for _, key := range slices.Sorted(maps.Keys(m.rows)) {
		if strings.HasPrefix(key, prefix) && key > after {
			if rows = append(rows, Row{key, bytes.Clone(m.rows[key])}); len(rows) == most {
				break
			}
		}
	}
	return rows, nil
}

// Clear implements Store.
func (m *Memory) Clear(_ context.Context, prefix string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.rows, func(key string, _ []byte) bool { return strings.HasPrefix(key, prefix) })
	return nil
}
