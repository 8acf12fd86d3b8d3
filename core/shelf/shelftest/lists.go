package shelftest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// awkward are keys whose order is another one by UTF-16, by letters, by texts that end at a zero byte, or not at all by texts, in
// the order that they must have.
var awkward = []string{
	"\x00", "\x00\x00", "B", "a", "a\x00", "a\x00b", "a%2F", "a/", "a/\xff", "a/\xff\xff", "a/\xff\xff\x00", "a0", "aa", "b", "\x7f", "\xc3(", "é", "é/é",
	"\uffff", "😀", "😀/", "\xff", "\xff\x00", "\xff\xff",
}

// listing is the part of the contract that is about the order of keys and what begins with a prefix.
func listing(t *testing.T, open func(*testing.T) shelf.Store) {
	shelved := func(t *testing.T) shelf.Store {
		s := open(t)
		require.True(t, slices.IsSorted(awkward))
		var changes []shelf.Change
		for i := range awkward {
			key := awkward[(i*7)%len(awkward)] // in no order: 7 and their number share no divisor
			changes = append(changes, shelf.Change{Key: key, Value: []byte("of " + key)})
		}
		require.NoError(t, s.Put(t.Context(), changes...))
		return s
	}
	t.Run("rows are listed in the order of the bytes of their keys, each with its value", func(t *testing.T) {
		rows := all(t, shelved(t), "")
		require.Equal(t, awkward, keys(rows))
		for _, r := range rows {
			require.Equal(t, "of "+r.Key, string(r.Value))
		}
	})
	t.Run("a list holds what begins with its prefix and comes after a key, and no more than was asked for", func(t *testing.T) {
		s, ctx := shelved(t), t.Context()
		texts := []string{"", "\x00", "A", "a", "a/", "a/\xff", "a/\xff\xff", "a1", "é", "\xef", "\uffff", "😀", "\xff", "\xff\xff", "\xff\xff\xff"}
		for _, prefix := range texts {
			for _, after := range texts {
				var want []string
				for _, key := range awkward {
					if strings.HasPrefix(key, prefix) && key > after {
						want = append(want, key)
					}
				}
				for _, most := range []int{0, 1, 2} {
					got, err := s.List(ctx, prefix, after, most)
					require.NoError(t, err)
					expected := want
					if most > 0 && len(want) > most {
						expected = want[:most]
					}
					require.Equal(t, append([]string{}, expected...), keys(got), "prefix %q after %q at most %d", prefix, after, most)
				}
			}
		}
	})
	t.Run("clearing takes what begins with a prefix and nothing else", func(t *testing.T) {
		for _, prefix := range []string{"a/", "a/\xff", "\xff", "é", "\x00", "A", "", strings.Repeat("\xff", 2*shelf.KeyBytes)} {
			s := shelved(t)
			var want []string
			for _, key := range awkward {
				if !strings.HasPrefix(key, prefix) {
					want = append(want, key)
				}
			}
			for range 2 { // what is not there is no error
				require.NoError(t, s.Clear(t.Context(), prefix))
				require.Equal(t, append([]string{}, want...), keys(all(t, s, "")), "%q", prefix)
			}
			if prefix == "é" {
				put(t, s, "é", "again") // and it is as good as new
				holds(t, s, "é", "again")
			}
		}
	})
	t.Run("what a tool names does not reach another tool's keys", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		own := shelf.Key("storage", "one", "a/b%2Fc")
		other := shelf.Key("storage", "one/a", "b")
		put(t, s, own, "own")
		put(t, s, other, "other")
		require.Equal(t, []string{own}, keys(all(t, s, shelf.Under("storage", "one"))))
		require.Equal(t, []string{"storage", "one", "a/b%2Fc"}, shelf.Words(own))
		require.NoError(t, s.Clear(ctx, shelf.Under("storage", "one")))
		require.Equal(t, []string{other}, keys(all(t, s, "")))
	})
}

const plenty = 10_000

// many is the part of the contract that is about many rows.
func many(t *testing.T, open func(*testing.T) shelf.Store) {
	row := func(n int) shelf.Change {
		return shelf.Change{Key: shelf.Key("storage", fmt.Sprintf("%05d", n)), Value: []byte(fmt.Sprint(n))}
	}
	var changes []shelf.Change
	for n := range plenty {
		changes = append(changes, row(plenty-1-n))
	}
	t.Run("10,000 rows are put, listed page by page and cleared, each in one step", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "before")
		put(t, s, "storage0", "behind")
		late := shelf.Change{Key: "storage/z", Value: []byte("x"), Check: true, Before: []byte("x")}
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Put(ctx, append(slices.Clone(changes), late)...)))
		require.Len(t, all(t, s, ""), 2, "the last one conflicts, so none is there")
		require.NoError(t, s.Put(ctx, changes...))
		holds(t, s, row(4711).Key, "4711")
		got := 0
		for after := ""; ; {
			page, err := s.List(ctx, "storage/", after, 3000)
			require.NoError(t, err)
			for _, r := range page {
				require.Equal(t, row(got).Key, r.Key)
				require.Equal(t, string(row(got).Value), string(r.Value))
				got, after = got+1, r.Key
			}
			if len(page) < 3000 {
				break
			}
		}
		require.Equal(t, plenty, got)
		require.Len(t, all(t, s, ""), plenty+2)
		require.NoError(t, s.Clear(ctx, "storage/"))
		require.Equal(t, []string{"a", "storage0"}, keys(all(t, s, "")))
	})
	t.Run("a caller who gives up in the middle leaves all of it or nothing, and is told which", func(t *testing.T) {
		s := open(t)
		for range 5 {
			ctx, cancel := context.WithCancel(t.Context())
			go cancel()
			err := s.Put(ctx, changes[:1000]...)
			if want := 0; err == nil {
				want = 1000
				require.Len(t, all(t, s, ""), want)
			} else {
				require.Equal(t, fault.Aborted, fault.CodeOf(err), "%v", err)
				require.Len(t, all(t, s, ""), want)
			}
			require.NoError(t, s.Clear(t.Context(), ""))
		}
	})
}
