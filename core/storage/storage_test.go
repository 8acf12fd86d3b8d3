package storage_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/storage"
)

var (
	one  = canon.SumTool([]byte("one"))
	two  = canon.SumTool([]byte("two"))
	bare = canon.SumTool([]byte("declares nothing"))
	node = canon.SumTask([]byte("node"))
)

// over is an engine over a shelf, with limits of its own.
func over(kept shelf.Store, change func(*limits.Limits)) *storage.Store {
	l := limits.Default()
	if change != nil {
		change(&l)
	}
	return storage.New(storage.Options{Store: kept, Limits: l, Declares: func(_ context.Context, id canon.ToolID) (bool, error) {
		if id != one && id != two && id != bare {
			return false, fault.New(fault.NotFound, "no such revision")
		}
		return id != bare, nil
	}})
}

func area(t *testing.T, s *storage.Store, p storage.Place) *storage.Area {
	a, err := s.For(p, true)
	require.NoError(t, err)
	return a
}

func get(t *testing.T, a *storage.Area, key string) any {
	value, _, err := a.Get(t.Context(), key)
	require.NoError(t, err)
	return value
}

func usage(t *testing.T, s *storage.Store) []storage.Usage {
	list, err := s.List(t.Context())
	require.NoError(t, err)
	return list
}

func tagged(kind string, v any) any { return map[string]any{"$t": kind, "v": v} }

func TestAValueIsStoredInEveryFormThatTravelsAndOutlivesTheEngine(t *testing.T) {
	kept := new(shelf.Memory)
	a := area(t, over(kept, nil), storage.Place{Revision: one})
	values := map[string]any{"text": "ü", "null": nil, "number": 1.5, "list": []any{true, "x"}, "bytes": tagged("bytes", "AAEC"), "": nil,
		"undefined": map[string]any{"$t": "undefined"}, "doubled": map[string]any{"$$t": 1.0}, "map": tagged("map", []any{[]any{"a", tagged("date", nil)}})}
	delete(values, "")
	for key, value := range values {
		require.NoError(t, a.Set(t.Context(), key, value))
	}
	again := area(t, over(kept, nil), storage.Place{Revision: one})
	for key, value := range values {
		got, there, err := again.Get(t.Context(), key)
		require.NoError(t, err)
		require.True(t, there)
		require.Equal(t, value, got, key)
	}
	_, there, err := again.Get(t.Context(), "other")
	require.NoError(t, err)
	require.False(t, there)
	was, err := again.Delete(t.Context(), "null")
	require.NoError(t, err)
	require.True(t, was)
	was, err = again.Delete(t.Context(), "null")
	require.NoError(t, err)
	require.False(t, was)
	for _, bad := range []any{map[string]any{"$t": "what"}, map[string]any{"$x": 1.0}, tagged("bytes", "?")} {
		require.Equal(t, fault.InvalidValue, fault.CodeOf(a.Set(t.Context(), "k", bad)))
	}
}

func TestRevisionsPartitionsAndToolsOfChatsAreApart(t *testing.T) {
	s := over(new(shelf.Memory), nil)
	places := []storage.Place{{Revision: one}, {Revision: two}, {Revision: one, Partition: "-"}, {Revision: one, Partition: "a/b"}, {Revision: one, Partition: "a"},
		{Revision: one, Partition: "used"}, {Revision: one, Node: node}, {Revision: one, Partition: "a", Node: node}}
	for i, p := range places {
		for _, key := range []string{"k", "b/k", "%2F", "-/k", "used"} {
			require.NoError(t, area(t, s, p).Set(t.Context(), key, fmt.Sprint(i, key)))
		}
	}
	for i, p := range places {
		keys, err := area(t, s, p).List(t.Context(), "")
		require.NoError(t, err)
		require.Equal(t, []string{"%2F", "-/k", "b/k", "k", "used"}, keys)
		for _, key := range keys {
			require.Equal(t, fmt.Sprint(i, key), get(t, area(t, s, p), key))
		}
	}
	keys, err := area(t, s, places[0]).List(t.Context(), "b/")
	require.NoError(t, err)
	require.Equal(t, []string{"b/k"}, keys)
	entries, err := s.Read(t.Context(), one)
	require.NoError(t, err)
	require.Len(t, entries, 5*7)
	require.NoError(t, s.Clear(t.Context(), one))
	require.Equal(t, two, usage(t, s)[0].Revision)
	require.Len(t, usage(t, s), 1)
	require.Nil(t, get(t, area(t, s, places[3]), "k"))
}

func TestAToolThatDoesNotDeclareStorageHasNone(t *testing.T) {
	_, err := over(new(shelf.Memory), nil).For(storage.Place{Revision: one}, false)
	require.Equal(t, fault.Denied, fault.CodeOf(err))
	require.ErrorContains(t, err, "needs")
}

