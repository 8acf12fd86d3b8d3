//go:build js && wasm

package store

import (
	"context"
	"sort"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// Bind implements registry.Store.
func (k *Tools) Bind(ctx context.Context, b registry.Binding, before canon.ToolID) error {
	return k.s.transact(ctx, "readwrite", "bind a name", []any{bindings}, func(t *transaction) {
		t.last(bindingByName, k.s.only(b.Name), func(active row, _ safejs.Value) {
			if active.text("revision") != before.String() {
				t.fail(registry.Moved(b.Name))
			}
			t.request(object{store: bindings}, "add", nil,
				map[string]any{"name": b.Name, "revision": b.Revision.String(), "at": written(b.At)})
		})
	})
}

// Bindings implements registry.Store.
func (k *Tools) Bindings(ctx context.Context, name string) ([]registry.Binding, error) {
	found, err := k.all(ctx, "read bindings", bindingByName, name)
	if err != nil {
		return nil, err
	}
	return bindingsOf(found)
}

// Active implements registry.Store.
func (k *Tools) Active(ctx context.Context, name string) (registry.Binding, error) {
	var found row
	err := k.s.transact(ctx, "readonly", "read a binding", []any{bindings}, func(t *transaction) {
		t.last(bindingByName, k.s.only(name), func(r row, _ safejs.Value) { found = r })
	})
	if err != nil || found.js.IsUndefined() {
		return registry.Binding{}, err
	}
	return bindingOf(found)
}

// Bound implements registry.Store. It takes a request for each name and reads no history.
func (k *Tools) Bound(ctx context.Context) ([]registry.Binding, error) {
	var found []row
	err := k.s.transact(ctx, "readonly", "list names", []any{bindings}, func(t *transaction) {
		var next func(keys any)
		next = func(keys any) {
			t.last(bindingByName, keys, func(r row, name safejs.Value) {
				if !r.js.IsUndefined() {
					found = append(found, r)
					next(k.s.below(name))
				}
			})
		}
		next(nil)
	})
	if err != nil {
		return nil, err
	}
	list, err := bindingsOf(found)
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name }) // the browser's order is of UTF-16
	return list, err
}

func bindingsOf(found []row) ([]registry.Binding, error) {
	list := make([]registry.Binding, len(found))
	for i, r := range found {
		var err error
		if list[i], err = bindingOf(r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func bindingOf(r row) (registry.Binding, error) {
	b := registry.Binding{Name: r.text("name")}
	unreadable := b.Revision.UnmarshalText([]byte(r.text("revision")))
	at, undated := r.at()
	if unreadable != nil || undated != nil {
		return registry.Binding{}, fault.New(fault.Corrupt, "tool %q: a binding to %.80q at %.40q is none", b.Name, r.text("revision"), r.text("at"))
	}
	b.At = at
	return b, nil
}
