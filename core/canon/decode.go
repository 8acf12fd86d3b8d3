package canon

import (
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Value is a tree: nil, bool, float64, string, []any or map[string]any.
type Value = any

// Decode reads one strict JSON text (RFC 8259, RFC 7493) into a tree whose arrays and objects nest at most that deep.
//
// Refused beyond plain JSON syntax: text that is not UTF-8, a byte-order mark, an object key given twice (compared after
// unescaping), an unpaired surrogate, a number beyond float64's range, and an integer literal that float64 cannot hold
// exactly, unless it is what JavaScript writes for the float64 it rounds to. A fraction rounds to the nearest float64, -0
// reads as 0, noncharacters are accepted.
//
// The error is a *fault.Error with code invalid_json, the line, the column in characters, and the path.
func Decode(text []byte, nesting int) (any, error) {
	d := decoder{text: text, left: nesting}
	v, r := d.document()
	if r != nil {
		return nil, d.fault(r)
	}
	return v, nil
}

// shareBelow is the size under which all strings of a text share one copy of it: one allocation instead of many, while a
// string that outlives its text holds no more than this many bytes.
const shareBelow = 4 << 10

type decoder struct {
	text   []byte
	shared string // a copy of text when it is small, else ""
	at     int    // offset of the next byte
	left   int    // levels that may still be opened
	items  []any  // the items of all open arrays
	buf    []byte // the string being unescaped
}

func (d *decoder) fail(format string, args ...any) *refusal {
	return &refusal{message: fmt.Sprintf(format, args...), at: d.at}
}

// fault turns a refusal into the public error. Everything before the offset is valid UTF-8.
func (d *decoder) fault(r *refusal) error {
	line, start := 1, 0
	for i, c := range d.text[:r.at] {
		if c == '\n' {
			line, start = line+1, i+1
		}
	}
	column := utf8.RuneCount(d.text[start:r.at]) + 1
	err := fault.At(fault.InvalidJSON, r.path(), "json line %d column %d: %s", line, column, r.message)
	err.Line, err.Column = line, column
	return err
}

// document checks the encoding of the whole text first, so that nothing after it meets a broken character.
func (d *decoder) document() (any, *refusal) {
	if len(d.text) >= 3 && string(d.text[:3]) == "\uFEFF" {
		return nil, d.fail("byte-order mark, remove it")
	}
	if !utf8.Valid(d.text) {
		for {
			if r, size := utf8.DecodeRune(d.text[d.at:]); r != utf8.RuneError || size > 1 {
				d.at += size
				continue
			}
			return nil, d.fail("byte 0x%02x is not UTF-8", d.text[d.at])
		}
	}
	if len(d.text) <= shareBelow {
		d.shared = string(d.text)
	}
	v, r := d.value()
	if r != nil {
		return nil, r
	}
	if d.space(); d.at < len(d.text) {
		return nil, d.fail("%s after the end of the value", d.here())
	}
	return v, nil
}

// here names the next character for a message.
func (d *decoder) here() string {
	if d.at == len(d.text) {
		return "end of text"
	}
	r, _ := utf8.DecodeRune(d.text[d.at:])
	return strconv.QuoteRune(r)
}

func (d *decoder) space() {
	for d.at < len(d.text) {
		switch d.text[d.at] {
		case ' ', '\n', '\r', '\t':
			d.at++
		default:
			return
		}
	}
}

// next skips space and returns the byte there, 0 at the end of the text. No JSON token begins with byte 0.
func (d *decoder) next() byte {
	if d.space(); d.at < len(d.text) {
		return d.text[d.at]
	}
	return 0
}

func (d *decoder) value() (any, *refusal) {
	switch c := d.next(); c {
	case '{':
		return d.object()
	case '[':
		return d.array()
	case '"':
		return boxed(d.string())
	case 't':
		return true, d.word("true")
	case 'f':
		return false, d.word("false")
	case 'n':
		return nil, d.word("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return boxed(d.number())
		}
		return nil, d.fail("%s where a value should be", d.here())
	}
}

// boxed keeps a refused string or number from becoming a value.
func boxed[T string | float64](v T, r *refusal) (any, *refusal) {
	if r != nil {
		return nil, r
	}
	return v, nil
}

func (d *decoder) word(word string) *refusal {
	if rest := d.text[d.at:]; len(rest) < len(word) || string(rest[:len(word)]) != word {
		return d.fail("unknown word, want %s", word)
	}
	d.at += len(word)
	return nil
}

// open enters a bracket. Recursion is bounded here and nowhere else.
func (d *decoder) open() *refusal {
	if d.left <= 0 {
		return d.fail("nested too deep")
	}
	d.left--
	d.at++
	return nil
}

func (d *decoder) close() {
	d.left++
	d.at++
}

func (d *decoder) array() (any, *refusal) {
	if r := d.open(); r != nil {
		return nil, r
	}
	base := len(d.items)
	if d.next() == ']' {
		d.close()
		return []any{}, nil
	}
	for {
		v, r := d.value()
		if r != nil {
			return nil, r.in(item(len(d.items) - base))
		}
		d.items = append(d.items, v)
		switch d.next() {
		case ',':
			d.at++
		case ']':
			d.close()
			// Only now is the length known, so that an array is allocated once and holds no spare room.
			out := make([]any, len(d.items)-base)
			copy(out, d.items[base:])
			d.items = d.items[:base]
			return out, nil
		default:
			return nil, d.fail("%s where a comma or ] should be", d.here())
		}
	}
}

func (d *decoder) object() (any, *refusal) {
	if r := d.open(); r != nil {
		return nil, r
	}
	out := map[string]any{}
	if d.next() == '}' {
		d.close()
		return out, nil
	}
	for {
		name, r := d.member(out)
		if r != nil {
			return nil, r
		}
		if out[name], r = d.value(); r != nil {
			return nil, r.in(key(name))
		}
		switch d.next() {
		case ',':
			d.at++
		case '}':
			d.close()
			return out, nil
		default:
			return nil, d.fail("%s where a comma or } should be", d.here())
		}
	}
}

// member reads a key that the object does not have yet, and its colon. The object itself is the set of keys seen; Go seeds
// the hash of each map, so that nobody can choose keys that collide.
func (d *decoder) member(object map[string]any) (string, *refusal) {
	if d.next() != '"' {
		return "", d.fail("%s where a key in double quotes should be", d.here())
	}
	start := d.at
	name, r := d.string()
	if r != nil {
		return "", r
	}
	if _, twice := object[name]; twice {
		d.at = start
		return "", d.fail("key %s is given twice", quote(name)).in(key(name))
	}
	if d.next() != ':' {
		return "", d.fail("%s where a colon should be", d.here()).in(key(name))
	}
	d.at++
	return name, nil
}
