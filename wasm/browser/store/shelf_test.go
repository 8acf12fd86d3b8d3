//go:build js && wasm

package store_test

import (
	"crypto/rand"
	"os"
	"testing"

	"github.com/hack-pad/safejs"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/store"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// done asks IndexedDB as somebody with the developer tools would, and waits for an event of what it answers with.
func done(t *testing.T, on safejs.Value, event, method string, args ...any) safejs.Value {
	scope := new(jsbind.Scope)
	defer scope.Close()
	request, err := on.Call(method, args...)
	require.NoError(t, err)
	heard := make(chan bool, 1)
	require.NoError(t, scope.Listen(request, event, func(safejs.Value) { heard <- true }))
	<-heard
	result, err := request.Get("result")
	require.NoError(t, err)
	return result
}

func factory(t *testing.T) safejs.Value {
	value, err := safejs.Global().Get("indexedDB")
	require.NoError(t, err)
	return value
}

func change(key, value string) shelf.Change { return shelf.Change{Key: key, Value: []byte(value)} }

func TestARowOfTheShelfThatIsNoBytesIsRefusedWithItsKey(t *testing.T) {
	inPage(t)
	name, ctx := fresh(), t.Context()
	s := opened(t, name).Shelf()
	class, err := safejs.Global().Get("Uint8Array")
	require.NoError(t, err)
	for _, edited := range []any{"text", 7, nil, map[string]any{"length": 1e15}, []any{1, 2}} {
		require.NoError(t, s.Put(ctx, change("a", "whole"), change("b", "edited")))
		key, err := class.New(1)
		require.NoError(t, err)
		require.NoError(t, key.SetIndex(0, int('b')))
		db := done(t, factory(t), "success", "open", name)
		transaction, err := db.Call("transaction", "shelf", "readwrite")
		require.NoError(t, err)
		table, err := transaction.Call("objectStore", "shelf")
		require.NoError(t, err)
		done(t, table, "success", "put", edited, key)
		done(t, table, "success", "put", edited, "a key that is a text")
		_, err = db.Call("close")
		require.NoError(t, err)

		_, get := s.Get(ctx, "b")
		_, list := s.List(ctx, "", "", 0)
		checked := s.Put(ctx, shelf.Change{Key: "a"}, shelf.Change{Key: "b", Check: true, Before: []byte("edited")})
		for _, err := range []error{get, list, checked} {
			require.Equal(t, fault.Corrupt, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, `"b"`)
		}
		rows, err := s.List(ctx, "", "", 1)
		require.NoError(t, err, "another row is read")
		require.Equal(t, []shelf.Row{{Key: "a", Value: []byte("whole")}}, rows)
	}
	require.NoError(t, s.Put(ctx, change("b", "again")))
	rows, err := s.List(ctx, "", "", 0)
	require.NoError(t, err)
	require.Len(t, rows, 2, "a text is no key of ours")
}

func TestAShelfWhoseDatabaseIsDeletedOrClosedSaysSo(t *testing.T) {
	inPage(t)
	for title, row := range map[string]struct {
		end  func(name string, s *store.Store)
		code fault.Code
		text string
	}{
		"deleted": {func(name string, _ *store.Store) { done(t, factory(t), "success", "deleteDatabase", name) }, fault.Unavailable, "reload this page"},
		"closed":  {func(_ string, s *store.Store) { s.Close() }, fault.Closed, "was closed"},
	} {
		t.Run(title, func(t *testing.T) {
			name, ctx := fresh(), t.Context()
			whole := opened(t, name)
			s := whole.Shelf()
			require.NoError(t, s.Put(ctx, change("a", "x")))
			row.end(name, whole)
			_, get := s.Get(ctx, "a")
			_, list := s.List(ctx, "", "", 0)
			for what, err := range map[string]error{"get": get, "list": list, "put": s.Put(ctx, change("a", "y")), "clear": s.Clear(ctx, "")} {
				require.Equal(t, row.code, fault.CodeOf(err), "%s: %v", what, err)
				require.ErrorContains(t, err, row.text)
			}
		})
	}
}

// e2e/store.spec.ts gives the page little room, and says so.
func TestAShelfForWhichThereIsNoRoomSaysSoAndKeepsWhatItHas(t *testing.T) {
	if os.Getenv("LITTLE_ROOM") == "" {
		t.Skip("e2e/store.spec.ts runs this in a page that has little room")
	}
	name, ctx := fresh(), t.Context()
	s := opened(t, name).Shelf()
	require.NoError(t, s.Put(ctx, change("a", "before")))
	large := make([]byte, 1<<20)
	_, _ = rand.Read(large) // nobody can compress it away
	err := s.Put(ctx, change("a", "after"), shelf.Change{Key: "b", Value: large})
	require.Equal(t, fault.TooLarge, fault.CodeOf(err), "%v", err)
	require.ErrorContains(t, err, "free disk space")
	for range 2 {
		rows, err := s.List(ctx, "", "", 0)
		require.NoError(t, err)
		require.Equal(t, []shelf.Row{{Key: "a", Value: []byte("before")}}, rows)
		s = opened(t, name).Shelf()
	}
	require.NoError(t, s.Put(ctx, change("a", "small")), "what fits is still kept")
}
