// Package shelftest is the contract of shelf.Store, run by every implementation.
package shelftest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

func put(t *testing.T, s shelf.Store, key, value string) {
	require.NoError(t, s.Put(t.Context(), shelf.Change{Key: key, Value: []byte(value)}))
}

// all are the rows that begin with a prefix.
func all(t *testing.T, s shelf.Store, prefix string) []shelf.Row {
	rows, err := s.List(t.Context(), prefix, "", 0)
	require.NoError(t, err)
	return rows
}

func keys(rows []shelf.Row) []string {
	list := []string{}
	for _, r := range rows {
		list = append(list, r.Key)
	}
	return list
}

// holds requires that a key holds exactly that.
func holds(t *testing.T, s shelf.Store, key, want string) {
	got, err := s.Get(t.Context(), key)
	require.NoError(t, err)
	require.NotNil(t, got, "a value that is there is not nil")
	require.Equal(t, want, string(got))
}

// nothing requires that nothing stands under a key.
func nothing(t *testing.T, s shelf.Store, key string) {
	_, err := s.Get(t.Context(), key)
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "%v", err)
}

// bytesOfEveryKind are what a store that keeps texts would spoil.
func bytesOfEveryKind() map[string]string {
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(i)
	}
	return map[string]string{"empty": "", "zero": "\x00", "every": string(every), "no UTF-8": "\xff\xfe\xc3(", "é": "é😀\u2028", "large": strings.Repeat("\x00\xffx", 100_000)}
}

// Store runs the contract over fresh, empty stores.
func Store(t *testing.T, open func(*testing.T) shelf.Store) {
	t.Run("a value comes back byte for byte, whatever its bytes are", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		for name, want := range bytesOfEveryKind() {
			value := []byte(want)
			require.NoError(t, s.Put(ctx, shelf.Change{Key: name, Value: value}))
			if len(value) > 0 {
				value[0]++ // the caller's slice is the caller's
			}
			holds(t, s, name, want)
			got, err := s.Get(ctx, name)
			require.NoError(t, err)
			if len(got) > 0 {
				got[0]++
			}
			holds(t, s, name, want) // what was handed out is a copy
		}
		for _, r := range all(t, s, "") {
			require.NotNil(t, r.Value, r.Key)
			require.Equal(t, bytesOfEveryKind()[r.Key], string(r.Value), r.Key)
			if len(r.Value) > 0 {
				r.Value[0]++
			}
			holds(t, s, r.Key, bytesOfEveryKind()[r.Key])
		}
		require.Len(t, all(t, s, ""), len(bytesOfEveryKind()))
	})
	t.Run("a value is replaced and taken away, and taking away what is not there is no error", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		nothing(t, s, "a")
		nothing(t, s, "")
		put(t, s, "a", "longer")
		put(t, s, "ab", "other")
		put(t, s, "a", "new")
		holds(t, s, "a", "new")
		require.Len(t, all(t, s, ""), 2)
		for range 2 {
			require.NoError(t, s.Put(ctx, shelf.Change{Key: "a"}))
			nothing(t, s, "a")
			holds(t, s, "ab", "other")
		}
		require.NoError(t, s.Put(ctx))
	})
	t.Run("a value of no bytes is a value, and not absence", func(t *testing.T) {
		s := open(t)
		put(t, s, "a", "")
		holds(t, s, "a", "")
		require.Equal(t, []shelf.Row{{Key: "a", Value: []byte{}}}, all(t, s, ""))
	})
	t.Run("a key of no bytes or of one too many is refused with all that comes with it, and the largest is not", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		largest := strings.Repeat("\xff", shelf.KeyBytes)
		for _, bad := range []string{"", largest + "x"} {
			for _, value := range [][]byte{[]byte("x"), nil} {
				err := s.Put(ctx, shelf.Change{Key: "a", Value: []byte("x"), Check: true, Before: []byte("no")}, shelf.Change{Key: bad, Value: value})
				require.Equal(t, fault.TooLarge, fault.CodeOf(err), "%v", err)
			}
			nothing(t, s, bad)
		}
		require.Empty(t, all(t, s, ""))
		put(t, s, largest, "x")
		holds(t, s, largest, "x")
		require.Equal(t, []string{largest}, keys(all(t, s, "")))
		require.Equal(t, []string{largest}, keys(all(t, s, largest)))
		require.NoError(t, s.Clear(ctx, "\xff"))
		nothing(t, s, largest)
	})
	t.Run("nothing is done for a caller who has given up", func(t *testing.T) {
		s := open(t)
		put(t, s, "a", "x")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, get := s.Get(ctx, "a")
		_, list := s.List(ctx, "", "", 0)
		for what, err := range map[string]error{
			"get": get, "list": list, "clear": s.Clear(ctx, ""),
			"put": s.Put(ctx, shelf.Change{Key: "b", Value: []byte("x")}, shelf.Change{Key: "a"}),
		} {
			require.Equal(t, fault.Aborted, fault.CodeOf(err), "%s: %v", what, err)
		}
		require.Equal(t, []shelf.Row{{Key: "a", Value: []byte("x")}}, all(t, s, ""))
	})
	changing(t, open)
	listing(t, open)
	many(t, open)
}
