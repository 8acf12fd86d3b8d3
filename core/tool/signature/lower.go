package signature

import (
	"maps"
	"regexp"
	"slices"
	"strconv"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// lowering writes JSON Schema for OpenAI (not strict) and Anthropic: a flat root, references only to `#/$defs/…`, legal keys.
type lowering struct {
	*frame
	defs  map[string]any
	names map[string]string // reference → its name in defs
}

// lower returns the parameters and the sentences about what their root lost.
func lower(f *frame) (map[string]any, []string) {
	l := &lowering{frame: f, defs: map[string]any{}, names: map[string]string{}}
	flat := l.flatten(l.root)
	flat.schema["type"] = "object"
	said := l.spokenAll("$.parameters", flat.rules)
	out := l.node(flat.schema, "$.parameters")
	if len(l.defs) > 0 {
		out["$defs"] = l.defs
	}
	return out, said
}

// unsaid are keywords that providers refuse, or that mean something else beside renamed keys.
var unsaid = []string{"propertyNames", "unevaluatedProperties", "unevaluatedItems", "$dynamicRef"}

// node writes any schema but the root. Annotations that no model reads, and members that are nobody's keyword, are dropped.
func (l *lowering) node(schema any, path string) map[string]any {
	m, ok := schema.(map[string]any)
	if !ok {
		if schema == false {
			return map[string]any{"not": map[string]any{}}
		}
		return map[string]any{}
	}
	out, said := map[string]any{}, []string{}
	if _, given := m["patternProperties"]; given {
		m = maps.Clone(m)
		patterned, _ := takePatterns(m)
		said = append(said, l.spoken(path, patterned))
	}
	for _, keyword := range sortedKeys(m) {
		value, at := m[keyword], canon.Child(path, keyword)
		_, isBoolean := value.(bool)
		switch {
		case keyword == "$ref":
			if name, found := l.def(textOf(value)); found {
				out[keyword] = "#/$defs/" + name
			} else {
				said = append(said, l.spoken(path, rule{keyword, value}))
			}
		case slices.Contains(unsaid, keyword), keyword == "pattern" && !portable(textOf(value)), l.namesInside(keyword, value):
			said = append(said, l.spoken(path, rule{keyword, value}))
		case keyword == "enum" && len(listOf(value)) == 0: // an empty list is refused
			out["not"] = map[string]any{}
		case keyword == "additionalProperties" && isBoolean:
			out[keyword] = value
		case keyword == "properties":
			out[keyword] = l.properties(objectOf(value), at)
		case keyword == "required":
			out[keyword] = l.keyList(listOf(value))
		case keyword == "dependentRequired":
			out[keyword] = l.renamed(objectOf(value), func(part any, _ string) any { return l.keyList(listOf(part)) }, at)
		case keyword == "dependentSchemas":
			out[keyword] = l.renamed(objectOf(value), func(part any, at string) any { return l.node(part, at) }, at)
		case slices.Contains(oneSchema, keyword):
			out[keyword] = l.node(value, at)
		case slices.Contains(schemaLists, keyword):
			parts := make([]any, len(listOf(value)))
			for i, part := range listOf(value) {
				parts[i] = l.node(part, canon.Index(at, i))
			}
			out[keyword] = parts
		case slices.Contains(asserting, keyword), slices.Contains([]string{"type", "title", "description", "default", "examples"}, keyword):
			out[keyword] = value
		}
	}
	l.complete(m, out, path)
	if text := join(textOf(m["description"]), said...); text != "" {
		out["description"] = text
	}
	return out
}

// namesInside tells whether values that are listed may hold a parameter that has another name at the provider.
func (l *lowering) namesInside(keyword string, value any) bool {
	var inside types
	switch keyword {
	case "const":
		inside = typeOf(value)
	case "enum":
		inside = typesOf(listOf(value))
	}
	return len(l.keys) > 0 && inside&(object|array) != 0
}

// complete adds what the providers' checkers miss: items of an array, properties of an object, required names among them.
func (l *lowering) complete(m, out map[string]any, path string) {
	given := named(m["type"])
	if missing := undeclared(m); given&object != 0 || len(missing) > 0 && out["properties"] != nil {
		properties := objectOf(out["properties"])
		if properties == nil {
			properties = map[string]any{}
		}
		for _, name := range missing {
			properties[l.key(name)] = map[string]any{}
			if said := l.standsFor(name, canon.Child(path, "required")); said != "" {
				properties[l.key(name)] = map[string]any{"description": said}
			}
		}
		out["properties"] = properties
	}
	if _, items := out["items"]; given&array != 0 && !items {
		out["items"] = map[string]any{}
	}
}

// properties keeps every name, whatever it is called: a legal one as it is, another under its alias.
func (l *lowering) properties(declared map[string]any, path string) map[string]any {
	out := map[string]any{}
	for _, name := range sortedKeys(declared) {
		at := canon.Child(path, name)
		part := l.node(declared[name], at)
		if said := l.standsFor(name, at); said != "" {
			part["description"] = join(said, textOf(part["description"]))
		}
		out[l.key(name)] = part
	}
	return out
}

// renamed writes an object whose keys are parameters.
func (l *lowering) renamed(members map[string]any, f func(part any, path string) any, path string) map[string]any {
	out := map[string]any{}
	for _, name := range sortedKeys(members) {
		out[l.key(name)] = f(members[name], canon.Child(path, name))
	}
	return out
}

// def puts the target of a reference into $defs, once, under its own name where that is plain and free.
func (l *lowering) def(ref string) (string, bool) {
	if name, known := l.names[ref]; known {
		return name, true
	}
	target, found := l.resolve(ref)
	if !found {
		return "", false
	}
	name := "part"
	if own := regexp.MustCompile(`^#/(?:\$defs|definitions)/([A-Za-z][A-Za-z0-9_]{0,47})$`).FindStringSubmatch(ref); own != nil {
		name = own[1]
	}
	for i, base := 2, name; l.defs[name] != nil; i++ {
		name = base + "_" + strconv.Itoa(i)
	}
	l.names[ref] = name
	l.defs[name] = map[string]any{} // taken, while the target may refer to itself
	l.defs[name] = l.node(target, "$.parameters"+place(ref))
	return name, true
}

// place writes where a reference leads as the tail of a path.
func place(ref string) string {
	if len(ref) > 1 && ref[0] == '#' {
		return "[" + clip(show(ref)) + "]"
	}
	return ""
}
