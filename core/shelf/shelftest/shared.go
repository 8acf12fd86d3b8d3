package shelftest

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Increment adds one to a number under a key, and begins again where somebody else was faster, who does so at most so often.
func Increment(ctx context.Context, s shelf.Store, key string, others int) error {
	err := shelf.Changed(key)
	for try := 0; try <= others && fault.CodeOf(err) == fault.Conflict; try++ {
		var before []byte
		if before, err = s.Get(ctx, key); fault.CodeOf(err) == fault.NotFound {
			err = nil
		}
		if err != nil {
			return err
		}
		n, _ := strconv.Atoi(string(before))
		err = s.Put(ctx, shelf.Change{Key: key, Value: []byte(strconv.Itoa(n + 1)), Check: true, Before: before},
			shelf.Change{Key: fmt.Sprint(key, "/", n+1), Value: []byte{}, Check: true})
	}
	return err
}

// Shared runs what holds between two handles on one store, as in two tabs or processes.
func Shared(t *testing.T, open func(*testing.T) (a, b shelf.Store)) {
	t.Run("what many count up at once is counted, each one once", func(t *testing.T) {
		a, b := open(t)
		ctx := t.Context()
		const each, workers = 10, 6
		errs := make(chan error, workers)
		for i := range workers {
			s := []shelf.Store{a, b}[i%2]
			go func() {
				var failed error
				for range each {
					failed = errors.Join(failed, Increment(ctx, s, "n", each*workers))
				}
				errs <- failed
			}()
		}
		for range workers {
			require.NoError(t, <-errs)
		}
		for _, s := range []shelf.Store{a, b} {
			holds(t, s, "n", strconv.Itoa(each*workers))
			require.Len(t, all(t, s, "n/"), each*workers)
		}
	})
	t.Run("of two handles that change the same value at once, one has a conflict and changes nothing", func(t *testing.T) {
		a, b := open(t)
		ctx := t.Context()
		var before []byte
		for range 20 {
			errs := make(chan error, 2)
			for which, s := range []shelf.Store{a, b} {
				name := strconv.Itoa(which)
				go func() {
					errs <- s.Put(ctx, shelf.Change{Key: name, Value: []byte("won")}, shelf.Change{Key: "a", Value: append([]byte(name), before...), Check: true, Before: before})
				}()
			}
			require.ElementsMatch(t, []fault.Code{"", fault.Conflict}, []fault.Code{fault.CodeOf(<-errs), fault.CodeOf(<-errs)})
			now, err := a.Get(ctx, "a")
			require.NoError(t, err)
			won, lost := string(now[:1]), "0"
			if won == lost {
				lost = "1"
			}
			holds(t, b, won, "won")
			nothing(t, b, lost)
			require.NoError(t, b.Put(ctx, shelf.Change{Key: won}))
			before = now
		}
	})
	t.Run("what one handle puts and clears, the other one sees at once", func(t *testing.T) {
		a, b := open(t)
		put(t, a, "a/1", "x")
		put(t, b, "a/2", "y")
		for _, s := range []shelf.Store{a, b} {
			require.Equal(t, []shelf.Row{{Key: "a/1", Value: []byte("x")}, {Key: "a/2", Value: []byte("y")}}, all(t, s, "a/"))
		}
		require.NoError(t, b.Clear(t.Context(), "a/"))
		require.Empty(t, all(t, a, ""))
	})
}

// Lasting runs what holds for a store that outlives its engine. again closes the store and opens it anew.
func Lasting(t *testing.T, open func(*testing.T) (s shelf.Store, again func() shelf.Store)) {
	t.Run("what was put is there after the store was closed and opened again, and what was cleared is not", func(t *testing.T) {
		s, again := open(t)
		for name, value := range bytesOfEveryKind() {
			put(t, s, "kept/"+name, value)
			put(t, s, "gone/"+name, value)
		}
		put(t, s, "taken", "x")
		require.NoError(t, s.Clear(t.Context(), "gone/"))
		require.NoError(t, s.Put(t.Context(), shelf.Change{Key: "taken"}))
		before := all(t, s, "")
		require.Len(t, before, len(bytesOfEveryKind()))
		s = again()
		require.Equal(t, before, all(t, s, ""))
		for name, value := range bytesOfEveryKind() {
			holds(t, s, "kept/"+name, value)
			nothing(t, s, "gone/"+name)
		}
		require.NoError(t, Increment(t.Context(), s, "kept", 0))
	})
}
