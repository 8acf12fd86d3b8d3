package tool

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// explainer finds the first place where a value that the validator refused breaks its schema. It knows the keywords that tools
// use; what it does not know it does not judge.
type explainer struct{ root any }

type breach struct{ path, text string }

// deepest bounds the walk; a value that deep was refused by the decoder.
const deepest = 256

func (e explainer) breach(schema, v any, path string, depth int) *breach {
	s, ok := schema.(map[string]any)
	if !ok || depth > deepest {
		if schema == false {
			return &breach{path, "nothing is allowed here, got " + show(v)}
		}
		return nil
	}
	if ref, ok := s["$ref"].(string); ok {
		if b := e.breach(e.resolve(ref), v, path, depth+1); b != nil {
			return b
		}
	}
	if b := e.own(s, v, path); b != nil {
		return b
	}
	for _, part := range listOf(s["allOf"]) {
		if b := e.breach(part, v, path, depth+1); b != nil {
			return b
		}
	}
	switch v := v.(type) {
	case map[string]any:
		return e.object(s, v, path, depth)
	case []any:
		return e.array(s, v, path, depth)
	}
	return nil
}

// resolve follows a reference into the schema itself; what it cannot follow it takes for true.
func (e explainer) resolve(ref string) any {
	pointer, local := strings.CutPrefix(ref, "#")
	if !local || pointer != "" && pointer[0] != '/' {
		return true
	}
	at := e.root
	for _, step := range strings.Split(pointer, "/")[1:] {
		step = strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
		switch here := at.(type) {
		case map[string]any:
			at = here[step]
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(here) {
				return true
			}
			at = here[i]
		}
	}
	return at
}

// own judges the keywords about the value itself.
func (e explainer) own(s map[string]any, v any, path string) *breach {
	wrong := func(format string, args ...any) *breach {
		return &breach{path, fmt.Sprintf(format, args...) + ", got " + show(v)}
	}
	if want, given := s["type"]; given && !isType(v, want) {
		return wrong("want %s", typeText(want))
	}
	if want, given := s["enum"]; given && !slices.ContainsFunc(listOf(want), func(w any) bool { return same(w, v) }) {
		return wrong("want one of %s", show(want))
	}
	if want, given := s["const"]; given && !same(want, v) {
		return wrong("want %s", show(want))
	}
	if pattern, given := s["pattern"].(string); given {
		text, isText := v.(string)
		if re, err := regexp.Compile(pattern); isText && err == nil && !re.MatchString(text) {
			return wrong("want a text that matches %s", clip(pattern))
		}
	}
	size, unit := 0.0, ""
	switch v := v.(type) {
	case float64:
		for _, rule := range []struct {
			keyword string
			broken  func(limit float64) bool
			text    string
		}{
			{"minimum", func(l float64) bool { return v < l }, "want at least %v"}, {"maximum", func(l float64) bool { return v > l }, "want at most %v"},
			{"exclusiveMinimum", func(l float64) bool { return v <= l }, "want more than %v"}, {"exclusiveMaximum", func(l float64) bool { return v >= l }, "want less than %v"},
		} {
			if limit, given := s[rule.keyword].(float64); given && rule.broken(limit) {
				return wrong(rule.text, limit)
			}
		}
		return nil
	case string:
		size, unit = float64(len([]rune(v))), "Length"
	case []any:
		size, unit = float64(len(v)), "Items"
	case map[string]any:
		size, unit = float64(len(v)), "Properties"
	}
	if limit, given := s["min"+unit].(float64); given && size < limit {
		return wrong("want %s of at least %v", strings.ToLower(unit), limit)
	}
	if limit, given := s["max"+unit].(float64); given && size > limit {
		return wrong("want %s of at most %v", strings.ToLower(unit), limit)
	}
	return nil
}

func (e explainer) object(s, v map[string]any, path string, depth int) *breach {
	declared, _ := s["properties"].(map[string]any)
	for _, name := range listOf(s["required"]) {
		name, _ := name.(string)
		if _, given := v[name]; given {
			continue
		}
		var strangers []string
		for _, key := range sortedKeys(v) {
			if _, known := declared[key]; !known {
				strangers = append(strangers, key)
			}
		}
		if near := canon.Nearest(name, strangers); near != "" {
			return &breach{path, fmt.Sprintf("%q is missing; %q was given, did you mean %q?", name, near, name)}
		}
		return &breach{path, fmt.Sprintf("%q is missing", name)}
	}
	for _, name := range sortedKeys(v) {
		part, known := declared[name]
		if !known {
			part = s["additionalProperties"]
			if part == false && s["patternProperties"] == nil {
				text := fmt.Sprintf("%q is not a declared name", clip(name))
				if near := canon.Nearest(name, sortedKeys(declared)); near != "" {
					text += fmt.Sprintf("; did you mean %q?", near)
				}
				return &breach{path, text}
			}
		}
		if b := e.breach(part, v[name], canon.Child(path, name), depth+1); b != nil && (known || s["patternProperties"] == nil) {
			return b
		}
	}
	return nil
}

func (e explainer) array(s map[string]any, v []any, path string, depth int) *breach {
	first := listOf(s["prefixItems"])
	for i, item := range v {
		part := s["items"]
		if i < len(first) {
			part = first[i]
		}
		if b := e.breach(part, item, canon.Index(path, i), depth+1); b != nil {
			return b
		}
	}
	return nil
}

func isType(v, want any) bool {
	if types, several := want.([]any); several {
		return slices.ContainsFunc(types, func(t any) bool { return isType(v, t) })
	}
	n, isNumber := v.(float64)
	switch v.(type) {
	case nil:
		return want == "null"
	case bool:
		return want == "boolean"
	case string:
		return want == "string"
	case []any:
		return want == "array"
	case map[string]any:
		return want == "object"
	}
	return isNumber && (want == "number" || want == "integer" && n == float64(int64(n)))
}

func typeText(want any) string {
	types := listOf(want)
	if types == nil {
		return fmt.Sprint(want)
	}
	texts := make([]string, len(types))
	for i, t := range types {
		texts[i] = fmt.Sprint(t)
	}
	return strings.Join(texts, " or ")
}

func listOf(v any) []any {
	items, _ := v.([]any)
	return items
}

func sortedKeys(v map[string]any) []string { return slices.Sorted(maps.Keys(v)) }

func same(a, b any) bool {
	x, errX := canon.Encode(a)
	y, errY := canon.Encode(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

func show(v any) string {
	text, err := canon.Encode(v)
	if err != nil {
		return "a value that is not JSON"
	}
	return clip(string(text))
}

// clip keeps messages short, whatever the length of a value or a name that a tool or a model chose.
func clip(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "…"
}
