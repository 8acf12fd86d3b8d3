package shelftest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// changing is the part of the contract that is about what a change depends on, and several changes at once.
func changing(t *testing.T, open func(*testing.T) shelf.Store) {
	t.Run("a change that checks is made only over what its author saw", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		try := func(key string, before, value []byte) fault.Code {
			return fault.CodeOf(s.Put(ctx, shelf.Change{Key: key, Value: value, Check: true, Before: before}))
		}
		x, y, none := []byte("x"), []byte("y"), []byte{}
		for _, step := range []struct {
			title         string
			before, value []byte
			want          fault.Code
		}{
			{"over a value where there is nothing", x, y, fault.Conflict},
			{"over no bytes where there is nothing", none, y, fault.Conflict},
			{"taking away a value where there is nothing", x, nil, fault.Conflict},
			{"taking away nothing", nil, nil, ""},
			{"the first one", nil, x, ""},
			{"a second first one", nil, y, fault.Conflict},
			{"over no bytes where there is a value", none, y, fault.Conflict},
			{"over another value", y, y, fault.Conflict},
			{"over the beginning of the value", x[:0], y, fault.Conflict},
			{"over more than the value", []byte("xx"), y, fault.Conflict},
			{"over the value", x, none, ""},
			{"over nothing where there are no bytes", nil, y, fault.Conflict},
			{"over no bytes", none, y, ""},
			{"taking away another value", x, nil, fault.Conflict},
			{"taking away the value", y, nil, ""},
			{"over a value that was taken away", y, x, fault.Conflict},
			{"a first one again", nil, x, ""},
		} {
			held, absent := s.Get(ctx, "a")
			require.Equal(t, step.want, try("a", step.before, step.value), step.title)
			if step.want == "" {
				held, absent = step.value, nil
				if step.value == nil {
					absent = shelf.Missing("a")
				}
			}
			if absent != nil {
				nothing(t, s, "a")
			} else {
				holds(t, s, "a", string(held))
			}
		}
		put(t, s, "a", "unchecked") // who does not check changes whatever is there
		holds(t, s, "a", "unchecked")
		err := s.Put(ctx, shelf.Change{Key: "a/b", Check: true, Before: x})
		require.ErrorContains(t, err, `"a/b"`)
	})
	t.Run("several changes are made together, or none of them, whichever conflicts", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "1")
		put(t, s, "b", "2")
		before := all(t, s, "")
		list := []shelf.Change{
			{Key: "a", Value: []byte("new"), Check: true, Before: []byte("1")}, {Key: "b"}, {Key: "c", Value: []byte{}}, {Key: "d", Value: []byte("new"), Check: true}}
		for i := range list {
			broken := append([]shelf.Change{}, list...)
			broken[i].Check, broken[i].Before = true, []byte("what never stood there")
			err := s.Put(ctx, broken...)
			require.Equal(t, fault.Conflict, fault.CodeOf(err), "%v", err)
			require.ErrorContains(t, err, `"`+broken[i].Key+`"`)
			require.Equal(t, before, all(t, s, ""))
		}
		require.NoError(t, s.Put(ctx, list...))
		require.Equal(t, []shelf.Row{{Key: "a", Value: []byte("new")}, {Key: "c", Value: []byte{}}, {Key: "d", Value: []byte("new")}}, all(t, s, ""))
	})
	t.Run("a check without a change of its own guards the others", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "guard", "open")
		guarded := func(before string) error {
			return s.Put(ctx, shelf.Change{Key: "a", Value: []byte(before)}, shelf.Change{Key: "guard", Value: []byte("open"), Check: true, Before: []byte(before)})
		}
		require.NoError(t, guarded("open"))
		require.Equal(t, fault.Conflict, fault.CodeOf(guarded("shut")))
		holds(t, s, "a", "open")
	})
	t.Run("of several changes of a key the last one stays, and each checks what stood there before all of them", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "0")
		one, two := shelf.Change{Key: "a", Value: []byte("1"), Check: true, Before: []byte("0")}, shelf.Change{Key: "a", Value: []byte("2"), Check: true, Before: []byte("1")}
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Put(ctx, one, two)))
		holds(t, s, "a", "0")
		two.Before = one.Before
		require.NoError(t, s.Put(ctx, one, two))
		holds(t, s, "a", "2")
		require.NoError(t, s.Put(ctx, shelf.Change{Key: "a", Value: []byte("3")}, shelf.Change{Key: "a"}, shelf.Change{Key: "b"}, shelf.Change{Key: "b", Value: []byte("4")}))
		nothing(t, s, "a")
		holds(t, s, "b", "4")
	})
}
