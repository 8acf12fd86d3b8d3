//go:build js && wasm

package store

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Shelf implements shelf.Store. Keys are kept as bytes, which the browser orders as such: it orders texts by UTF-16, and some bytes are
// no text.
type Shelf struct{ s *Store }

// Shelf is the part that keeps what belongs to no task and no revision.
func (s *Store) Shelf() *Shelf { return &Shelf{s} }

var shelves = object{store: shelved}

// Get implements shelf.Store.
func (k *Shelf) Get(ctx context.Context, key string) (value []byte, err error) {
	name, err := k.s.bytes([]byte(key))
	if err != nil {
		return nil, err
	}
	err = k.s.transact(ctx, "readonly", "read the shelf", []any{shelved}, func(t *transaction) {
		t.request(shelves, "get", func(result safejs.Value) {
			var unreadable error
			if value, unreadable = k.s.held(key, result); unreadable != nil {
				t.fail(unreadable)
			}
		}, name)
	})
	if err == nil && value == nil {
		err = shelf.Missing(key)
	}
	return value, err
}

// held is the value of a row, nil where there is none.
func (s *Store) held(key string, result safejs.Value) ([]byte, error) {
	if result.IsUndefined() {
		return nil, nil
	}
	value, ok := s.read(result)
	if !ok {
		return nil, fault.New(fault.Corrupt, "store: what is under %.80q are no bytes", key)
	}
	return value, nil
}

// Put implements shelf.Store, in one transaction. Requests are carried out in order: what is checked is read before anything is put.
func (k *Shelf) Put(ctx context.Context, changes ...shelf.Change) error {
	if err := shelf.Fit(changes); err != nil {
		return err
	}
	keys, values := make([]safejs.Value, len(changes)), make([]safejs.Value, len(changes))
	for i, c := range changes {
		var err error
		if keys[i], err = k.s.bytes([]byte(c.Key)); err != nil {
			return err
		}
		if values[i], err = k.s.bytes(c.Value); err != nil {
			return err
		}
	}
	return k.s.transact(ctx, "readwrite", "change the shelf", []any{shelved}, func(t *transaction) {
		for i, c := range changes {
			if !c.Check {
				continue
			}
			t.request(shelves, "get", func(result safejs.Value) {
				held, err := k.s.held(c.Key, result)
				if err == nil && !c.Holds(held) {
					err = shelf.Changed(c.Key)
				}
				if err != nil {
					t.fail(err)
				}
			}, keys[i])
		}
		for i, c := range changes {
			if c.Value == nil {
				t.request(shelves, "delete", nil, keys[i])
			} else {
				t.request(shelves, "put", nil, values[i], keys[i])
			}
		}
	})
}

// List implements shelf.Store.
func (k *Shelf) List(ctx context.Context, prefix, after string, most int) ([]shelf.Row, error) {
	within, some, err := k.s.span(prefix, after)
	if err != nil || !some {
		return nil, err
	}
	var keys, values []row
	err = k.s.transact(ctx, "readonly", "list the shelf", []any{shelved}, func(t *transaction) {
		t.request(shelves, "getAllKeys", func(result safejs.Value) { keys = rowsOf(result) }, within, max(0, most)) // 0: all
		t.request(shelves, "getAll", func(result safejs.Value) { values = rowsOf(result) }, within, max(0, most))
	})
	if err != nil {
		return nil, err
	}
	if len(keys) != len(values) {
		return nil, fault.New(fault.Unavailable, "store: list the shelf: the browser gave %d keys and %d values; try again", len(keys), len(values))
	}
	rows := make([]shelf.Row, len(keys))
	for i := range keys {
		view, err := k.s.views.New(keys[i].js)
		if err != nil {
			return nil, fault.Wrap(fault.Unavailable, err, "store: list the shelf")
		}
		name, _ := k.s.read(view)
		rows[i].Key = string(name)
		if rows[i].Value, err = k.s.held(rows[i].Key, values[i].js); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// Clear implements shelf.Store.
func (k *Shelf) Clear(ctx context.Context, prefix string) error {
	within, some, err := k.s.span(prefix, "")
	if err != nil {
		return err
	}
	return k.s.transact(ctx, "readwrite", "clear the shelf", []any{shelved}, func(t *transaction) {
		switch {
		case prefix == "":
			t.request(shelves, "clear", nil)
		case some:
			t.request(shelves, "delete", nil, within)
		}
	})
}

// span is the range of the keys with a prefix after a key, if there can be some: the browser makes no empty ranges.
func (s *Store) span(prefix, after string) (within safejs.Value, some bool, err error) {
	from, to := shelf.Span(prefix, after)
	if from >= to {
		return safejs.Value{}, false, nil
	}
	first, err := s.bytes([]byte(from))
	if err != nil {
		return safejs.Value{}, false, err
	}
	end, err := s.bytes([]byte(to))
	if err == nil {
		within, err = s.ranges.Call("bound", first, end, false, true)
	}
	if err != nil {
		return safejs.Value{}, false, fault.Wrap(fault.Unavailable, err, "store: make a range")
	}
	return within, true, nil
}

// bytes makes a Uint8Array, and read reads one; anything else is not ok.
func (s *Store) bytes(of []byte) (safejs.Value, error) {
	made, err := s.views.New(len(of))
	if err == nil {
		_, err = safejs.CopyBytesToJS(made, of)
	}
	if err != nil {
		return safejs.Value{}, fault.Wrap(fault.Unavailable, err, "store: make bytes")
	}
	return made, nil
}

func (s *Store) read(view safejs.Value) (value []byte, ok bool) {
	defer func() {
		if recover() != nil { // asking some foreign values for their type panics
			value, ok = nil, false
		}
	}()
	if is, err := view.InstanceOf(s.views); err != nil || !is {
		return nil, false
	}
	n, err := view.Length()
	if err != nil {
		return nil, false
	}
	value = make([]byte, n)
	_, err = safejs.CopyBytesToGo(value, view)
	return value, err == nil
}
