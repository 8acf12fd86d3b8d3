package signature

import "slices"

// folded is a schema with its references in place and its allOf merged in.
type folded struct {
	schema map[string]any
	rules  []rule   // what could not be merged
	refs   []string // that were followed

	members map[string][]any // properties, each with its different schemas
	seen    map[string]bool  // references, required names and schemas of members
}

// rule is a keyword and what it holds; without a keyword it is a schema.
type rule struct {
	keyword string
	value   any
}

// silent keywords say nothing about a value, or only serve references.
var silent = []string{"$schema", "$id", "$anchor", "$dynamicAnchor", "$comment", "$defs", "definitions", "$vocabulary", "examples", "deprecated",
	"readOnly", "writeOnly"}

// asserting keywords let values through or not, or say how to read them. What is in neither list is nobody's keyword.
var asserting = []string{"$dynamicRef", "not", "if", "then", "else", "dependentSchemas", "dependentRequired", "patternProperties", "propertyNames",
	"unevaluatedProperties", "unevaluatedItems", "anyOf", "oneOf", "enum", "const", "minProperties", "maxProperties", "items", "prefixItems",
	"contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "pattern", "format", "minLength", "maxLength", "minimum",
	"maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "contentEncoding", "contentMediaType", "contentSchema"}

func (s *source) fold(m map[string]any) *folded {
	f := &folded{schema: map[string]any{}, members: map[string][]any{}, seen: map[string]bool{}}
	s.absorb(f, m)
	if len(f.members) > 0 {
		properties := make(map[string]any, len(f.members))
		for name, parts := range f.members {
			properties[name] = parts[0]
			if len(parts) > 1 {
				properties[name] = map[string]any{"allOf": parts}
			}
		}
		f.schema["properties"] = properties
	}
	return f
}

// news tells whether something is met for the first time.
func (f *folded) news(kind string, what ...any) bool {
	key := kind + show(what)
	if f.seen[key] {
		return false
	}
	f.seen[key] = true
	return true
}

// absorb merges a part that applies to the same value. What the part says itself comes before what it refers to, so that the
// nearest description wins. Each reference is followed once, so the work is linear.
func (s *source) absorb(f *folded, part any) {
	m, ok := part.(map[string]any)
	if !ok {
		if part == false {
			f.rules = append(f.rules, rule{"", false})
		}
		return
	}
	_, closed := f.schema["additionalProperties"]
	first := len(f.members) == 0 && !closed
	for _, keyword := range sortedKeys(m) {
		f.merge(keyword, m[keyword], first)
	}
	if ref, ok := m["$ref"].(string); ok && f.news("ref", ref) {
		if target, found := s.resolve(ref); found {
			f.refs = append(f.refs, ref)
			s.absorb(f, target)
		} else {
			f.rules = append(f.rules, rule{"$ref", ref})
		}
	}
	for _, part := range listOf(m["allOf"]) {
		s.absorb(f, part)
	}
}

// merge adds one keyword. Two values of it that cannot both be written leave a rule.
func (f *folded) merge(keyword string, value any, first bool) {
	have, taken := f.schema[keyword]
	switch keyword {
	case "properties":
		for name, part := range objectOf(value) {
			if f.news("member", name, part) {
				f.members[name] = append(f.members[name], part)
			}
		}
	case "required":
		names := listOf(have)
		for _, name := range listOf(value) {
			if f.news("required", name) {
				names = append(names, name)
			}
		}
		f.schema[keyword] = names
	case "type":
		both := named(value)
		if taken {
			both &= named(have)
		}
		f.schema[keyword] = both.list()
	case "title", "description", "default":
		if !taken {
			f.schema[keyword] = value
		}
	case "additionalProperties":
		// It speaks of the properties beside it only.
		if first {
			f.schema[keyword] = value
		} else if value != true {
			f.rules = append(f.rules, rule{keyword, value})
		}
	default:
		switch {
		case !slices.Contains(asserting, keyword) || taken && same(have, value):
		case taken:
			f.rules = append(f.rules, rule{keyword, value})
		default:
			f.schema[keyword] = value
		}
	}
}

// list writes a set of types as a type keyword does.
func (t types) list() []any {
	all := []any{}
	for _, word := range []string{"null", "boolean", "integer", "number", "string", "array", "object"} {
		if bits := typeWords[word]; t&bits == bits && (word != "integer" || t&fraction == 0) {
			all = append(all, word)
		}
	}
	return all
}

// betweenNames are the rules of an object that go beyond its declared properties.
var betweenNames = []string{"anyOf", "oneOf", "not", "dependentSchemas", "dependentRequired", "propertyNames",
	"unevaluatedProperties", "enum", "const", "$dynamicRef"}

// flatten leaves an object schema without combinators and the rules that it lost by that. Parameters that only alternatives
// declare become optional ones, with the schemas that the alternatives have for them.
func (s *source) flatten(m map[string]any) *folded {
	f := s.fold(m)
	if f.schema["additionalProperties"] != false {
		declared := objectOf(f.schema["properties"])
		merged := map[string]any{}
		for name, variants := range s.offers(f.schema) {
			merged[name] = variants[0]
			if len(variants) > 1 {
				merged[name] = map[string]any{"anyOf": variants}
			}
		}
		for name, part := range declared {
			merged[name] = part
		}
		if len(merged) > 0 {
			f.schema["properties"] = merged
		}
	}
	if patterned, given := takePatterns(f.schema); given {
		f.rules = append(f.rules, patterned)
	}
	for _, keyword := range betweenNames {
		if value, given := f.schema[keyword]; given {
			f.rules = append(f.rules, rule{keyword, value})
			delete(f.schema, keyword)
		}
	}
	condition := map[string]any{}
	for _, keyword := range []string{"if", "then", "else"} {
		if value, given := f.schema[keyword]; given {
			condition[keyword] = value
			delete(f.schema, keyword)
		}
	}
	if _, given := condition["if"]; given && len(condition) > 1 {
		f.rules = append(f.rules, rule{"", condition})
	}
	return f
}

// takePatterns takes patternProperties away, and with it what it says of the other keys: alone, that would forbid those with the
// pattern.
func takePatterns(m map[string]any) (rule, bool) {
	patterns, given := m["patternProperties"]
	if !given {
		return rule{}, false
	}
	delete(m, "patternProperties")
	others, given := m["additionalProperties"]
	if !given {
		return rule{"patternProperties", patterns}, true
	}
	delete(m, "additionalProperties")
	return rule{"", map[string]any{"patternProperties": patterns, "additionalProperties": others}}, true
}

// offers lists the properties that alternatives declare, each with its different schemas.
func (s *source) offers(m map[string]any) map[string][]any {
	out, seen := map[string][]any{}, map[string]bool{}
	var visit func(schema any, own bool)
	visit = func(schema any, own bool) {
		part, ok := schema.(map[string]any)
		if !ok {
			return
		}
		if own {
			declared := objectOf(part["properties"])
			for _, name := range sortedKeys(declared) {
				if variant := show([]any{name, declared[name]}); !seen[variant] {
					seen[variant] = true
					out[name] = append(out[name], declared[name])
				}
			}
			if ref, ok := part["$ref"].(string); ok && !seen[ref] {
				seen[ref] = true
				if target, found := s.resolve(ref); found {
					visit(target, true)
				}
			}
			for _, inner := range listOf(part["allOf"]) {
				visit(inner, true)
			}
		}
		for _, keyword := range []string{"anyOf", "oneOf"} {
			for _, inner := range listOf(part[keyword]) {
				visit(inner, true)
			}
		}
		for _, keyword := range []string{"then", "else"} {
			visit(part[keyword], true)
		}
		dependent := objectOf(part["dependentSchemas"])
		for _, name := range sortedKeys(dependent) {
			visit(dependent[name], true)
		}
	}
	visit(m, false)
	return out
}
