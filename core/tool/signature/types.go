package signature

import "math"

// types is a set of JSON types. A number that is not an integer and an integer are two.
type types uint8

const (
	null types = 1 << iota
	boolean
	integer
	fraction
	text
	array
	object

	number   = integer | fraction
	anything = null | boolean | number | text | array | object
)

var typeWords = map[string]types{
	"null": null, "boolean": boolean, "integer": integer, "number": number, "string": text, "array": array, "object": object,
}

func typeOf(v any) types {
	switch v := v.(type) {
	case nil:
		return null
	case bool:
		return boolean
	case float64:
		if v == math.Trunc(v) {
			return integer
		}
		return fraction
	case string:
		return text
	case []any:
		return array
	}
	return object
}

// takes is an upper bound of the types that a schema lets through.
func (s *source) takes(schema any) types {
	m, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return 0
		}
		return anything
	}
	left := anything
	if want, given := m["type"]; given {
		left &= named(want)
	}
	if values, given := m["enum"]; given {
		left &= typesOf(listOf(values))
	}
	if value, given := m["const"]; given {
		left &= typeOf(value)
	}
	for _, part := range listOf(m["allOf"]) {
		left &= s.takes(part)
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		if parts := listOf(m[keyword]); parts != nil {
			left &= s.some(parts)
		}
	}
	if ref, ok := m["$ref"].(string); ok {
		left &= s.takesRef(ref)
	}
	return left
}

// some is the union over alternatives.
func (s *source) some(parts []any) types {
	var all types
	for _, part := range parts {
		all |= s.takes(part)
	}
	return all
}

// takesRef works each reference out once. A circle in place was refused before.
func (s *source) takesRef(ref string) types {
	if known, ok := s.types[ref]; ok {
		return known
	}
	target, ok := s.resolve(ref)
	if !ok {
		return anything
	}
	s.types[ref] = anything
	s.types[ref] = s.takes(target)
	return s.types[ref]
}

func named(want any) types {
	if word, ok := want.(string); ok {
		return typeWords[word]
	}
	var all types
	for _, word := range listOf(want) {
		all |= typeWords[textOf(word)]
	}
	return all
}

func typesOf(values []any) types {
	var all types
	for _, v := range values {
		all |= typeOf(v)
	}
	return all
}
