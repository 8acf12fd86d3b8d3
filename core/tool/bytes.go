package tool

import (
	"encoding/base64"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool/schema"
)

// MapBytes returns arguments in which every string that the schema declares with `contentEncoding: base64` is replaced by what
// f makes of it. It follows properties, additionalProperties, items, prefixItems and references into the schema; where several
// schemas apply to one value (allOf and the like), only those. Without such a string it returns args as they are.
func (r *Revision) MapBytes(args any, f func(path, text string) (any, error)) (any, error) {
	if !r.hasBytes {
		return args, nil
	}
	return byteMapper{pointers{r.definition.Parameters}, f}.value(r.definition.Parameters, args, "$", 0)
}

// mentionsBytes is a cheap look that most tools pass without a walk.
func mentionsBytes(canonical string) bool {
	return strings.Contains(canonical, `"contentEncoding":"base64"`)
}

func checkBytes(path, text string) (any, error) {
	if _, err := base64.StdEncoding.Strict().DecodeString(text); err != nil {
		return nil, fault.At(fault.InvalidArguments, path, "%s: want base64 with padding, got %s", path, schema.Show(text))
	}
	return text, nil
}

type byteMapper struct {
	pointers
	f func(path, text string) (any, error)
}

func (m byteMapper) value(schema, v any, path string, depth int) (any, error) {
	s, ok := schema.(map[string]any)
	if !ok || depth > deepest {
		return v, nil
	}
	if ref, ok := s["$ref"].(string); ok {
		var err error
		if v, err = m.value(m.resolve(ref), v, path, depth+1); err != nil {
			return nil, err
		}
	}
	switch v := v.(type) {
	case string:
		if s["contentEncoding"] == "base64" {
			return m.f(path, v)
		}
	case map[string]any:
		return m.object(s, v, path, depth)
	case []any:
		return m.array(s, v, path, depth)
	}
	return v, nil
}

func (m byteMapper) object(s, v map[string]any, path string, depth int) (any, error) {
	declared, _ := s["properties"].(map[string]any)
	out := make(map[string]any, len(v))
	for _, name := range sortedKeys(v) {
		part, known := declared[name]
		if !known {
			part = s["additionalProperties"]
		}
		var err error
		if out[name], err = m.value(part, v[name], canon.Child(path, name), depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (m byteMapper) array(s map[string]any, v []any, path string, depth int) (any, error) {
	first := listOf(s["prefixItems"])
	out := make([]any, len(v))
	for i, item := range v {
		part := s["items"]
		if i < len(first) {
			part = first[i]
		}
		var err error
		if out[i], err = m.value(part, item, canon.Index(path, i), depth+1); err != nil {
			return nil, err
		}
	}
	return out, nil
}
