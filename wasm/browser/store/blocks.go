//go:build js && wasm

package store

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// Block implements registry.Store.
func (k *Tools) Block(ctx context.Context, b registry.Block) error {
	id := b.Revision.String()
	return k.s.transact(ctx, "readwrite", "block a revision", []any{blocks}, func(t *transaction) {
		t.request(object{store: blocks}, "put", nil, map[string]any{"revision": id, "reason": b.Reason, "at": written(b.At)}, id)
	})
}

// Unblock implements registry.Store.
func (k *Tools) Unblock(ctx context.Context, id canon.ToolID) error {
	return k.s.transact(ctx, "readwrite", "unblock a revision", []any{blocks}, func(t *transaction) {
		t.request(object{store: blocks}, "delete", nil, id.String())
	})
}

// Blocked implements registry.Store.
func (k *Tools) Blocked(ctx context.Context, id canon.ToolID) (registry.Block, error) {
	var found safejs.Value
	err := k.s.transact(ctx, "readonly", "read a block", []any{blocks}, func(t *transaction) {
		t.request(object{store: blocks}, "get", func(result safejs.Value) { found = result }, id.String())
	})
	if err != nil || found.IsUndefined() {
		return registry.Block{}, err
	}
	return blockOf(row{found})
}

// Blocks implements registry.Store. The browser's order of keys is that of their text: they are ASCII.
func (k *Tools) Blocks(ctx context.Context) ([]registry.Block, error) {
	found, err := k.all(ctx, "list blocks", object{store: blocks})
	if err != nil {
		return nil, err
	}
	list := make([]registry.Block, len(found))
	for i, r := range found {
		if list[i], err = blockOf(r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func blockOf(r row) (registry.Block, error) {
	id, unreadable := canon.ParseToolID(r.text("revision"))
	at, undated := r.at()
	if unreadable != nil || undated != nil {
		return registry.Block{}, fault.New(fault.Corrupt, "store: a block of %.80q at %.40q is none", r.text("revision"), r.text("at"))
	}
	return registry.Block{Revision: id, Reason: r.text("reason"), At: at}, nil
}
