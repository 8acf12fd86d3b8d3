package signature

import (
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Bounds of unrolling references. What lies deeper is asked for as JSON text.
const (
	geminiUnrolled = 2    // times that one reference may stand inside itself
	geminiDepth    = 20   // schemas inside one another
	geminiSchemas  = 1000 // of one tool
	geminiBytes    = 1 << 20
)

// unrolling writes Gemini's subset of OpenAPI: one upper-case type, nullable, anyOf alone in its object, no references.
type unrolling struct {
	*frame
	open map[string]int // references being unrolled
	left int            // schemas
	room int            // bytes of what is copied as it is
}

// unroll returns the parameters, nil where there are none, and the sentences about what their root lost.
func unroll(f *frame) (map[string]any, []string) {
	u := &unrolling{frame: f, open: map[string]int{"#": 1}, left: geminiSchemas, room: geminiBytes}
	const path = "$.parameters"
	flat := u.flatten(u.root)
	said := u.spokenAll(path, flat.rules)
	out, more := u.object(flat.schema, path, 0)
	said = append(said, more...)
	if out == nil {
		return nil, append([]string{textOf(flat.schema["description"])}, said...)
	}
	u.describe(out, flat.schema, "")
	return out, said
}

// node writes one schema with all that applies to the same value merged into it.
func (u *unrolling) node(schema any, path string, depth int) map[string]any {
	m, ok := schema.(map[string]any)
	if !ok {
		out := whatever()
		if schema == false {
			u.describe(out, nil, "Leave this out.")
		}
		return out
	}
	const why = "the schema is too large and is cut here"
	if u.left--; u.left < 0 || u.room < 0 {
		return u.cut(nil, anything, path, why)
	}
	takes := u.takes(m)
	if depth > geminiDepth {
		return u.cut(nil, takes, path, why)
	}
	folded := u.fold(m)
	for _, keyword := range []string{"enum", "const", "default", "title", "description", "pattern"} {
		u.room -= len(show(folded.schema[keyword]))
	}
	if u.room < 0 {
		return u.cut(nil, takes, path, why)
	}
	for _, ref := range folded.refs {
		if u.open[ref] >= geminiUnrolled {
			return u.cut(folded.schema, takes, path, "the recursion is cut here")
		}
	}
	for _, ref := range folded.refs {
		u.open[ref]++
		defer func() { u.open[ref]-- }()
	}
	said := join("", u.spokenAll(path, folded.rules)...)
	out, more := u.shape(folded.schema, takes, path, depth)
	u.describe(out, folded.schema, join(said, more...))
	return out
}

// cut asks for JSON text, which is read on the way back unless the schema takes text there anyway.
func (u *unrolling) cut(m map[string]any, takes types, path, why string) map[string]any {
	u.note(path, "%s: it is asked for as JSON text", why)
	out := asText(takes)
	u.describe(out, m, "")
	return out
}

// asText is the place of a value that can only be sent as JSON text.
func asText(takes types) map[string]any {
	what := "the value"
	switch takes &^ null {
	case object:
		what = "an object"
	case array:
		what = "an array"
	}
	return map[string]any{"type": "STRING", "description": "JSON text of " + what + "."}
}

// whatever is the nearest to a place that takes any value.
func whatever() map[string]any {
	text := map[string]any{"type": "STRING"}
	return map[string]any{"anyOf": []any{text, map[string]any{"type": "NUMBER"}, map[string]any{"type": "BOOLEAN"},
		map[string]any{"type": "ARRAY", "items": map[string]any{"type": "STRING"}}}}
}

// describe adds words, title and default; where anyOf must stand alone, to its first alternative.
func (u *unrolling) describe(out, m map[string]any, said string) {
	at := first(out)
	if text := join(textOf(m["description"]), textOf(at["description"]), said); text != "" {
		at["description"] = text
	}
	for _, keyword := range []string{"title", "default"} {
		if value, given := m[keyword]; given {
			at[keyword] = value
		}
	}
}

// first is where words can stand.
func first(out map[string]any) map[string]any {
	for {
		parts := listOf(out["anyOf"])
		if len(parts) == 0 {
			return out
		}
		out = objectOf(parts[0])
	}
}

// shape writes a schema that has no references and no allOf.
func (u *unrolling) shape(m map[string]any, takes types, path string, depth int) (map[string]any, []string) {
	kinds := takes &^ null
	if takes == anything {
		kinds = guess(m)
	}
	var out map[string]any
	var said []string
	keyword := "anyOf"
	if m[keyword] == nil {
		keyword = "oneOf"
	}
	switch parts := listOf(m[keyword]); {
	case takes == 0:
		out, said = whatever(), []string{"Leave this out, no value fits."}
	case kinds == 0:
		out, said = map[string]any{"type": "STRING"}, []string{"Must be null."}
	case parts != nil && !(kinds == object && (m["properties"] != nil || m["required"] != nil)):
		out, said = u.alternatives(m, keyword, path, depth)
	case kinds&object != 0 && kinds&text != 0 && m["properties"] == nil:
		u.note(path, "any value is welcome, but only texts, numbers, booleans and lists of texts can be sent")
		out = whatever()
		for _, keyword := range asserting {
			if value, given := m[keyword]; given {
				said = append(said, u.spoken(path, rule{keyword, value}))
			}
		}
	default:
		out, said = u.byKind(m, kinds, path, depth)
	}
	if takes != anything && takes&null != 0 {
		first(out)["nullable"] = true
	}
	return out, said
}

// alternatives gives each alternative what is said beside them, and drops those that only let null through.
func (u *unrolling) alternatives(m map[string]any, keyword, path string, depth int) (map[string]any, []string) {
	beside := map[string]any{}
	for name, value := range m {
		if !slices.Contains([]string{keyword, "title", "description", "default"}, name) {
			beside[name] = value
		}
	}
	var all []any
	takes := u.takes(beside) &^ null
	for i, part := range listOf(m[keyword]) {
		if u.takes(part)&takes == 0 {
			continue
		}
		whole := map[string]any{"allOf": []any{part, beside}}
		one := u.node(whole, canon.Index(canon.Child(path, keyword), i), depth+1)
		if inner := listOf(one["anyOf"]); inner != nil {
			all = append(all, inner...)
		} else {
			all = append(all, one)
		}
	}
	if len(all) == 1 {
		return objectOf(all[0]), nil
	}
	if keyword == "oneOf" {
		u.note(canon.Child(path, keyword), "oneOf is sent as anyOf")
		return map[string]any{"anyOf": all}, []string{"Exactly one of the alternatives must fit."}
	}
	return map[string]any{"anyOf": all}, nil
}

// byKind writes one schema per type; a whole number is a number where both are welcome.
func (u *unrolling) byKind(m map[string]any, kinds types, path string, depth int) (map[string]any, []string) {
	var all []any
	var said []string
	for _, word := range kinds.list() {
		one, more := u.kind(m, typeWords[textOf(word)], path, depth)
		if len(more) > 0 && !slices.Contains(said, more[0]) {
			said = append(said, more...)
		}
		all = append(all, one)
	}
	if len(all) == 1 {
		return objectOf(all[0]), said
	}
	return map[string]any{"anyOf": all}, said
}

// guess reads the type that a schema without one has in mind.
func guess(m map[string]any) types {
	for _, hint := range []struct {
		kind     types
		keywords []string
	}{
		{object, []string{"properties", "required", "additionalProperties", "minProperties", "maxProperties", "patternProperties", "propertyNames"}},
		{array, []string{"items", "prefixItems", "contains", "minItems", "maxItems", "uniqueItems"}},
		{text, []string{"pattern", "format", "minLength", "maxLength", "contentEncoding", "contentMediaType"}},
		{number, []string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}},
	} {
		for _, keyword := range hint.keywords {
			if _, given := m[keyword]; given {
				return hint.kind
			}
		}
	}
	return anything
}
