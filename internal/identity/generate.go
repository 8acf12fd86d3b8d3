package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// object keeps its members in the order in which they are spelled; literal is a number in a spelling of its own. The rest of a tree is
// nil, bool, string and []any.
type (
	object []member
	member struct {
		name  string
		value any
	}
	literal string
)

// Generate makes two texts of each of so many valid definitions, one after the other: the same definition in two spellings, the second
// in the full form. The same seed gives the same texts, natively and as wasm.
func Generate(seed uint64, count int) []string {
	g := generator{rand.New(rand.NewPCG(seed, 2026))}
	texts := make([]string, 0, 2*count)
	for range count {
		d := g.definition()
		texts = append(texts, spell(g.Rand, d), spell(g.Rand, full(d)))
	}
	return texts
}

// full is a definition with its code in an implementation.
func full(d object) object {
	out := make(object, len(d))
	for i, m := range d {
		if m.name == "code" {
			m = member{"implementation", object{{"class", "sandboxed-code"}, {"language", "javascript"}, m}}
		}
		out[i] = m
	}
	return out
}

type generator struct{ *rand.Rand }

// often is true once in n times.
func (g generator) often(n int) bool { return g.IntN(n) == 0 }

func pick[T any](g generator, of ...T) T { return of[g.IntN(len(of))] }

// definition takes every class, the short and the full form, and optional fields present, absent, and present but empty.
func (g generator) definition() object {
	d := object{{"name", g.name()}, {"description", g.text()}}
	if g.often(3) {
		d = append(d, member{"longDescription", g.text()})
	}
	if !g.often(4) {
		d = append(d, member{"parameters", g.schema()})
	}
	if g.often(3) {
		d = append(d, member{"returns", pick[any](g, true, false, object{}, g.schema(), object{{"const", g.value(3)}})})
	}
	if g.often(4) {
		d = append(d, member{"settings", g.schema()})
	}
	native := false
	switch class := g.IntN(8); {
	case class < 3:
		d = append(d, member{"code", g.source()})
	case class < 6:
		d = append(d, member{"implementation", g.implementation("sandboxed-code",
			member{"language", pick(g, "javascript", "javascript", "python")}, member{"code", g.source()})})
	case class == 6:
		native = true
		d = append(d, member{"implementation", g.implementation("trusted-native",
			member{"native", pick(g, "files.read", "a", "ab")}, member{"version", pick(g, "1", "bc", "c")})})
	default:
		d = append(d, member{"implementation", g.implementation("external-service",
			member{"service", pick(g, "crm", "a", "ab")}, member{"operation", pick(g, "lookup", "bc", "c")})})
	}
	if g.often(2) {
		d = append(d, member{"needs", g.needs(native)})
	}
	if g.often(3) {
		d = append(d, member{"limits", g.limits()})
	}
	return d
}

// implementation spells out, at times, the empty fields of the other classes, which are as good as absent.
func (g generator) implementation(class string, own ...member) object {
	o := append(object{{"class", class}}, own...)
	for _, name := range []string{"language", "code", "native", "version", "service", "operation"} {
		if !o.has(name) && g.often(12) {
			o = append(o, member{name, ""})
		}
	}
	return o
}

func (o object) has(name string) bool {
	for _, m := range o {
		if m.name == name {
			return true
		}
	}
	return false
}

func (g generator) needs(native bool) object {
	o := object{}
	if g.often(2) {
		list := []any{}
		for range g.IntN(3) {
			list = append(list, object{{"origin", pick(g, "https://api.example.com", "https://b.example:8443", "*")}, {"access", pick(g, "read", "write")}})
		}
		o = append(o, member{"fetch", list})
	}
	for _, name := range []string{"subtasks", "storage"} {
		if g.often(3) {
			o = append(o, member{name, g.often(2)})
		}
	}
	if g.often(3) {
		o = append(o, member{"secrets", pick[any](g, []any{}, []any{"API_KEY"}, []any{"B", "A"})})
	}
	if native && g.often(2) {
		o = append(o, member{"popup", pick[any](g, []any{}, []any{"custom-html"}, []any{"https://pay.example.com"})})
	}
	return o
}

