package signature

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// source is the author's schema, which is only read.
type source struct {
	root    map[string]any
	id      string            // of the root, without fragment
	foreign bool              // a part has an id of its own: what a reference means depends on where it stands
	anchors map[string]any    // by name
	places  map[uintptr]bool  // every object that is a schema
	types   map[string]types  // of references, once known
	names   map[string]string // parameter name → itself, a set
}

// Where the subschemas of a schema are.
var (
	oneSchema = []string{"not", "if", "then", "else", "items", "contains", "additionalProperties", "propertyNames", "unevaluatedItems",
		"unevaluatedProperties", "contentSchema"}
	schemaLists = []string{"allOf", "anyOf", "oneOf", "prefixItems"}
	schemaMaps  = []string{"properties", "patternProperties", "dependentSchemas", "$defs", "definitions"}
)

// read looks over a schema once: where its parts are, their anchors, and what its parameters are called.
func read(root map[string]any) *source {
	s := &source{root: root, anchors: map[string]any{}, places: map[uintptr]bool{}, types: map[string]types{}, names: map[string]string{}}
	s.id, _, _ = strings.Cut(textOf(root["$id"]), "#")
	s.collect(root, true)
	return s
}

func (s *source) collect(schema any, root bool) {
	m, ok := schema.(map[string]any)
	if !ok {
		return
	}
	s.places[reflect.ValueOf(m).Pointer()] = true
	if _, named := m["$id"].(string); named && !root {
		s.foreign = true
	}
	for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
		if name, ok := m[keyword].(string); ok {
			s.anchors[name] = m
		}
	}
	for name := range objectOf(m["properties"]) {
		s.names[name] = name
	}
	for _, name := range listOf(m["required"]) {
		s.names[textOf(name)] = textOf(name)
	}
	for _, part := range subschemas(m) {
		s.collect(part, false)
	}
}

// subschemas lists the parts of a schema that are schemas, in a fixed order.
func subschemas(m map[string]any) []any {
	var all []any
	for _, keyword := range oneSchema {
		if part, given := m[keyword]; given {
			all = append(all, part)
		}
	}
	for _, keyword := range schemaLists {
		all = append(all, listOf(m[keyword])...)
	}
	for _, keyword := range schemaMaps {
		parts := objectOf(m[keyword])
		for _, name := range sortedKeys(parts) {
			all = append(all, parts[name])
		}
	}
	return all
}

// resolve follows a reference to a schema inside the source.
func (s *source) resolve(ref string) (any, bool) {
	resource, fragment, _ := strings.Cut(ref, "#")
	if s.foreign || resource != "" && resource != s.id {
		return nil, false
	}
	fragment = unescape(fragment)
	if fragment != "" && fragment[0] != '/' {
		at, ok := s.anchors[fragment]
		return at, ok
	}
	var at any = s.root
	for _, step := range strings.Split(fragment, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch here := at.(type) {
		case map[string]any:
			at = here[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(here) {
				return nil, false
			}
			at = here[i]
		default:
			return nil, false
		}
	}
	switch at := at.(type) {
	case bool:
		return at, true
	case map[string]any:
		return at, s.places[reflect.ValueOf(at).Pointer()]
	}
	return nil, false
}

// unescape undoes percent-encoding; what is not encoded well stays.
func unescape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			if n, err := strconv.ParseUint(text[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func textOf(v any) string {
	text, _ := v.(string)
	return text
}

func listOf(v any) []any {
	items, _ := v.([]any)
	return items
}

func objectOf(v any) map[string]any {
	members, _ := v.(map[string]any)
	return members
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

func same(a, b any) bool { return show(a) == show(b) }

func show(v any) string {
	text, err := canon.Encode(v)
	if err != nil {
		return "?"
	}
	return string(text)
}
