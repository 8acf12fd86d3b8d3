package canon

import (
	"encoding"
	"reflect"
	"slices"
	"sort"
	"strings"
	"sync"
)

// Raw is a field that keeps its value as canonical bytes. Unlike a field of type any, an optional one tells null (the four
// bytes) from absent (no bytes).
type Raw []byte

// field is one row of a closed type.
type field struct {
	name     string
	optional bool
	index    []int
	text     bool // its type travels as a string of its own making
	null     bool // null is data for it
}

// fields lists what a struct's json tags declare, in order. The fields of an embedded struct without a tag count as its own.
// It follows from the type alone, so it is made once.
func fields(t reflect.Type) (*closedType, *refusal) {
	if known, ok := facts.fields.Load(t); ok {
		return known.(*closedType), nil
	}
	rows, r := readFields(t)
	if r != nil {
		return nil, r
	}
	c := &closedType{rows, slices.Clone(rows)}
	sort.Slice(c.sorted, func(i, j int) bool { return compareUTF16(c.sorted[i].name, c.sorted[j].name) < 0 })
	facts.fields.Store(t, c)
	return c, nil
}

// closedType is a struct's rows, as they are declared and in canonical order.
type closedType struct{ declared, sorted []field }

// facts remembers what follows from a Go type alone. Nothing that a caller does can change an entry, and there are as many as
// the program has types.
var facts struct{ fields, text sync.Map }

func readFields(t reflect.Type) ([]field, *refusal) {
	rows := make([]field, 0, t.NumField())
	for i := range t.NumField() {
		f := t.Field(i)
		tag, tagged := f.Tag.Lookup("json")
		name, options, _ := strings.Cut(tag, ",")
		switch {
		case f.Anonymous && !tagged && f.Type.Kind() == reflect.Struct:
			inner, r := readFields(f.Type)
			if r != nil {
				return nil, r
			}
			for _, row := range inner {
				row.index = append([]int{i}, row.index...)
				rows = append(rows, row)
			}
		case !f.IsExported() || name == "-":
		case name == "" || options != "" && options != "omitempty":
			return nil, bug("field %s of %v needs a json tag: a name, and omitempty if it is optional", f.Name, t)
		default:
			rows = append(rows, field{name, options != "", f.Index, isText(f.Type), takesNull(f.Type)})
		}
	}
	return rows, nil
}

func bug(format string, args ...any) *refusal {
	r := refuse(format, args...)
	r.bug = true
	return r
}

// takesNull says whether null is data for a field of this type, not a missing value.
func takesNull(t reflect.Type) bool {
	return t.Kind() == reflect.Interface || t == reflect.TypeFor[Raw]()
}

// isText says whether a type, such as a digest, travels as a string of its own making.
func isText(t reflect.Type) bool {
	if t.PkgPath() == "" {
		return false
	}
	if known, ok := facts.text.Load(t); ok {
		return known.(bool)
	}
	text := t.Implements(reflect.TypeFor[encoding.TextMarshaler]()) &&
		reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	facts.text.Store(t, text)
	return text
}

// isEmpty is what omitempty omits: false, 0, "", no items, nil, a zero struct or digest.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	}
	return v.IsZero()
}