func (g generator) limits() object {
	return pick(g, object{}, object{{"timeoutMs", pick(g, literal("0"), "-0", "0.0", "5", "5.0", "3e4", "30000", "3.0E+4", "1000000e-2", "9007199254740991")}})
}

func (g generator) name() string {
	const letters = "ABCXYZabcxyz0129_-"
	var b strings.Builder
	for range 1 + g.IntN(pick(g, 4, 64)) {
		b.WriteByte(letters[g.IntN(len(letters))])
	}
	return b.String()
}

// schema is of type object and holds free data where JSON Schema lets it: default, examples, const, and keywords of nobody.
func (g generator) schema() object {
	s := object{{"type", "object"}}
	if g.often(2) {
		properties := object{}
		for _, name := range g.keys(g.IntN(5)) {
			properties = append(properties, member{name, g.property()})
		}
		s = append(s, member{"properties", properties})
	}
	if g.often(3) {
		s = append(s, member{"required", g.strings(g.keys(g.IntN(3)))})
	}
	if g.often(4) {
		s = append(s, member{"maxProperties", pick(g, literal("10"), "1e1", "10.0", "100E-1")})
	}
	if g.often(3) {
		s = append(s, member{"additionalProperties", g.often(2)})
	}
	if g.often(2) {
		s = append(s, member{"default", g.value(4)})
	}
	if g.often(40) {
		s = append(s, member{"x-deep", g.deep(30)})
	}
	return s
}

func (g generator) property() object {
	p := object{}
	if g.often(2) {
		p = append(p, member{"type", pick[any](g, "string", "number", []any{"null", "array"})})
	}
	for _, keyword := range []string{"default", "const", "x-note"} {
		if g.often(3) {
			p = append(p, member{keyword, g.value(3)})
		}
	}
	if g.often(3) {
		p = append(p, member{"examples", []any{g.value(2), g.value(2)}})
	}
	if g.often(4) {
		p = append(p, member{"description", g.text()})
	}
	return p
}

func (g generator) strings(of []string) []any {
	out := make([]any, len(of))
	for i, text := range of {
		out[i] = text
	}
	return out
}

// value is any data, with more containers than not near the top.
func (g generator) value(depth int) any {
	kind := g.IntN(10)
	if depth == 0 && kind > 4 {
		kind -= 5
	}
	switch kind {
	case 0:
		return nil
	case 1:
		return g.often(2)
	case 2, 3:
		return g.number()
	case 4:
		return g.text()
	case 5:
		return pick[any](g, []any{}, object{}, []any{[]any{}}, object{{"", object{}}}, []any{object{}, []any{object{{"a", []any{}}}}})
	case 6, 7:
		items := make([]any, g.IntN(4))
		for i := range items {
			items[i] = g.value(depth - 1)
		}
		return items
	default:
		o := object{}
		for _, name := range g.keys(g.IntN(6)) {
			o = append(o, member{name, g.value(depth - 1)})
		}
		return o
	}
}

func (g generator) deep(levels int) any {
	var v any = g.number()
	for range levels {
		if g.often(2) {
			v = []any{v}
		} else {
			v = object{{g.key(), v}}
		}
	}
	return v
}

// number is a spelling that every reader takes for one and the same float64.
func (g generator) number() literal {
	switch g.IntN(4) {
	case 0:
		return pick[literal](g, "1.0", "1e0", "1E0", "10e-1", "1E-7", "0.0000001", "1e-6", "-0", "-0.0", "0e5", "5e-324", "-4.9e-324", "2e-324", "1e-400",
			"1e21", "1E+21", "1e20", "100000000000000000000", "295147905179352830000", "0.1", "0.10", "100", "1e2", "9007199254740991",
			"9007199254740992", "9007199254740993.0", "1.7976931348623157e308", "-1.7976931348623157E+308", "2.2250738585072014e-308",
			"333333333.33333329", "4.50", "2e-3", "0.1000000000000000055511151231257827", "9.5e-7", "123456789012345680000")
	case 1:
		return literal(fmt.Sprint(g.Int64N(1<<53) - 1<<52))
	case 2:
		return literal(fmt.Sprintf(pick(g, "%.1f", "%.7f", "%.20f", "%.3e", "%.17E", "%.30e"), g.NormFloat64()*pick(g, 1e-9, 1, 1e6, 1e18)))
	}
	return g.bits()
}
