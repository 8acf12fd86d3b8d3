package signature

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// The smallest limits that OpenAI has published for strict schemas. Past them a tool is sent without strict, which costs little.
const (
	strictDepth      = 5
	strictProperties = 100
	strictValues     = 500
	strictCharacters = 15000 // of names, and of enum and const values
)

var (
	strictFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}
	strictAsserts = []string{"enum", "const", "anyOf", "items", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum",
		"exclusiveMaximum", "minItems", "maxItems"}
)

// strictly writes the strict form, in which nothing is lost, or says where and why there is none.
type strictly struct {
	*frame
	defs                           map[string]any
	properties, values, characters int
}

// obstacle is why there is no strict form, and where.
type obstacle struct{ path, text string }

func (o *obstacle) Error() string { return o.path + ": " + o.text }

func obstruct(path, format string, args ...any) error {
	return &obstacle{path, fmt.Sprintf(format, args...)}
}

// strict returns the strict parameters of a tool; the error is an obstacle.
func strict(f *frame) (map[string]any, error) {
	s := &strictly{frame: f, defs: map[string]any{}}
	const path = "$.parameters"
	for _, keyword := range []string{"$ref", "anyOf", "enum", "const"} {
		if _, given := s.root[keyword]; given {
			return nil, obstruct(path, "%s at the root", keyword)
		}
	}
	if s.root["type"] != "object" {
		return nil, obstruct(path, "the root must be an object and nothing else")
	}
	out, err := s.node(s.root, path, 0)
	if err != nil {
		return nil, err
	}
	if len(s.defs) > 0 {
		out["$defs"] = s.defs
	}
	return out, nil
}

// node sorts the keywords: what is supported, what only describes, and what would be lost, which is an obstacle.
func (s *strictly) node(schema any, path string, depth int) (map[string]any, error) {
	m, ok := schema.(map[string]any)
	if !ok {
		return nil, obstruct(path, "a boolean schema")
	}
	out := map[string]any{}
	description := textOf(m["description"])
	asserts := 0
	for _, keyword := range sortedKeys(m) {
		value, at := m[keyword], canon.Child(path, keyword)
		switch {
		case keyword == "contentEncoding" || keyword == "contentMediaType":
			description = join(description, sentence(keyword, value, s.key))
		case keyword == "default" || keyword == "allOf" || slices.Contains(asserting, keyword) && !slices.Contains(strictAsserts, keyword):
			return nil, obstruct(at, "%s is not supported", keyword)
		case keyword == "format" && !slices.Contains(strictFormats, textOf(value)):
			return nil, obstruct(at, "the format %.40q is not supported", textOf(value))
		case keyword == "pattern" && !portable(textOf(value)):
			return nil, obstruct(at, "the pattern is not portable")
		case keyword == "title":
			out[keyword] = value
		case slices.Contains([]string{"items", "anyOf", "properties", "required", "additionalProperties"}, keyword):
			asserts++ // written below
		case slices.Contains(strictAsserts, keyword) || keyword == "$ref" || keyword == "type":
			asserts++
			out[keyword] = value
		}
	}
	var err error
	switch {
	case (m["$ref"] != nil || m["anyOf"] != nil) && asserts > 1:
		return nil, obstruct(path, "other rules beside a reference or anyOf")
	case m["$ref"] != nil:
		out, err = s.ref(textOf(m["$ref"]), path, depth, out)
	case m["anyOf"] != nil:
		out["anyOf"], err = s.alternatives(listOf(m["anyOf"]), canon.Child(path, "anyOf"), depth)
	default:
		err = s.typed(m, out, path, depth)
	}
	if err != nil {
		return nil, err
	}
	if description != "" {
		if out["$ref"] != nil { // nothing may stand beside a reference
			out = map[string]any{"anyOf": []any{out}}
		}
		out["description"] = description
	}
	return out, s.within(path)
}

func (s *strictly) alternatives(parts []any, path string, depth int) ([]any, error) {
	all := make([]any, len(parts))
	for i, part := range parts {
		one, err := s.node(part, canon.Index(path, i), depth)
		if err != nil {
			return nil, err
		}
		all[i] = one
	}
	return all, nil
}

var ownDef = regexp.MustCompile(`^#/\$defs/([A-Za-z][A-Za-z0-9_]{0,47})$`)

