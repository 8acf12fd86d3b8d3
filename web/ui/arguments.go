package ui

import (
	"slices"
	"strconv"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// fields is empty while JSON counts, so that no field can be typed into without effect.
func (c *Arguments) fields() []console.Field {
	if c.Desk.Arguments.Raw {
		return nil
	}
	return c.Desk.Arguments.Fields
}

func (c *Arguments) nothing() bool { return !c.Desk.Arguments.Raw && len(c.Desk.Arguments.Fields) == 0 }

func (c *Arguments) extra() string {
	if c.Desk.Arguments.Raw {
		return ""
	}
	return c.Desk.Arguments.Extra()
}

// choose takes an option by its number: a choice itself may be longer than an attribute can be here.
func (c *Arguments) choose(i int, index string) {
	value := ""
	if n, err := strconv.Atoi(index); err == nil {
		value = c.Desk.Arguments.Fields[i].Choices[n]
	}
	c.Desk.Arguments.SetField(i, value)
}

func kindText(f console.Field) string {
	kind := string(f.Kind)
	if slices.Equal(f.Choices, []string{"false", "true"}) {
		kind = "true or false"
	}
	if !f.Required {
		kind += ", optional"
	}
	return kind
}

// inputMode asks for a number pad. The type stays text: a number input gives nothing for a half-typed number, and drawing that
// nothing would delete it.
func inputMode(f console.Field) string {
	if f.Kind == console.Integer {
		return "numeric"
	}
	return "decimal"
}

func describedBy(f console.Field) string {
	return f.ID + "-kind " + f.ID + "-hint " + f.ID + "-problem"
}
