//go:build js && wasm

package store_test

import (
	"fmt"
	"testing"

	"github.com/hack-pad/safejs"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/registry/registrytest"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/shelf/shelftest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/task/tasktest"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/store"
)

// These tests run in a page: e2e/store.spec.ts. Under Node there is no IndexedDB, and the one test for that runs.

func inPage(t *testing.T) {
	if db, err := safejs.Global().Get("indexedDB"); err != nil || db.IsUndefined() {
		t.Skip("no IndexedDB here; e2e/store.spec.ts runs this in a page")
	}
}

func TestWithoutIndexedDBOpeningSaysSo(t *testing.T) {
	if db, err := safejs.Global().Get("indexedDB"); err == nil && !db.IsUndefined() {
		t.Skip("IndexedDB is here")
	}
	_, err := store.Open(t.Context(), "x")
	require.True(t, store.Absent(err), "%v", err)
}

var databases int

func fresh() string {
	databases++
	return fmt.Sprint("test ", databases)
}

func opened(t *testing.T, name string) *store.Store {
	s, err := store.Open(t.Context(), name)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func TestIndexedDBKeepsTheStoreContracts(t *testing.T) {
	inPage(t)
	tasktest.Store(t, func(t *testing.T) task.Store { return opened(t, fresh()).Tasks() })
	registrytest.Store(t, func(t *testing.T) registry.Store { return opened(t, fresh()).Tools() })
	tasktest.Shared(t, func(t *testing.T) (a, b task.Store) {
		name := fresh()
		return opened(t, name).Tasks(), opened(t, name).Tasks()
	})
	registrytest.Shared(t, func(t *testing.T) (a, b registry.Store) {
		name := fresh()
		return opened(t, name).Tools(), opened(t, name).Tools()
	})
	shelftest.Store(t, func(t *testing.T) shelf.Store { return opened(t, fresh()).Shelf() })
	shelftest.Shared(t, func(t *testing.T) (a, b shelf.Store) {
		name := fresh()
		return opened(t, name).Shelf(), opened(t, name).Shelf()
	})
	shelftest.Lasting(t, func(t *testing.T) (shelf.Store, func() shelf.Store) {
		name := fresh()
		s := opened(t, name)
		return s.Shelf(), func() shelf.Store {
			s.Close()
			return opened(t, name).Shelf()
		}
	})
}
