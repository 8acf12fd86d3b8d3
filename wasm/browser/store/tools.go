//go:build js && wasm

package store

import (
	"context"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// Tools implements registry.Store. It keeps UTF-8 only, as all definitions are.
type Tools struct{ s *Store }

// Tools is the part that keeps revisions and bindings.
func (s *Store) Tools() *Tools { return &Tools{s} }

var (
	revisionByID      = object{revisions, "id"}
	revisionByName    = object{revisions, "name"}
	bindingByName     = object{bindings, "name"}
	bindingByRevision = object{bindings, "revision"}
)

// askedToPersist is remembered in meta when the browser was asked to keep this site's data.
const askedToPersist = "asked to persist"

// PutRevision implements registry.Store. The first one ever asks the browser not to evict this site's data.
func (k *Tools) PutRevision(ctx context.Context, id canon.ToolID, name string, bytes []byte) error {
	if err := registry.Proven(id, bytes); err != nil {
		return err
	}
	if !utf8.Valid(bytes) {
		return fault.New(fault.InvalidDefinition, "revision %s: is not UTF-8", id)
	}
	first := false
	err := k.s.transact(ctx, "readwrite", "keep a revision", []any{revisions, meta}, func(t *transaction) {
		t.add(revisions, map[string]any{"id": id.String(), "name": name, "definition": string(bytes)})
		t.request(object{store: meta}, "getKey", func(key safejs.Value) {
			if first = key.IsUndefined(); first {
				t.request(object{store: meta}, "put", nil, true, askedToPersist)
			}
		}, askedToPersist)
	})
	if err == nil && first {
		go persist(context.WithoutCancel(ctx))
	}
	return err
}

// persist asks once. The answer is the browser's or the user's, and changes nothing here.
func persist(ctx context.Context) {
	v, err := safejs.Global().Get("navigator")
	if err == nil {
		v, err = v.Get("storage")
	}
	if exists, _ := v.Truthy(); err != nil || !exists {
		return
	}
	if asked, err := v.Call("persist"); err == nil {
		_, _ = jsbind.Await(ctx, asked)
	}
}

// Revision implements registry.Store.
func (k *Tools) Revision(ctx context.Context, id canon.ToolID) ([]byte, error) {
	var found safejs.Value
	err := k.s.transact(ctx, "readonly", "read a revision", []any{revisions}, func(t *transaction) {
		t.request(revisionByID, "get", func(result safejs.Value) { found = result }, id.String())
	})
	if err != nil {
		return nil, err
	}
	if found.IsUndefined() {
		return nil, registry.Missing(id)
	}
	bytes := []byte(row{found}.text("definition"))
	if err := registry.Proven(id, bytes); err != nil {
		return nil, err
	}
	return bytes, nil
}

// Revisions implements registry.Store.
func (k *Tools) Revisions(ctx context.Context, name string) ([]canon.ToolID, error) {
	found, err := k.all(ctx, "list revisions", revisionByName, name)
	if err != nil {
		return nil, err
	}
	ids := make([]canon.ToolID, len(found))
	for i, r := range found {
		if ids[i], err = canon.ParseToolID(r.text("id")); err != nil {
			return nil, fault.New(fault.Corrupt, "tool %q: revision %.80q is none", name, r.text("id"))
		}
	}
	return ids, nil
}

// all reads the rows with that key of an index, or all rows of an object store.
func (k *Tools) all(ctx context.Context, doing string, of object, key ...any) (found []row, err error) {
	err = k.s.transact(ctx, "readonly", doing, []any{of.store}, func(t *transaction) {
		t.request(of, "getAll", func(result safejs.Value) { found = rowsOf(result) }, key...)
	})
	return found, err
}

// Bind implements registry.Store.
func (k *Tools) Bind(ctx context.Context, b registry.Binding) error {
	return k.s.transact(ctx, "readwrite", "bind a name", []any{bindings}, func(t *transaction) {
		t.request(object{store: bindings}, "add", nil,
			map[string]any{"name": b.Name, "revision": b.Revision.String(), "at": b.At.UTC().Format(time.RFC3339Nano)})
	})
}

// Bindings implements registry.Store.
func (k *Tools) Bindings(ctx context.Context, name string) ([]registry.Binding, error) {
	found, err := k.all(ctx, "read bindings", bindingByName, name)
	if err != nil {
		return nil, err
	}
	list := make([]registry.Binding, len(found))
	for i, r := range found {
		id, unreadable := canon.ParseToolID(r.text("revision"))
		at, undated := time.Parse(time.RFC3339Nano, r.text("at"))
		if unreadable != nil || undated != nil {
			return nil, fault.New(fault.Corrupt, "tool %q: binding %d to %.80q at %.40q is none", name, i+1, r.text("revision"), r.text("at"))
		}
		list[i] = registry.Binding{Name: name, Revision: id, At: at.UTC()}
	}
	return list, nil
}

// Names implements registry.Store.
func (k *Tools) Names(ctx context.Context) ([]string, error) {
	found, err := k.all(ctx, "list names", object{store: bindings})
	list := make([]string, len(found))
	for i, r := range found {
		list[i] = r.text("name")
	}
	slices.Sort(list)
	return slices.Compact(list), err
}

// Erase implements registry.Store.
func (k *Tools) Erase(ctx context.Context, id canon.ToolID) error {
	return k.s.transact(ctx, "readwrite", "erase a revision", []any{tasks, revisions, bindings}, func(t *transaction) {
		t.request(taskByTool, "getKey", func(key safejs.Value) {
			if !key.IsUndefined() {
				t.fail(registry.StillPinned(id))
			}
		}, id.String())
		t.request(bindingByRevision, "getAll", func(result safejs.Value) {
			found := rowsOf(result)
			for _, r := range found {
				name := r.text("name")
				t.request(bindingByName, "getAll", func(history safejs.Value) {
					if all := rowsOf(history); len(all) > 0 && all[len(all)-1].text("revision") == id.String() {
						t.fail(registry.StillActive(id, name))
					}
				}, name)
			}
			// Requests are carried out in order: every history is read before a binding goes.
			for _, r := range found {
				t.remove(bindings, r)
			}
		}, id.String())
		t.request(revisionByID, "get", func(result safejs.Value) {
			if !result.IsUndefined() {
				t.remove(revisions, row{result})
			}
		}, id.String())
	})
}

// Clear implements registry.Store.
func (k *Tools) Clear(ctx context.Context) error {
	return k.s.transact(ctx, "readwrite", "clear tools", []any{revisions, bindings}, func(t *transaction) {
		t.request(object{store: revisions}, "clear", nil)
		t.request(object{store: bindings}, "clear", nil)
	})
}
