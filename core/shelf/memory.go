package shelf

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Memory is a Store that lives as long as its engine. The zero value is ready to use.
type Memory struct {
	mu   sync.Mutex
	rows map[string][]byte
}

// Get implements Store.
func (m *Memory) Get(ctx context.Context, key string) ([]byte, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	value, kept := m.rows[key]
	if !kept {
		return nil, Missing(key)
	}
	return bytes.Clone(value), nil
}

// Put implements Store.
func (m *Memory) Put(ctx context.Context, changes ...Change) error {
	if err := ended(ctx); err != nil {
		return err
	}
	if err := Fit(changes); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range changes {
		if !c.Holds(m.rows[c.Key]) {
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
			m.rows[c.Key] = bytes.Clone(c.Value)
		}
	}
	return nil
}

// List implements Store.
func (m *Memory) List(ctx context.Context, prefix, after string, most int) ([]Row, error) {
	if err := ended(ctx); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	var keys []string
	for key := range m.rows {
		if strings.HasPrefix(key, prefix) && key > after {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	if most > 0 && len(keys) > most {
		keys = keys[:most]
	}
	rows := make([]Row, len(keys))
	for i, key := range keys {
		rows[i] = Row{key, bytes.Clone(m.rows[key])}
	}
	return rows, nil
}

// Clear implements Store.
func (m *Memory) Clear(ctx context.Context, prefix string) error {
	if err := ended(ctx); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.rows, func(key string, _ []byte) bool { return strings.HasPrefix(key, prefix) })
	return nil
}

func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fault.New(fault.Aborted, "store: %v", err)
	}
	return nil
}
