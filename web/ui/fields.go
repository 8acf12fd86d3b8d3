package ui

import (
	"slices"
	"strconv"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// fields is empty while JSON counts, so that no field can be typed into without effect.
func (c *Fields) fields() []console.Field {
	if c.Values.Raw {
		return nil
	}
	return c.Values.Fields
}

func (c *Fields) nothing() bool { return !c.Values.Raw && len(c.Values.Fields) == 0 }

func (c *Fields) extra() string {
	if c.Values.Raw {
		return ""
	}
	return c.Values.Extra()
}

// choose takes an option by its number: a choice itself may be longer than an attribute can be here.
func (c *Fields) choose(i int, index string) {
	value := ""
	if n, err := strconv.Atoi(index); err == nil {
		value = c.Values.Fields[i].Choices[n]
	}
	c.Values.SetField(i, value)
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
