package secret

import (
	"fmt"
	"io"
)

// Value is a secret's text. It prints as its own kind, never as its text, however it is formatted: what it holds is a function, into
// which neither fmt nor a dump of a struct that has it inside looks.
type Value struct{ reveal func() string }

// NewValue takes a text into custody.
func NewValue(text string) Value { return Value{func() string { return text }} }

func (v Value) text() string {
	if v.reveal == nil {
		return ""
	}
	return v.reveal()
}

const hidden = "[secret]"

// Format implements fmt.Formatter, for every verb.
func (Value) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, hidden) }

// String implements fmt.Stringer.
func (Value) String() string { return hidden }

// GoString implements fmt.GoStringer.
func (Value) GoString() string { return hidden }

// MarshalText keeps the text out of JSON and of whatever else writes texts.
func (Value) MarshalText() ([]byte, error) { return []byte(hidden), nil }
