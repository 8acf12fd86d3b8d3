package schema

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// value judges what needs no look inside.
func (e *evaluation) value(n *node, v any, at *place) verdict {
	if n.types != nil && !slices.ContainsFunc(n.types, func(t any) bool { return isType(v, t) }) {
		return e.wrong(at, v, "want %s", typeText{n.types})
	}
	if n.enum != nil && !e.among(n.enum, v) {
		return e.unlisted(at, v, "want one of %s", n.enum.list)
	}
	if n.only != nil && !e.among(n.only, v) {
		return e.unlisted(at, v, "want %s", n.only.list)
	}
	switch v := v.(type) {
	case float64:
		for _, b := range n.bounds {
			if b.broken(v, b.limit) {
				return e.wrong(at, v, b.want, b.limit)
			}
		}
		if n.multipleOf > 0 && !isMultiple(v, n.multipleOf) {
			return e.wrong(at, v, "want a multiple of %v", n.multipleOf)
		}
	case string:
		if n.sizes.length.limits() {
			if !e.spend(len(v) / 64) {
				return fails
			}
			if result := e.size(n.sizes.length, utf8.RuneCountInString(v), "length", v, at); result == fails {
				return fails
			}
		}
		if n.pattern != nil {
			if result := e.matches(n.pattern, v); result != fails {
				return result
			}
			return e.wrong(at, v, "want a text that matches %s", clip(n.pattern.text))
		}
	case []any:
		return e.size(n.sizes.items, len(v), "items", v, at)
	case map[string]any:
		return e.size(n.sizes.properties, len(v), "properties", v, at)
	}
	return holds
}

func (s span) limits() bool { return s.least > 0 || s.most < unlimited }

func (e *evaluation) size(s span, n int, unit string, v any, at *place) verdict {
	switch {
	case float64(n) < s.least:
		return e.wrong(at, v, "want %s of at least %v", unit, s.least)
	case float64(n) > s.most:
		return e.wrong(at, v, "want %s of at most %v", unit, s.most)
	}
	return holds
}

// among finds a scalar at once and compares lists and objects one by one.
func (e *evaluation) among(s *values, v any) bool {
	if isScalar(v) {
		return s.scalars[v]
	}
	return slices.ContainsFunc(s.others, func(w any) bool { return e.equal(v, w) })
}

// matches pays for the text before it is read.
func (e *evaluation) matches(p *pattern, text string) verdict {
	if p.re == nil {
		return unsure
	}
	if !e.spend(1 + len(text)*p.effort/10) {
		return fails
	}
	return verdictOf(p.re.MatchString(text))
}

// isType counts 1.0 as an integer, as the standard does.
func isType(v, want any) bool {
	switch v := v.(type) {
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
	case float64:
		return want == "number" || want == "integer" && v == math.Trunc(v)
	}
	return false
}

type typeText struct{ types []any }

func (t typeText) String() string {
	parts := make([]string, len(t.types))
	for i, name := range t.types {
		parts[i] = fmt.Sprint(name)
	}
	return strings.Join(parts, " or ")
}

// isMultiple is exact in decimal, as people read numbers: 19.99 is a multiple of 0.01, though its float64 is not.
func isMultiple(v, of float64) bool {
	if v == 0 {
		return true
	}
	a, x := decimal(v)
	b, y := decimal(of)
	if x < y {
		// A divisor that has outgrown a does not divide it.
		for ; x < y; y-- {
			if high, low := bits.Mul64(b, 10); high > 0 || low > a {
				return false
			} else {
				b = low
			}
		}
	}
	a %= b
	for ; x > y && a != 0; x-- {
		high, low := bits.Mul64(a, 10)
		_, a = bits.Div64(high, low, b)
	}
	return a == 0
}

// decimal gives the shortest digits that read as the float64 of |v|, and the power of ten of the last of them.
func decimal(v float64) (digits uint64, power int) {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'e', -1, 64), "e")
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, _ = strconv.ParseUint(whole+fraction, 10, 64)
	power, _ = strconv.Atoi(exponent)
	return digits, power - len(fraction)
}