// ref keeps references to the root and to plain $defs. A recursion passes the depth limit only in data, so each part counts from
// where it is met first.
func (s *strictly) ref(ref, path string, depth int, out map[string]any) (map[string]any, error) {
	if ref == "#" {
		delete(out, "title")
		return out, nil
	}
	name := ownDef.FindStringSubmatch(ref)
	target, found := s.resolve(ref)
	if name == nil || !found {
		return nil, obstruct(path, "the reference %.60q is neither # nor a plain name in $defs", ref)
	}
	delete(out, "title")
	if _, known := s.defs[name[1]]; known {
		return out, nil
	}
	s.characters += len(name[1])
	s.defs[name[1]] = nil
	part, err := s.node(target, "$.parameters.$defs."+name[1], depth)
	s.defs[name[1]] = part
	return out, err
}

// typed writes a schema of one type or several. A type that enum or const leave unsaid is spelled out, since it must be there.
func (s *strictly) typed(m, out map[string]any, path string, depth int) error {
	takes := s.takes(m)
	if m["type"] == nil {
		if m["enum"] == nil && m["const"] == nil {
			return obstruct(path, "no type")
		}
		out["type"] = takes.list()
		if words := takes.list(); len(words) == 1 {
			out["type"] = words[0]
		}
	}
	if takes == 0 {
		return obstruct(path, "no value fits")
	}
	values := listOf(m["enum"])
	if value, given := m["const"]; given {
		values = append(slices.Clone(values), value)
	}
	for _, value := range values {
		if typeOf(value)&(array|object) != 0 {
			return obstruct(path, "an enum of arrays or objects")
		}
		s.characters += len(show(value))
	}
	s.values += len(values)
	given := named(out["type"])
	if given&(array|object) != 0 && depth == strictDepth {
		return obstruct(path, "nested more than %d deep", strictDepth)
	}
	if given&array != 0 {
		if m["items"] == nil {
			return obstruct(path, "an array without items")
		}
		items, err := s.node(m["items"], canon.Child(path, "items"), depth+1)
		if err != nil {
			return err
		}
		out["items"] = items
	}
	if given&object != 0 {
		return s.object(m, out, path, depth)
	}
	return nil
}

// object requires every property; those that the author left optional take null instead.
func (s *strictly) object(m, out map[string]any, path string, depth int) error {
	if m["additionalProperties"] != false {
		return obstruct(path, "an open object, additionalProperties is not false")
	}
	if missing := undeclared(m); missing != nil {
		return obstruct(path, "%s is required but not declared", clip(show(missing[0])))
	}
	declared := objectOf(m["properties"])
	properties, required := map[string]any{}, []any{}
	if s.properties += len(declared); s.properties > strictProperties {
		return obstruct(path, "more than %d properties", strictProperties)
	}
	for _, name := range sortedKeys(declared) {
		at := canon.Child(canon.Child(path, "properties"), name)
		part, err := s.node(declared[name], at, depth+1)
		if err != nil {
			return err
		}
		if !slices.Contains(listOf(m["required"]), any(name)) {
			part = s.nullable(declared[name], part, at)
		}
		if said := s.standsFor(name, at); said != "" {
			if part["$ref"] != nil {
				part = map[string]any{"anyOf": []any{part}}
			}
			part["description"] = join(said, textOf(part["description"]))
		}
		properties[s.key(name)] = part
		required = append(required, s.key(name))
		s.characters += len(s.key(name))
	}
	out["additionalProperties"], out["properties"], out["required"] = false, properties, required
	return nil
}

// nullable is how strict mode leaves a parameter out.
func (s *strictly) nullable(schema any, part map[string]any, path string) map[string]any {
	if s.takes(schema)&null != 0 {
		s.note(path, "in strict mode it is always given; null stays null")
		return part
	}
	if word, plain := part["type"].(string); plain && part["enum"] == nil && part["const"] == nil {
		part["type"] = []any{word, "null"}
		return part
	}
	out := map[string]any{"anyOf": []any{part, map[string]any{"type": "null"}}}
	if text, given := part["description"]; given {
		delete(part, "description")
		out["description"] = text
	}
	return out
}

func (s *strictly) within(path string) error {
	switch {
	case s.values > strictValues:
		return obstruct(path, "more than %d enum values", strictValues)
	case s.characters > strictCharacters:
		return obstruct(path, "more than %d characters of names and enum values", strictCharacters)
	}
	return nil
}
