package canon

import (
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Encode returns the canonical bytes of a tree (RFC 8785).
//
// NaN, infinities, strings that are not UTF-8 (an unpaired surrogate among them), Go types that are no tree, and trees
// nested over 1000 deep (which a cycle is) are refused: *fault.Error, code invalid_value, with the path.
func Encode(v any) ([]byte, error) { return Append(nil, v) }

// Append appends the canonical bytes of a tree to dst. With an error it returns dst as it was given.
func Append(dst []byte, v any) ([]byte, error) {
	e := encoder{dst: dst}
	if r := e.value(v, maxDepth); r != nil {
		return dst, r.fault(fault.InvalidValue)
	}
	return e.dst, nil
}

// Canonical returns the canonical bytes of a JSON text that Decode accepts.
func Canonical(text []byte, nesting int) ([]byte, error) {
	v, err := Decode(text, nesting)
	if err != nil {
		return nil, err
	}
	return Append(make([]byte, 0, len(text)), v)
}

// maxDepth ends the walk of a tree of our own making that refers to itself; what strangers send was bounded by Decode.
const maxDepth = 1000

type encoder struct {
	dst     []byte
	members []member // the members of all open objects
}

type member struct {
	name  string
	value any
}

func refuse(format string, args ...any) *refusal {
	return &refusal{message: fmt.Sprintf(format, args...)}
}

func (e *encoder) value(v any, left int) *refusal {
	switch v := v.(type) {
	case nil:
		e.dst = append(e.dst, "null"...)
	case bool:
		if v {
			e.dst = append(e.dst, "true"...)
		} else {
			e.dst = append(e.dst, "false"...)
		}
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return refuse("%v has no JSON form", v)
		}
		e.dst = appendNumber(e.dst, v)
	case string:
		return e.string(v)
	case []any:
		return e.array(v, left-1)
	case map[string]any:
		return e.object(v, left-1)
	default:
		return refuse("Go type %T has no JSON form", v)
	}
	return nil
}

func (e *encoder) string(s string) *refusal {
	if !utf8.ValidString(s) {
		return refuse("string is not UTF-8, or holds an unpaired surrogate")
	}
	e.dst = appendString(e.dst, s)
	return nil
}

func (e *encoder) array(items []any, left int) *refusal {
	if left < 0 {
		return refuse("nested too deep, or a cycle")
	}
	e.dst = append(e.dst, '[')
	for i, v := range items {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		if r := e.value(v, left); r != nil {
			return r.in(item(i))
		}
	}
	e.dst = append(e.dst, ']')
	return nil
}

func (e *encoder) object(object map[string]any, left int) *refusal {
	if left < 0 {
		return refuse("nested too deep, or a cycle")
	}
	base := len(e.members)
	for name, v := range object {
		e.members = append(e.members, member{name, v})
	}
	// An inner object may move the list elsewhere; this part stays as it is here.
	members := e.members[base:]
	slices.SortFunc(members, func(a, b member) int { return compareUTF16(a.name, b.name) })
	e.dst = append(e.dst, '{')
	for i, m := range members {
		if i > 0 {
			e.dst = append(e.dst, ',')
		}
		if r := e.string(m.name); r != nil {
			return r.in(key(m.name))
		}
		e.dst = append(e.dst, ':')
		if r := e.value(m.value, left); r != nil {
			return r.in(key(m.name))
		}
	}
	e.dst = append(e.dst, '}')
	e.members = e.members[:base]
	return nil
}

// compareUTF16 orders UTF-8 strings by their UTF-16 code units (RFC 8785 section 3.2.3). That is the order of the bytes
// with one exception: characters above U+FFFF (lead byte F0 and up) are written in surrogates, D800 to DFFF, and so come
// before U+E000 to U+FFFF (lead bytes EE and EF).
func compareUTF16(a, b string) int {
	for i := range min(len(a), len(b)) {
		x, y := a[i], b[i]
		if x == y {
			continue
		}
		if x >= 0xEE && y >= 0xEE && (x >= 0xF0) != (y >= 0xF0) {
			return int(y) - int(x)
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}
