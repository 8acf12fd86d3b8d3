//go:build js && wasm

package browser

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/store"
)

// Where an engine of a page keeps what it is given.
const (
	InMemory    = "memory"    // until the engine is closed
	InIndexedDB = "indexeddb" // in this browser, for this origin
)

// Stores are an engine's stores. Close gives them up, after the engine and what still ran in it.
type Stores struct {
	Kind  string // what they are, which may be less than what was asked for
	Tools registry.Store
	Tasks task.Store
	Shelf shelf.Store
	Close func()

	asked string // what was asked for
	kept  *store.Store
}

// vault is the one of what these stores keep.
func (s *Stores) vault() (secret.Vault, bool) {
	if s == nil {
		return OpenVault(nil)
	}
	return OpenVault(s.kept)
}

// OpenStores opens the stores of that kind; none means memory. In a page without IndexedDB that kind gives memory, and Kind says so.
// Errors: invalid_request, and what store.Open gives when the database is there and cannot be used.
func OpenStores(ctx context.Context, kind string) (*Stores, error) {
	memory := &Stores{InMemory, new(registry.Memory), new(task.Memory), new(shelf.Memory), func() {}, kind, nil}
	switch kind {
	case "", InMemory:
		return memory, nil
	case InIndexedDB:
		opened, err := store.Open(ctx, store.Name)
		if store.Absent(err) {
			return memory, nil
		}
		if err != nil {
			return nil, err
		}
		return &Stores{InIndexedDB, opened.Tools(), opened.Tasks(), opened.Shelf(), opened.Close, kind, opened}, nil
	}
	return nil, fault.At(fault.InvalidRequest, "$.store", "options: $.store: %q is not offered here; use %q or %q", kind, InIndexedDB, InMemory)
}