func TestTheQuotaIsThatOfARevisionInAllItsPartitions(t *testing.T) {
	s := over(new(shelf.Memory), func(l *limits.Limits) { l.StorageBytes, l.StorageKeys, l.StorageKeyBytes = 100, 3, 10 })
	a, b := area(t, s, storage.Place{Revision: one}), area(t, s, storage.Place{Revision: one, Partition: "b"})
	set := func(a *storage.Area, key string, bytes int) fault.Code { // a text has two quotes
		return fault.CodeOf(a.Set(t.Context(), key, strings.Repeat("x", bytes-2-len(key))))
	}
	require.Empty(t, set(a, "k", 60))
	require.Equal(t, fault.TooLarge, set(b, "k", 41))
	require.Empty(t, set(b, "k", 40), "at the edge")
	require.Equal(t, fault.TooLarge, set(b, "l", 4))
	require.Equal(t, []storage.Usage{{Revision: one, Bytes: 100, Keys: 2}}, usage(t, s))
	require.Empty(t, set(a, "k", 10), "what is replaced counts no more")
	require.Empty(t, set(a, "l", 10))
	require.Equal(t, fault.TooLarge, set(a, "m", 4), "keys")
	require.Empty(t, set(a, "l", 4), "no key more")
	_, err := b.Delete(t.Context(), "k")
	require.NoError(t, err)
	require.Empty(t, set(a, "m", 86))
	require.Equal(t, []storage.Usage{{Revision: one, Bytes: 100, Keys: 3}}, usage(t, s))
	require.Empty(t, set(area(t, s, storage.Place{Revision: two}), "k", 100), "another revision has its own")

	require.Empty(t, fault.CodeOf(func() error { _, _, err := a.Get(t.Context(), "0123456789"); return err }()))
	for key, code := range map[string]fault.Code{"01234567890": fault.TooLarge, "": fault.InvalidRequest, "\xff": fault.InvalidRequest} {
		_, _, err := a.Get(t.Context(), key)
		require.Equal(t, code, fault.CodeOf(err))
		_, err = a.Delete(t.Context(), key)
		require.Equal(t, code, fault.CodeOf(err))
		require.Equal(t, code, fault.CodeOf(a.Set(t.Context(), key, nil)))
	}
	long := area(t, over(new(shelf.Memory), nil), storage.Place{Revision: one, Partition: "p", Node: node})
	require.NoError(t, long.Set(t.Context(), strings.Repeat("/", 256), 1.0), "the longest key fits, escaped")
}

// Two engines over the same data are two tabs. Without the compared row that counts, more than the quota fits in.
func TestManyWritersAtOnceLoseNothingAndPassNoQuota(t *testing.T) {
	kept := new(shelf.Memory)
	small := func(l *limits.Limits) { l.StorageKeys = 50 }
	tabs := []*storage.Store{over(kept, small), over(kept, small)}
	var wait sync.WaitGroup
	var mu sync.Mutex
	outcomes := map[fault.Code]int{}
	for i := range 80 {
		wait.Go(func() {
			a, err := tabs[i%2].For(storage.Place{Revision: one, Partition: fmt.Sprint(i % 3)}, true)
			if err == nil {
				err = a.Set(t.Context(), fmt.Sprint("k", i), "x")
			}
			mu.Lock()
			defer mu.Unlock()
			outcomes[fault.CodeOf(err)]++
		})
	}
	wait.Wait()
	require.Equal(t, map[fault.Code]int{"": 50, fault.TooLarge: 30}, outcomes)
	entries, err := tabs[0].Read(t.Context(), one)
	require.NoError(t, err)
	bytes := 0
	for _, e := range entries {
		bytes += e.Bytes
	}
	require.Len(t, entries, 50)
	require.Equal(t, []storage.Usage{{Revision: one, Bytes: bytes, Keys: 50}}, usage(t, tabs[1]))
}

func TestARowEditedByHandIsRefusedAndACountThatIsNoneIsMadeAnew(t *testing.T) {
	kept := new(shelf.Memory)
	s := over(kept, nil)
	a := area(t, s, storage.Place{Revision: one})
	require.NoError(t, a.Set(t.Context(), "k", "xyz"))
	require.NoError(t, a.Set(t.Context(), "l", "xyz"))
	for _, bad := range []string{"?", `{"bytes":-1,"keys":1}`, "{}", ""} {
		var value []byte
		if bad != "" {
			value = []byte(bad)
		}
		require.NoError(t, kept.Put(t.Context(), shelf.Change{Key: shelf.Key("storage", one.String(), "used"), Value: value}))
		require.Equal(t, []storage.Usage{{Revision: one, Bytes: 12, Keys: 2}}, usage(t, s), bad)
		require.NoError(t, a.Set(t.Context(), "k", "abc"), bad)
	}
	require.NoError(t, kept.Put(t.Context(), shelf.Change{Key: shelf.Key("storage", one.String(), "-", "-", "k"), Value: []byte(`{"$t":"what"}`)}))
	_, _, err := a.Get(t.Context(), "k")
	require.Equal(t, fault.Corrupt, fault.CodeOf(err))
	was, err := a.Delete(t.Context(), "k")
	require.NoError(t, err)
	require.True(t, was)
}

