package console

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Kind is how a parameter is asked for.
type Kind string

const (
	Text    Kind = "text"
	Number  Kind = "number"
	Integer Kind = "integer"
	Choice  Kind = "choice" // one of Choices: an enum, a constant or a boolean
	JSON    Kind = "json"   // everything that has no form of its own
)

// Field is one parameter or setting in the form. Value is what the person typed: JSON text, except for Text.
type Field struct {
	ID       string // of the element
	Name     string
	Hint     string
	Kind     Kind
	Required bool
	Choices  []string // JSON texts
	Value    string
	Problem  string
}

// fieldsOf makes a form of an object schema: required members in their order, then the others by name. What the schema
// gives as default or first example is filled in.
func fieldsOf(id string, schema any) []Field {
	object, _ := schema.(map[string]any)
	properties, _ := object["properties"].(map[string]any)
	var names []string
	required, _ := object["required"].([]any)
	for _, item := range required {
		if name, ok := item.(string); ok && properties[name] != nil && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	needed := len(names)
	for name := range properties {
		if !slices.Contains(names[:needed], name) {
			names = append(names, name)
		}
	}
	slices.Sort(names[needed:])
	fields := make([]Field, len(names))
	for i, name := range names {
		fields[i] = fieldOf(name, properties[name], i < needed)
		fields[i].ID = id + "-" + itoa(i)
	}
	return fields
}

// fieldOf starts a required choice with its first value, since a list without one would only be in the way.
func fieldOf(name string, schema any, required bool) Field {
	s, _ := schema.(map[string]any)
	f := Field{Name: name, Kind: JSON, Required: required}
	f.Hint, _ = s["description"].(string)
	f.Kind, f.Choices = kindOf(s)
	if value, ok := s["default"]; ok {
		f.Value = f.show(value)
	} else if examples, _ := s["examples"].([]any); len(examples) > 0 {
		f.Value = f.show(examples[0])
	} else if f.Kind == Choice && required {
		f.Value = f.Choices[0]
	}
	return f
}

// kindOf picks a control for what one control can give; a union, a reference or a nested value is typed as JSON.
func kindOf(s map[string]any) (Kind, []string) {
	if constant, ok := s["const"]; ok {
		return Choice, []string{compact(constant)}
	}
	if values, _ := s["enum"].([]any); len(values) > 0 {
		choices := make([]string, len(values))
		for i, value := range values {
			choices[i] = compact(value)
		}
		return Choice, choices
	}
	switch s["type"] {
	case "string":
		return Text, nil
	case "number":
		return Number, nil
	case "integer":
		return Integer, nil
	case "boolean":
		return Choice, []string{"false", "true"}
	}
	return JSON, nil
}

// show is a value as the person would have typed it.
func (f *Field) show(value any) string {
	if text, ok := value.(string); ok && f.Kind == Text {
		return text
	}
	if f.Kind == JSON {
		return Pretty(compact(value))
	}
	return compact(value)
}

// ChoiceText is a choice for a reader: a text without its quotes.
func ChoiceText(choice string) string {
	var text string
	if json.Unmarshal([]byte(choice), &text) == nil && text != "" {
		return text
	}
	return choice
}

// text is the field's value as JSON. given is false for an empty field, which is left out; an empty required text is "".
func (f *Field) text() (value string, given bool, problem string) {
	typed := strings.TrimSpace(f.Value)
	switch {
	case f.Kind == Text && (f.Required || f.Value != ""):
		return compact(f.Value), true, ""
	case typed == "" && f.Required:
		return "", false, "needs a value"
	case typed == "":
		return "", false, ""
	case f.Kind == Number || f.Kind == Integer:
		if !json.Valid([]byte(typed)) || strings.Trim(typed, "+-.0123456789eE") != "" {
			return "", false, "is not a number; write it like 12 or -0.5"
		}
	case !json.Valid([]byte(typed)):
		return "", false, "is not JSON; texts need double quotes"
	}
	return typed, true, ""
}

// compact is the JSON text of a decoded value, with < > & as they are.
func compact(value any) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return "null"
	}
	return strings.TrimSuffix(out.String(), "\n")
}
