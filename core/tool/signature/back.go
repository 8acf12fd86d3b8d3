package signature

import (
	"regexp"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// way leads arguments back from what a provider was shown to what the schema says.
type way struct{ *shown }

// back reads v, of which the schemas may speak, each of them in force or an alternative.
func (w way) back(schemas []any, v any, path string) (any, error) {
	switch v := v.(type) {
	case string:
		return w.text(schemas, v), nil
	case []any:
		return w.array(w.facets(schemas), v, path)
	case map[string]any:
		return w.object(w.facets(schemas), v, path)
	}
	return v, nil
}

// facets are the schemas that may apply to the same value, references and combinators followed. Each is there once, so that the
// work is bounded by the schema's size.
func (w way) facets(schemas []any) []map[string]any {
	var all []map[string]any
	seen := map[string]bool{}
	var visit func(schema any)
	visit = func(schema any) {
		m, ok := schema.(map[string]any)
		if !ok {
			return
		}
		all = append(all, m)
		if ref, ok := m["$ref"].(string); ok && !seen[ref] {
			seen[ref] = true
			if target, found := w.source.resolve(ref); found {
				visit(target)
			}
		}
		for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
			for _, part := range listOf(m[keyword]) {
				visit(part)
			}
		}
		for _, keyword := range []string{"then", "else"} {
			visit(m[keyword])
		}
		dependent := objectOf(m["dependentSchemas"])
		for _, name := range sortedKeys(dependent) {
			visit(dependent[name])
		}
	}
	for _, schema := range schemas {
		visit(schema)
	}
	return all
}

// object gives members their own names and drops the nulls that strict mode forced. Keys are taken in order, so that the same
// breach is reported each time.
func (w way) object(facets []map[string]any, v map[string]any, path string) (any, error) {
	out := make(map[string]any, len(v))
	for _, key := range sortedKeys(v) {
		name := key
		if own, renamed := w.names[key]; renamed && declares(facets, own) {
			name = own
		}
		at := canon.Child(path, name)
		if _, twice := out[name]; twice {
			return nil, refused("%s is given twice, as %.80q too", at, key)
		}
		if _, twice := v[name]; twice && name != key {
			return nil, refused("%s is given twice, as %.80q too", at, key)
		}
		parts, optional := w.member(facets, name)
		if v[key] == nil && w.strict && optional && w.source.some(parts)&null == 0 {
			continue
		}
		var err error
		if out[name], err = w.back(parts, v[key], at); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// declares tells whether a name is one of the schema's: a stranger that happens to look like an alias stays as it is.
func declares(facets []map[string]any, name string) bool {
	for _, m := range facets {
		if _, declared := objectOf(m["properties"])[name]; declared {
			return true
		}
		for _, required := range listOf(m["required"]) {
			if required == name {
				return true
			}
		}
	}
	return false
}

// member lists the schemas of a member, and tells whether one that declares it does without it.
func (w way) member(facets []map[string]any, name string) (parts []any, optional bool) {
	for _, m := range facets {
		part, declared := objectOf(m["properties"])[name]
		if declared {
			parts = append(parts, part)
			required := false
			for _, one := range listOf(m["required"]) {
				required = required || one == name
			}
			optional = optional || !required
			continue
		}
		patterns := objectOf(m["patternProperties"])
		matched := false
		for _, pattern := range sortedKeys(patterns) {
			if re, err := regexp.Compile(pattern); err == nil && re.MatchString(name) {
				parts, matched = append(parts, patterns[pattern]), true
			}
		}
		if others, given := m["additionalProperties"]; given && others != false && !matched {
			parts = append(parts, others)
		}
	}
	return parts, optional
}

// array reads each item by the schemas of its place.
func (w way) array(facets []map[string]any, v []any, path string) (any, error) {
	out := make([]any, len(v))
	for i, item := range v {
		var parts []any
		for _, m := range facets {
			if front := listOf(m["prefixItems"]); i < len(front) {
				parts = append(parts, front[i])
			} else if items, given := m["items"]; given {
				parts = append(parts, items)
			}
		}
		var err error
		if out[i], err = w.back(parts, item, canon.Index(path, i)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// text reads JSON in a text only where no schema takes a text and one takes what the JSON is.
func (w way) text(schemas []any, given string) any {
	if len(schemas) == 0 || given == "" || given != strings.TrimSpace(given) {
		return given
	}
	takes := w.source.some(schemas)
	if takes&text != 0 {
		return given
	}
	value, err := canon.Decode([]byte(given), deepestText)
	if err != nil || value == nil || takes&typeOf(value) == 0 {
		return given
	}
	if typeOf(value)&(array|object) == 0 {
		return value
	}
	// The inner value was written for the same schema, under the same names.
	if read, err := w.back(schemas, value, "$"); err == nil {
		return read
	}
	return given
}

// deepestText is the nesting of JSON inside a text.
const deepestText = 64
