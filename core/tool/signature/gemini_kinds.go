package signature

import (
	"math"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// geminiKind is what Gemini's schema can say of one type: its word, the keywords that it has, those that only words can say, and
// the formats that it knows.
type geminiKind struct {
	word    string
	has     []string
	lacks   []string
	formats []string
}

func geminiKindOf(kind types) geminiKind {
	never := []string{"not", "$dynamicRef"}
	bounds, between := []string{"minimum", "maximum"}, []string{"exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
	switch kind {
	case text:
		return geminiKind{"STRING", []string{"minLength", "maxLength", "pattern"},
			append(never, "contentEncoding", "contentMediaType", "contentSchema"), []string{"date-time", "enum"}}
	case integer:
		return geminiKind{"INTEGER", bounds, append(never, between...), []string{"int32", "int64"}}
	case number, fraction:
		return geminiKind{"NUMBER", bounds, append(never, between...), []string{"float", "double"}}
	case boolean:
		return geminiKind{"BOOLEAN", nil, never, nil}
	case array:
		return geminiKind{"ARRAY", []string{"minItems", "maxItems"},
			append(never, "uniqueItems", "contains", "minContains", "maxContains", "unevaluatedItems"), nil}
	}
	return geminiKind{"OBJECT", []string{"minProperties", "maxProperties"}, nil, nil}
}

// kind writes a schema of one type and returns what only words can say.
func (u *unrolling) kind(m map[string]any, kind types, path string, depth int) (map[string]any, []string) {
	if kind == object {
		flat := u.flatten(m)
		out, said := u.object(flat.schema, path, depth)
		if out == nil {
			u.note(path, "an object without declared properties is asked for as JSON text")
			out = asText(object)
		}
		return out, append(u.spokenAll(path, flat.rules), said...)
	}
	out, said := u.plain(m, geminiKindOf(kind), path)
	if condition, given := m["if"]; given {
		said = append(said, u.spoken(path, rule{"", map[string]any{"if": condition, "then": orTrue(m["then"]), "else": orTrue(m["else"])}}))
	}
	if kind == array {
		return out, append(said, u.array(m, out, path, depth)...)
	}
	return out, append(said, u.values(m, kind, out, path)...)
}

func orTrue(schema any) any {
	if schema == nil {
		return true
	}
	return schema
}

// plain writes the type and the keywords that are the same in OpenAPI.
func (u *unrolling) plain(m map[string]any, k geminiKind, path string) (map[string]any, []string) {
	out, said := map[string]any{"type": k.word}, []string{}
	for _, keyword := range sortedKeys(m) {
		value := m[keyword]
		size, isSize := value.(float64)
		wide := isSize && keyword != "minimum" && keyword != "maximum" && size > math.MaxInt32
		switch {
		case slices.Contains(k.has, keyword) && !wide && (keyword != "pattern" || portable(textOf(value))):
			out[keyword] = value
		case slices.Contains(k.has, keyword), slices.Contains(k.lacks, keyword):
			said = append(said, u.spoken(path, rule{keyword, value}))
		case keyword == "format" && slices.Contains(k.formats, textOf(value)) && value != "enum":
			out[keyword] = value
		case keyword == "format" && k.word == "STRING":
			said = append(said, u.spoken(path, rule{keyword, value}))
		}
	}
	return out, said
}

// values writes enum and const, which Gemini has for texts only, none of them empty.
func (u *unrolling) values(m map[string]any, kind types, out map[string]any, path string) []string {
	var said []string
	for _, keyword := range []string{"enum", "const"} {
		value, given := m[keyword]
		if !given {
			continue
		}
		list := []any{value}
		if keyword == "enum" {
			list = listOf(value)
		}
		texts := different(list)
		if kind == text && out["enum"] == nil && len(texts) > 0 && !slices.Contains(texts, any("")) {
			out["enum"] = texts
		} else {
			said = append(said, u.spoken(path, rule{keyword, value}))
		}
	}
	return said
}

// different are the texts of a list, each once.
func different(list []any) []any {
	all, seen := []any{}, map[string]bool{}
	for _, one := range list {
		if text, ok := one.(string); ok && !seen[text] {
			seen[text] = true
			all = append(all, text)
		}
	}
	return all
}

// array always has items: those of the schema, or one alternative for each place at the front.
func (u *unrolling) array(m, out map[string]any, path string, depth int) []string {
	said := u.values(m, array, out, path)
	items, given := m["items"]
	front := listOf(m["prefixItems"])
	if len(front) > 0 {
		said = append(said, u.spoken(path, rule{"prefixItems", m["prefixItems"]}))
		if items != nil && items != false {
			front = append(slices.Clone(front), items)
		}
		items, given = map[string]any{"anyOf": front}, true
	}
	if !given {
		items = true
	}
	out["items"] = u.node(items, canon.Child(path, "items"), depth+1)
	return said
}

// object writes a flat object schema; nil where nothing is declared.
func (u *unrolling) object(m map[string]any, path string, depth int) (map[string]any, []string) {
	out, said := u.plain(m, geminiKindOf(object), path)
	if others, given := m["additionalProperties"]; given && others != true && show(others) != "{}" {
		said = append(said, u.spoken(path, rule{"additionalProperties", others}))
	}
	declared := objectOf(m["properties"])
	properties := map[string]any{}
	for _, name := range append(sortedKeys(declared), undeclared(m)...) {
		at := canon.Child(canon.Child(path, "properties"), name)
		part, given := declared[name]
		if !given {
			part = true
		}
		one := u.node(part, at, depth+1)
		if said := u.standsFor(name, at); said != "" {
			at := first(one)
			at["description"] = join(said, textOf(at["description"]))
		}
		properties[u.key(name)] = one
	}
	if len(properties) == 0 {
		return nil, said
	}
	out["properties"] = properties
	if required := listOf(m["required"]); len(required) > 0 {
		out["required"] = u.keyList(required)
	}
	return out, said
}
