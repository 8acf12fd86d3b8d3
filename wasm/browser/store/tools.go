//go:build js && wasm

package store

import (
	"context"
	"unicode/utf8"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// Tools implements registry.Store. It keeps UTF-8 only, as all definitions are.
type Tools struct{ s *Store }

// Tools is the part that keeps revisions, bindings, settings and blocks.
func (s *Store) Tools() *Tools { return &Tools{s} }

var (
	revisionByID       = object{revisions, "id"}
	revisionByName     = object{revisions, "name"}
	bindingByName      = object{bindings, "name"}
	bindingByRevision  = object{bindings, "revision"}
	settingsByID       = object{settings, "id"}
	settingsByRevision = object{settings, "revision"}
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
	return k.ids(ctx, revisionByName, name)
}

// Installed implements registry.Store.
func (k *Tools) Installed(ctx context.Context) ([]canon.ToolID, error) {
	return k.ids(ctx, object{store: revisions})
}

func (k *Tools) ids(ctx context.Context, of object, key ...any) ([]canon.ToolID, error) {
	found, err := k.all(ctx, "list revisions", of, key...)
	if err != nil {
		return nil, err
	}
	ids := make([]canon.ToolID, len(found))
	for i, r := range found {
		if ids[i], err = canon.ParseToolID(r.text("id")); err != nil {
			return nil, fault.New(fault.Corrupt, "store: revision %.80q is none", r.text("id"))
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

// Erase implements registry.Store.
func (k *Tools) Erase(ctx context.Context, id canon.ToolID) error {
	if id.IsZero() {
		return nil // the zero revision of a binding is no revision
	}
	return k.s.transact(ctx, "readwrite", "erase a revision", []any{tasks, revisions, bindings, settings}, func(t *transaction) {
		t.request(taskByTool, "getKey", func(key safejs.Value) {
			if !key.IsUndefined() {
				t.fail(registry.StillPinned(id))
			}
		}, id.String())
		t.request(bindingByRevision, "getAll", func(result safejs.Value) {
			found := rowsOf(result)
			for _, r := range found {
				name := r.text("name")
				t.last(bindingByName, k.s.only(name), func(active row, _ safejs.Value) {
					if active.text("revision") == id.String() {
						t.fail(registry.StillActive(id, name))
					}
				})
			}
			// Requests are carried out in order: what every name means is read before a binding goes.
			for _, r := range found {
				t.remove(bindings, r)
			}
		}, id.String())
		t.request(settingsByRevision, "getAll", func(result safejs.Value) {
			for _, r := range rowsOf(result) {
				t.remove(settings, r)
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
	stores := []any{revisions, bindings, settings, blocks}
	return k.s.transact(ctx, "readwrite", "clear tools", stores, func(t *transaction) {
		for _, store := range stores {
			t.request(object{store: store.(string)}, "clear", nil)
		}
	})
}
