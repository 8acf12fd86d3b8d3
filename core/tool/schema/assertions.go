package schema

import (
	"math"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

var (
	unlimited = math.Inf(1)
	anySize   = sizes{span{0, unlimited}, span{0, unlimited}, span{0, unlimited}}
)

// sizes are the limits on length, items and properties.
type sizes struct{ length, items, properties span }

type span struct{ least, most float64 }

// bound is one of the four limits on a number.
type bound struct {
	limit  float64
	broken func(v, limit float64) bool
	want   string
}

// values is the list of an enum, or the one of a const. Scalars are found at once, whatever the number of them.
type values struct {
	list    any // as it was written
	scalars map[any]bool
	others  []any
}

func newValues(list any, items []any) *values {
	s := &values{list: list, scalars: map[any]bool{}}
	for _, item := range items {
		if isScalar(item) {
			s.scalars[item] = true
		} else {
			s.others = append(s.others, item)
		}
	}
	return s
}

func isScalar(v any) bool {
	switch v.(type) {
	case nil, bool, float64, string:
		return true
	}
	return false
}

// assertions reads the vocabulary validation and pattern, which belongs to it.
func (b *builder) assertions() {
	n, s := b.n, b.doc
	if types, several := s["type"].([]any); several {
		n.types = types
	} else if s["type"] != nil {
		n.types = []any{s["type"]}
	}
	if list, given := s["enum"].([]any); given {
		n.enum = newValues(list, list)
	}
	if only, given := s["const"]; given {
		n.only = newValues(only, []any{only})
	}
	for _, rule := range []struct {
		keyword string
		broken  func(v, limit float64) bool
		want    string
	}{
		{"minimum", func(v, l float64) bool { return v < l }, "want at least %v"},
		{"maximum", func(v, l float64) bool { return v > l }, "want at most %v"},
		{"exclusiveMinimum", func(v, l float64) bool { return v <= l }, "want more than %v"},
		{"exclusiveMaximum", func(v, l float64) bool { return v >= l }, "want less than %v"},
	} {
		if limit, given := s[rule.keyword].(float64); given {
			n.bounds = append(n.bounds, bound{limit, rule.broken, rule.want})
		}
	}
	n.multipleOf, _ = s["multipleOf"].(float64)
	n.sizes = sizes{b.span("Length"), b.span("Items"), b.span("Properties")}
	n.unique = s["uniqueItems"] == true
	n.required = texts(s["required"])
	dependent, _ := s["dependentRequired"].(map[string]any)
	for _, name := range sortedKeys(dependent) {
		n.dependentOn = append(n.dependentOn, needs{name, texts(dependent[name])})
	}
	if least, given := s["minContains"].(float64); given {
		n.minContains = least
	}
	if most, given := s["maxContains"].(float64); given {
		n.maxContains = most
	}
	if text, given := s["pattern"].(string); given {
		n.pattern = b.compilePattern(text, func() string { return canon.Child(n.at(), "pattern") })
	}
}

// span reads a pair such as minItems and maxItems.
func (b *builder) span(unit string) span {
	s := span{0, unlimited}
	if least, given := b.doc["min"+unit].(float64); given {
		s.least = least
	}
	if most, given := b.doc["max"+unit].(float64); given {
		s.most = most
	}
	return s
}
