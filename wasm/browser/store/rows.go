//go:build js && wasm

package store

import (
	"time"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
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

// textsOf reads fields that hold strings from many rows, as row.text does, but all at once: each crossing of the border has its price.
func textsOf(array safejs.Value, fields ...string) [][]string {
	if list, ok := writtenOut(array, fields); ok {
		return list
	}
	rows := rowsOf(array)
	list := make([][]string, len(rows))
	for i, r := range rows {
		list[i] = make([]string, len(fields))
		for j, field := range fields {
			list[i][j] = r.text(field)
		}
	}
	return list
}

// writtenOut has the browser write the fields as one JSON text. What an edited row makes of it may be no text that we take.
func writtenOut(array safejs.Value, fields []string) ([][]string, bool) {
	names := make([]any, len(fields))
	for i, field := range fields {
		names[i] = field
	}
	writer, err := safejs.Global().Get("JSON")
	if err != nil {
		return nil, false
	}
	written, err := writer.Call("stringify", array, names)
	if err != nil || written.Type() != safejs.TypeString {
		return nil, false
	}
	text, err := written.String()
	if err != nil {
		return nil, false
	}
	tree, err := canon.Decode([]byte(text), writtenNesting)
	items, isList := tree.([]any)
	if err != nil || !isList {
		return nil, false
	}
	list := make([][]string, len(items))
	for i, item := range items {
		row, _ := item.(map[string]any)
		list[i] = make([]string, len(fields))
		for j, field := range fields {
			list[i][j], _ = row[field].(string)
		}
	}
	return list, true
}

// writtenNesting is that of a list of rows of texts, with room for what somebody may have put in a text's place.
const writtenNesting = 16

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
