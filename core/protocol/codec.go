package protocol

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Envelope is one message on the wire. A text above the inline limit travels as the first blob, with Text empty.
type Envelope struct {
	Text  string
	Blobs [][]byte
}

// Codec encodes and strictly decodes messages. Nesting is the depth allowed to values.
type Codec struct {
	rows    map[string]Row
	places  map[reflect.Type][]place
	largest int
	nesting int
}

// NewCodec makes a codec for values nested at most that deep.
func NewCodec(nesting int) *Codec {
	c := &Codec{rows: map[string]Row{}, places: map[reflect.Type][]place{}, nesting: nesting}
	for _, row := range Rows() {
		c.rows[row.Kind] = row
		learn(c.places, reflect.TypeOf(row.Make()))
		c.largest = max(c.largest, row.Bytes)
	}
	return c
}

// Encode writes a message as canonical JSON text with its kind.
func (c *Codec) Encode(m Message) ([]byte, error) {
	text, err := canon.MarshalNamed(m, "kind", m.Kind())
	if err != nil {
		return nil, fault.Wrap(fault.InvalidMessage, err, "message %q", m.Kind())
	}
	if row := c.rows[m.Kind()]; len(text) > row.Bytes {
		return nil, fault.New(fault.TooLarge, "message %q: %d bytes, at most %d", m.Kind(), len(text), row.Bytes)
	}
	return text, nil
}

// Decode reads one message that one of the given sides may say. Every breach of the row is invalid_message or too_large:
// size, blobs, unknown kind, wrong side, unknown, missing or mistyped field, a word outside its list, a malformed value.
func (c *Codec) Decode(text []byte, blobs int, by ...Side) (Message, error) {
	if len(text) > c.largest {
		return nil, fault.New(fault.TooLarge, "message: %d bytes, at most %d", len(text), c.largest)
	}
	tree, err := canon.Decode(text, wireNesting(c.nesting))
	if err != nil {
		return nil, breach(err, "message")
	}
	fields, _ := tree.(map[string]any)
	kind, ok := fields["kind"].(string)
	if !ok {
		return nil, fault.New(fault.InvalidMessage, "message: no kind")
	}
	row, known := c.rows[kind]
	if !known || !slices.Contains(by, row.By) {
		return nil, fault.New(fault.InvalidMessage, "message %q: not a word of the %v", kind, by)
	}
	if len(text) > row.Bytes {
		return nil, fault.New(fault.TooLarge, "message %q: %d bytes, at most %d", kind, len(text), row.Bytes)
	}
	if blobs > row.Blobs {
		return nil, fault.New(fault.InvalidMessage, "message %q: %d blobs, at most %d", kind, blobs, row.Blobs)
	}
	delete(fields, "kind")
	m := row.Make()
	if err := canon.Bind(tree, m, fault.InvalidMessage); err != nil {
		return nil, breach(err, fmt.Sprintf("message %q", kind))
	}
	if err := c.check(reflect.ValueOf(m).Elem(), "$"); err != nil {
		return nil, breach(err, fmt.Sprintf("message %q", kind))
	}
	return m, nil
}

func breach(err error, subject string) error {
	wrapped := fault.Wrap(fault.InvalidMessage, err, "%s", subject)
	wrapped.Code = fault.InvalidMessage
	return wrapped
}

// wireNesting leaves room for the tagged forms, which nest up to three levels for one of the value's own (a map's entry).
func wireNesting(nesting int) int { return 3*nesting + 8 }

// check enforces what the Go types cannot say: max tags, word lists, counts that are not negative, values in tagged form.
func (c *Codec) check(v reflect.Value, path string) error {
	for i, p := range c.places[v.Type()] {
		if p.optional && v.Field(i).IsZero() {
			continue
		}
		if err := c.checkField(v.Field(i), p, canon.Child(path, p.name)); err != nil {
			return err
		}
	}
	return nil
}

func (c *Codec) checkField(v reflect.Value, p place, path string) error {
	if p.words != nil {
		if !slices.Contains(p.words, v.String()) {
			return fault.At(fault.InvalidMessage, path, "%s: %q is not one of %v", path, v.String(), p.words)
		}
		return nil
	}
	switch v.Kind() {
	case reflect.String:
		if v.Len() > p.max {
			return fault.At(fault.InvalidMessage, path, "%s: %d bytes, at most %d", path, v.Len(), p.max)
		}
	case reflect.Int:
		if v.Int() < 0 {
			return fault.At(fault.InvalidMessage, path, "%s: %d is negative", path, v.Int())
		}
	case reflect.Slice:
		if v.Len() > p.max {
			return fault.At(fault.InvalidMessage, path, "%s: %d items, at most %d", path, v.Len(), p.max)
		}
		for i := range v.Len() {
			if err := c.check(v.Index(i), canon.Index(path, i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		return c.check(v, path)
	case reflect.Pointer:
		return c.check(v.Elem(), path)
	case reflect.Interface:
		return CheckValue(v.Interface(), c.nesting)
	}
	return nil
}
