package canon

import (
	"encoding"
	"reflect"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Tree is the reverse of Bind: it turns a Go value of the types Bind knows into a tree. Optional fields that hold their
// empty value are left out, a nil slice or map in a required field is an empty one. Encode(Tree(x)) is the canonical JSON
// of a struct. A field of type any should hold a tree, which is shared.
//
// A required pointer, text or Raw without content, an int beyond ±(2^53-1) and a cycle are refused: *fault.Error with code
// invalid_value and the path.
func Tree(from any) (any, error) {
	v, r := tree(reflect.ValueOf(&from).Elem(), maxDepth)
	if r != nil {
		return nil, r.fault(fault.InvalidValue)
	}
	return v, nil
}

func tree(v reflect.Value, left int) (any, *refusal) { return treeAs(v, left, isText(v.Type())) }

// treeAs is tree for a type of which it is known whether it is text.
func treeAs(v reflect.Value, left int, text bool) (any, *refusal) {
	t := v.Type()
	switch {
	case left == 0:
		return nil, refuse("nested too deep, or a cycle")
	case t == reflect.TypeFor[Raw]():
		return treeRaw(v.Bytes())
	case text:
		return treeText(v)
	}
	switch v.Kind() {
	case reflect.String:
		return v.String(), nil
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Float64:
		return v.Float(), nil
	case reflect.Int:
		if i := v.Int(); -safeInteger <= i && i <= safeInteger {
			return float64(i), nil
		}
		return nil, refuse("integer %d is not exact in float64", v.Int())
	case reflect.Slice:
		return treeSlice(v, left-1)
	case reflect.Map:
		return treeMap(v, left-1)
	case reflect.Struct:
		return treeStruct(v, left-1)
	case reflect.Pointer:
		if v.IsNil() {
			return nil, refuse("required value is missing")
		}
		return tree(v.Elem(), left-1)
	case reflect.Interface:
		if v.IsNil() {
			return nil, nil
		}
		return tree(v.Elem(), left)
	}
	return nil, bug("Go type %v has no tree", t)
}

// treeRaw decodes, because only a tree can be sorted into its place among the other fields' bytes.
func treeRaw(text []byte) (any, *refusal) {
	if len(text) == 0 {
		return nil, refuse("required value is missing")
	}
	v, err := Decode(text, maxDepth)
	if err != nil {
		return nil, refuse("%v", err)
	}
	return v, nil
}

// treeText refuses the empty text, which is how a digest says none: what must name a revision may not name nothing.
func treeText(v reflect.Value) (any, *refusal) {
	text, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		return nil, refuse("%v", err)
	}
	if len(text) == 0 {
		return nil, refuse("required value is missing")
	}
	return string(text), nil
}

func treeSlice(v reflect.Value, left int) (any, *refusal) {
	if shared, ok := v.Interface().([]any); ok && shared != nil {
		return shared, nil
	}
	out := make([]any, v.Len())
	for i := range out {
		var r *refusal
		if out[i], r = tree(v.Index(i), left); r != nil {
			return nil, r.in(item(i))
		}
	}
	return out, nil
}

func treeMap(v reflect.Value, left int) (any, *refusal) {
	if shared, ok := v.Interface().(map[string]any); ok && shared != nil {
		return shared, nil
	}
	if t := v.Type(); t.Key().Kind() != reflect.String || isText(t.Key()) {
		return nil, bug("Go type %v has no tree", t)
	}
	out := make(map[string]any, v.Len())
	for each := v.MapRange(); each.Next(); {
		name := each.Key().String()
		var r *refusal
		if out[name], r = tree(each.Value(), left); r != nil {
			return nil, r.in(key(name))
		}
	}
	return out, nil
}

func treeStruct(v reflect.Value, left int) (any, *refusal) {
	rows, r := fields(v.Type())
	if r != nil {
		return nil, r
	}
	out := make(map[string]any, len(rows))
	for _, row := range rows {
		f := v.FieldByIndex(row.index)
		if row.optional && isEmpty(f) {
			continue
		}
		if out[row.name], r = treeAs(f, left, row.text); r != nil {
			return nil, r.in(key(row.name))
		}
	}
	return out, nil
}
