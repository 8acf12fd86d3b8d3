package canon

import (
	"encoding"
	"reflect"
	"sort"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Marshal is the reverse of Bind: it writes a Go value of the types Bind knows as canonical bytes. Optional fields that hold
// their empty value are left out, a nil slice or map in a required field is an empty one. A field of type any holds a tree.
//
// A required pointer, text or Raw without content, an int beyond ±(2^53-1) and a cycle are refused: *fault.Error with code
// invalid_value and the path.
func Marshal(from any) ([]byte, error) { return marshal(from, "", "") }

// MarshalNamed is Marshal for a struct, with one member more: a string, which stands where the order puts it.
func MarshalNamed(from any, name, value string) ([]byte, error) { return marshal(from, name, value) }

func marshal(from any, name, value string) ([]byte, error) {
	w := writer{name: name, text: value}
	if r := w.write(reflect.ValueOf(&from).Elem(), maxDepth, false); r != nil {
		return nil, r.fault(fault.InvalidValue)
	}
	return w.dst, nil
}

// writer writes Go values; what is a tree already it leaves to its encoder. The member with that name and text is for the first
// struct it meets.
type writer struct {
	encoder
	name, text string
}

// write writes a value of which it is known whether its type is text.
func (w *writer) write(v reflect.Value, left int, text bool) *refusal {
	t := v.Type()
	switch {
	case left == 0:
		return refuse("nested too deep, or a cycle")
	case t == reflect.TypeFor[Raw]():
		return w.raw(v.Bytes())
	case text:
		return w.marshaler(v)
	}
	switch v.Kind() {
	case reflect.String:
		return w.string(v.String())
	case reflect.Bool:
		return w.value(v.Bool(), left)
	case reflect.Float64:
		return w.value(v.Float(), left)
	case reflect.Int:
		if i := v.Int(); -safeInteger <= i && i <= safeInteger {
			w.dst = appendNumber(w.dst, float64(i))
			return nil
		}
		return refuse("integer %d is not exact in float64", v.Int())
	case reflect.Slice:
		return w.slice(v, left-1)
	case reflect.Map:
		return w.mapping(v, left-1)
	case reflect.Struct:
		return w.fields(v, left-1)
	case reflect.Pointer:
		if v.IsNil() {
			return refuse("required value is missing")
		}
		return w.write(v.Elem(), left-1, isText(t.Elem()))
	case reflect.Interface:
		if v.IsNil() {
			return w.value(nil, left)
		}
		return w.write(v.Elem(), left, isText(v.Elem().Type()))
	}
	return bug("Go type %v has no JSON form", t)
}

// raw writes the canonical bytes afresh, so that equal values are equal bytes however they were spelled.
func (w *writer) raw(text []byte) *refusal {
	if len(text) == 0 {
		return refuse("required value is missing")
	}
	v, err := Decode(text, maxDepth)
	if err != nil {
		return refuse("%v", err)
	}
	return w.value(v, maxDepth)
}

// marshaler refuses the empty text, which is how a digest says none: what must name a revision may not name nothing.
func (w *writer) marshaler(v reflect.Value) *refusal {
	text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return refuse("%v", err)
	}
	if len(text) == 0 {
		return refuse("required value is missing")
	}
	return w.string(string(text))
}

func (w *writer) slice(v reflect.Value, left int) *refusal {
	if tree, ok := v.Interface().([]any); ok {
		return w.value(tree, left+1)
	}
	text := isText(v.Type().Elem())
	w.dst = append(w.dst, '[')
	for i := range v.Len() {
		if i > 0 {
			w.dst = append(w.dst, ',')
		}
		if r := w.write(v.Index(i), left, text); r != nil {
			return r.in(item(i))
		}
	}
	w.dst = append(w.dst, ']')
	return nil
}

func (w *writer) mapping(v reflect.Value, left int) *refusal {
	if tree, ok := v.Interface().(map[string]any); ok {
		return w.value(tree, left+1)
	}
	t := v.Type()
	if t.Key().Kind() != reflect.String || isText(t.Key()) {
		return bug("Go type %v has no JSON form", t)
	}
	keys := v.MapKeys()
	sort.Slice(keys, func(i, j int) bool { return compareUTF16(keys[i].String(), keys[j].String()) < 0 })
	text := isText(t.Elem())
	w.dst = append(w.dst, '{')
	for i, k := range keys {
		if r := w.member(i, k.String()); r != nil {
			return r
		}
		if r := w.write(v.MapIndex(k), left, text); r != nil {
			return r.in(key(k.String()))
		}
	}
	w.dst = append(w.dst, '}')
	return nil
}

// member begins the member of an object that has so many before it.
func (w *writer) member(before int, name string) *refusal {
	if before > 0 {
		w.dst = append(w.dst, ',')
	}
	if r := w.string(name); r != nil {
		return r.in(key(name))
	}
	w.dst = append(w.dst, ':')
	return nil
}

func (w *writer) fields(v reflect.Value, left int) *refusal {
	rows, r := fields(v.Type())
	if r != nil {
		return r
	}
	name, text := w.name, w.text
	w.name = ""
	w.dst = append(w.dst, '{')
	written := 0
	for _, row := range rows.sorted {
		f := v.FieldByIndex(row.index)
		if row.optional && isEmpty(f) {
			continue
		}
		if name != "" && compareUTF16(name, row.name) < 0 {
			if r := w.named(written, name, text); r != nil {
				return r
			}
			name = ""
			written++
		}
		if r := w.member(written, row.name); r != nil {
			return r
		}
		written++
		if r := w.write(f, left, row.text); r != nil {
			return r.in(key(row.name))
		}
	}
	if name != "" {
		if r := w.named(written, name, text); r != nil {
			return r
		}
	}
	w.dst = append(w.dst, '}')
	return nil
}

func (w *writer) named(before int, name, text string) *refusal {
	if r := w.member(before, name); r != nil {
		return r
	}
	return w.string(text)
}
