package canon

import (
	"encoding"
	"math"
	"reflect"
	"slices"
	"sort"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Unmarshal is Decode followed by Bind. A text that is not strict JSON stays invalid_json; a breach of the type gets code.
func Unmarshal(text []byte, into any, nesting int, code fault.Code) error {
	v, err := Decode(text, nesting)
	if err != nil {
		return err
	}
	return Bind(v, into, code)
}

// Bind reads a tree into the closed type that into points to. Json tags name the fields: `json:"name"` is required,
// `json:"name,omitempty"` optional. Names match exactly, unknown fields are refused, and so is null, except in a field of
// type any or Raw.
//
// Types: string, bool, float64, int, named types of these, []T, map[string]T, struct, pointer, any, Raw, and types that
// are text (encoding.TextMarshaler and TextUnmarshaler), such as the digests; an empty text is an absent optional field.
// An int takes integers within ±(2^53-1).
//
// The error is a *fault.Error with that code and the path. After an error the target is partly written. Fields of type any
// share the tree.
func Bind(v any, into any, code fault.Code) error { return binder{}.into(v, into, code) }

// BindNormal is Bind for what is named by its hash: an optional field that holds its empty value is refused, so that a value has one
// spelling, the one that Marshal writes.
func BindNormal(v any, into any, code fault.Code) error {
	return binder{normal: true}.into(v, into, code)
}

type binder struct{ normal bool }

func (b binder) into(v any, into any, code fault.Code) error {
	target := reflect.ValueOf(into)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return fault.New(fault.Internal, "BUG: bind needs a pointer, not %T", into)
	}
	if r := b.bind(v, target.Elem()); r != nil {
		return r.fault(code)
	}
	return nil
}

func (b binder) bind(v any, into reflect.Value) *refusal {
	return b.bindAs(v, into, isText(into.Type()))
}

// bindAs is bind for a type of which it is known whether it is text.
func (b binder) bindAs(v any, into reflect.Value, text bool) *refusal {
	t := into.Type()
	if t == reflect.TypeFor[Raw]() {
		return bindRaw(v, into)
	}
	if text {
		return bindText(v, into)
	}
	switch t.Kind() {
	case reflect.String:
		return set(v, "a string", into.SetString)
	case reflect.Bool:
		return set(v, "a boolean", into.SetBool)
	case reflect.Float64:
		return set(v, "a number", into.SetFloat)
	case reflect.Int:
		return bindInt(v, into)
	case reflect.Slice:
		return b.bindSlice(v, into)
	case reflect.Map:
		return b.bindMap(v, into)
	case reflect.Struct:
		return b.bindStruct(v, into)
	case reflect.Pointer:
		fresh := reflect.New(t.Elem())
		if r := b.bind(v, fresh.Elem()); r != nil {
			return r
		}
		into.Set(fresh)
		return nil
	case reflect.Interface:
		if t.NumMethod() == 0 {
			if v == nil {
				into.SetZero()
			} else {
				into.Set(reflect.ValueOf(v))
			}
			return nil
		}
	}
	return bug("Go type %v cannot be bound", t)
}

func set[T any](v any, want string, to func(T)) *refusal {
	x, ok := v.(T)
	if !ok {
		return mismatch(want, v)
	}
	to(x)
	return nil
}

func mismatch(want string, v any) *refusal { return refuse("must be %s, is %s", want, typeWord(v)) }

func typeWord(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case float64:
		return "a number"
	case string:
		return "a string"
	case []any:
		return "an array"
	case map[string]any:
		return "an object"
	}
	return reflect.TypeOf(v).String()
}

// bindRaw writes the canonical bytes afresh, so that equal values are equal bytes however they were spelled.
func bindRaw(v any, into reflect.Value) *refusal {
	var e encoder
	if r := e.value(v, maxDepth); r != nil {
		return r
	}
	into.SetBytes(e.dst)
	return nil
}

// bindText leaves the meaning of the text to its type, but not of the empty one, which types read as none.
func bindText(v any, into reflect.Value) *refusal {
	text, ok := v.(string)
	if !ok {
		return mismatch("a string", v)
	}
	if text == "" {
		return refuse("must not be empty")
	}
	if err := into.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)); err != nil {
		return refuse("%v", err)
	}
	return nil
}

func bindInt(v any, into reflect.Value) *refusal {
	f, ok := v.(float64)
	if !ok {
		return mismatch("an integer", v)
	}
	if f != math.Trunc(f) || math.Abs(f) > safeInteger {
		return refuse("must be an integer within 2^53-1, is %s", appendNumber(nil, f))
	}
	into.SetInt(int64(f))
	return nil
}

func (b binder) bindSlice(v any, into reflect.Value) *refusal {
	items, ok := v.([]any)
	if !ok {
		return mismatch("an array", v)
	}
	out := reflect.MakeSlice(into.Type(), len(items), len(items))
	for i, v := range items {
		if r := b.bind(v, out.Index(i)); r != nil {
			return r.in(item(i))
		}
	}
	into.Set(out)
	return nil
}

func (b binder) bindMap(v any, into reflect.Value) *refusal {
	object, ok := v.(map[string]any)
	if !ok {
		return mismatch("an object", v)
	}
	t := into.Type()
	if t.Key().Kind() != reflect.String || isText(t.Key()) {
		return bug("Go type %v cannot be bound", t)
	}
	out := reflect.MakeMapWithSize(t, len(object))
	for _, name := range sortedNames(object) { // so that the same error is reported each time
		fresh := reflect.New(t.Elem()).Elem()
		if r := b.bind(object[name], fresh); r != nil {
			return r.in(key(name))
		}
		out.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), fresh)
	}
	into.Set(out)
	return nil
}

// bindStruct looks for strangers before it looks for what is missing: a misspelt name is both, and the former helps.
func (b binder) bindStruct(v any, into reflect.Value) *refusal {
	object, ok := v.(map[string]any)
	if !ok {
		return mismatch("an object", v)
	}
	known, r := fields(into.Type())
	if r != nil {
		return r
	}
	rows, declared := known.declared, 0
	for _, row := range rows {
		if _, present := object[row.name]; present {
			declared++
		}
	}
	if declared < len(object) {
		return unknown(object, rows)
	}
	for _, row := range rows {
		v, present := object[row.name]
		target := into.FieldByIndex(row.index)
		switch {
		case !present && !row.optional:
			return refuse("required field is missing").in(key(row.name))
		case !present, row.optional && v == "" && row.text:
			target.SetZero()
		case row.optional && v == nil && !row.null:
			return refuse("null is refused, leave the field out").in(key(row.name))
		default:
			if r := b.bindAs(v, target, row.text); r != nil {
				return r.in(key(row.name))
			}
		}
		if b.normal && present && row.optional && isEmpty(target) {
			return refuse("is empty, leave the field out").in(key(row.name))
		}
	}
	return nil
}

// unknown refuses the first name, in order, that no row has.
func unknown(object map[string]any, rows []field) *refusal {
	var strangers []string
	for name := range object {
		if !slices.ContainsFunc(rows, func(row field) bool { return row.name == name }) {
			strangers = append(strangers, name)
		}
	}
	known := make([]string, len(rows))
	for i, row := range rows {
		known[i] = row.name
	}
	first := slices.MinFunc(strangers, compareUTF16)
	if near := Nearest(first, known); near != "" {
		return refuse("unknown field, did you mean %q?", near).in(key(first))
	}
	return refuse("unknown field").in(key(first))
}

func sortedNames(object map[string]any) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	sort.Slice(names, func(i, j int) bool { return compareUTF16(names[i], names[j]) < 0 })
	return names
}