func TestStorageIsCarriedOverByAnExplicitActOnly(t *testing.T) {
	s := over(new(shelf.Memory), nil)
	a := area(t, s, storage.Place{Revision: one, Partition: "p"})
	require.NoError(t, a.Set(t.Context(), "k", "v"))
	require.NoError(t, area(t, s, storage.Place{Revision: one, Node: node}).Set(t.Context(), "k", "of a chat"))
	b := area(t, s, storage.Place{Revision: two, Partition: "p"})
	require.Nil(t, get(t, b, "k"))
	require.Equal(t, fault.Denied, fault.CodeOf(s.Carry(t.Context(), one, bare)))
	require.Equal(t, fault.NotFound, fault.CodeOf(s.Carry(t.Context(), one, canon.SumTool(nil))))
	require.NoError(t, s.Carry(t.Context(), one, two))
	require.Equal(t, "v", get(t, b, "k"))
	require.Equal(t, "v", get(t, a, "k"))
	require.ElementsMatch(t, []storage.Usage{{Revision: one, Bytes: 16, Keys: 2}, {Revision: two, Bytes: 4, Keys: 1}}, usage(t, s))
	require.Nil(t, get(t, area(t, s, storage.Place{Revision: two, Node: node}), "k"))
	require.Equal(t, fault.InvalidRequest, fault.CodeOf(s.Carry(t.Context(), one, two)), "what is there is not overwritten")
}

func TestWhatAToolOfAChatStoresGoesWithItsNode(t *testing.T) {
	s := over(new(shelf.Memory), nil)
	installed := area(t, s, storage.Place{Revision: one, Partition: "p"})
	chat := area(t, s, storage.Place{Revision: one, Partition: "p", Node: node})
	for _, a := range []*storage.Area{installed, chat} {
		require.NoError(t, a.Set(t.Context(), "k", "v"))
	}
	require.NoError(t, s.Forget(t.Context(), one, canon.TaskID{}), "no node is none of an installed tool's")
	require.NoError(t, s.Forget(t.Context(), one, canon.SumTask([]byte("another"))))
	require.Equal(t, []storage.Usage{{Revision: one, Bytes: 8, Keys: 2}}, usage(t, s))
	require.NoError(t, s.Forget(t.Context(), one, node))
	require.Nil(t, get(t, chat, "k"))
	require.Equal(t, "v", get(t, installed, "k"))
	require.Equal(t, []storage.Usage{{Revision: one, Bytes: 4, Keys: 1}}, usage(t, s))
}

func TestAnAskOfAToolIsAnsweredInTaggedForm(t *testing.T) {
	a := area(t, over(new(shelf.Memory), nil), storage.Place{Revision: one})
	undefined := map[string]any{"$t": "undefined"}
	ask := func(params any) any {
		answer, err := a.Answer(t.Context(), params)
		require.NoError(t, err)
		return answer
	}
	require.Equal(t, undefined, ask(map[string]any{"op": "get", "key": "k"}))
	require.Equal(t, undefined, ask(map[string]any{"op": "set", "key": "k", "value": nil}))
	require.Nil(t, ask(map[string]any{"op": "get", "key": "k"}))
	require.Equal(t, undefined, ask(map[string]any{"op": "set", "key": "l", "value": tagged("bytes", "AA==")}))
	require.Equal(t, tagged("bytes", "AA=="), ask(map[string]any{"op": "get", "key": "l"}))
	require.Equal(t, []any{"k", "l"}, ask(map[string]any{"op": "list"}))
	require.Equal(t, []any{"l"}, ask(map[string]any{"op": "list", "prefix": "l"}))
	require.Equal(t, true, ask(map[string]any{"op": "delete", "key": "k"}))
	require.Equal(t, false, ask(map[string]any{"op": "delete", "key": "k"}))
	for _, bad := range []any{nil, "get", map[string]any{}, map[string]any{"op": "clear"}, map[string]any{"op": "get"}, map[string]any{"op": "set", "key": "k"},
		map[string]any{"op": "get", "key": "k", "value": 1.0}, map[string]any{"op": "list", "key": "k"}, map[string]any{"op": "get", "key": 1.0},
		map[string]any{"op": "get", "key": "k", "more": 1.0}, map[string]any{"op": "delete", "key": "k", "prefix": "p"}} {
		_, err := a.Answer(t.Context(), bad)
		require.Equal(t, fault.InvalidRequest, fault.CodeOf(err), "%v", bad)
	}
}
