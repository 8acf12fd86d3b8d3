//go:build js && wasm

package store

import (
	"time"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// row is a value from the database. It may have been edited by hand: nothing about it is certain.
type row struct{ js safejs.Value }

// text reads a field that holds a string; anything else is the empty text. Asking some foreign values for their type panics.
func (r row) text(field string) (text string) {
	defer func() {
		if recover() != nil {
			text = ""
		}
	}()
	if r.js.Type() != safejs.TypeObject {
		return ""
	}
	v, err := r.js.Get(field)
	if err != nil || v.Type() != safejs.TypeString {
		return ""
	}
	text, _ = v.String()
	return text
}

// rowsOf reads the array that getAll and getAllKeys give.
func rowsOf(array safejs.Value) []row {
	n, err := array.Length()
	if err != nil {
		return nil
	}
	list := make([]row, 0, n)
	for i := range n {
		v, err := array.Index(i)
		if err != nil {
			return nil
		}
		list = append(list, row{v})
	}
	return list
}

// number reads a field that holds an integer.
func number(of safejs.Value, field string) (n int, err error) {
	wrong := fault.New(fault.Corrupt, "store: %s is no number", field)
	defer func() {
		if recover() != nil {
			n, err = 0, wrong
		}
	}()
	v, err := of.Get(field)
	if err != nil || v.Type() != safejs.TypeNumber {
		return 0, wrong
	}
	return v.Int()
}

// under is the range of all keys [prefix, …].
func (s *Store) under(prefix string) any {
	all, err := s.ranges.Call("bound", []any{prefix}, []any{prefix, []any{}})
	if err != nil {
		return nil
	}
	return all
}

// only is the range of one key, and below the range of all lesser ones.
func (s *Store) only(key string) any { return s.keys("only", key) }

func (s *Store) below(key safejs.Value) any { return s.keys("upperBound", key, true) }

// keys makes a range. A range that cannot be made is nothing that a request takes for all keys.
func (s *Store) keys(kind string, args ...any) any {
	made, err := s.ranges.Call(kind, args...)
	if err != nil {
		return false
	}
	return made
}

// written is the text of a time in a row.
func written(at time.Time) string { return at.UTC().Format(time.RFC3339Nano) }

// at reads a time.
func (r row) at() (time.Time, error) {
	at, err := time.Parse(time.RFC3339Nano, r.text("at"))
	return at.UTC(), err
}
