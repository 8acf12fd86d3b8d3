package console

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Arguments are what a person is about to give a tool: a form made from its parameters, or JSON text.
type Arguments struct {
	Raw     bool   // the JSON text counts, else the fields
	Text    string // the JSON text
	Problem string // with the JSON text
	Fields  []Field

	extra map[string]json.RawMessage // members that no field stands for
}

// RawID is the element of the JSON text.
const RawID = "arguments-json"

// argumentsFor is what a person starts with. A schema that names no parameter but allows some can only be filled in as JSON.
func argumentsFor(schema any) Arguments {
	a := Arguments{Fields: fieldsOf(schema)}
	object, _ := schema.(map[string]any)
	if len(a.Fields) == 0 && object["additionalProperties"] != false {
		a.Raw, a.Text = true, "{}"
	}
	return a
}

// keeping carries over what was typed for fields of the same name and kind.
func (a Arguments) keeping(old Arguments) Arguments {
	for i := range a.Fields {
		f := &a.Fields[i]
		for _, o := range old.Fields {
			if o.Name == f.Name && o.Kind == f.Kind && (f.Kind != Choice || slices.Contains(f.Choices, o.Value)) {
				f.Value = o.Value
			}
		}
	}
	return a
}

// SetField takes what was typed into a field.
func (a *Arguments) SetField(i int, value string) {
	a.Fields[i].Value, a.Fields[i].Problem = value, ""
}

// SetText takes what was typed as JSON.
func (a *Arguments) SetText(text string) { a.Text, a.Problem = text, "" }

// ShowRaw turns the form into JSON text.
func (a *Arguments) ShowRaw() {
	if !a.Raw {
		text, _ := a.assemble()
		a.Raw, a.Text, a.Problem = true, Pretty(text), ""
	}
}

// ShowForm turns the JSON text back into the form; members without a field are kept and sent along.
func (a *Arguments) ShowForm() {
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(a.Text), &members); err != nil || members == nil {
		a.Problem = "is not a JSON object yet; mend it first"
		return
	}
	for i := range a.Fields {
		f := &a.Fields[i]
		value, given := members[f.Name]
		delete(members, f.Name)
		f.Problem, f.Value = "", ""
		var text string
		switch {
		case !given:
		case f.Kind == Text && json.Unmarshal(value, &text) == nil:
			f.Value = text
		case f.Kind == Text:
			a.Problem = "gives " + f.Name + " something that is not a text; the form cannot show it"
			return
		case f.Kind == Choice:
			f.Value = string(value)
			if !slices.Contains(f.Choices, f.Value) {
				a.Problem = "gives " + f.Name + " something that is not one of its choices; the form cannot show it"
				return
			}
		default:
			f.Value = string(value)
		}
	}
	a.extra, a.Raw, a.Problem = members, false, ""
}

// Extra names the members that no field stands for.
func (a *Arguments) Extra() string { return strings.Join(slices.Sorted(maps.Keys(a.extra)), ", ") }

// text is the JSON to send. What is typed as JSON goes out as it is: the engine is the judge of it.
func (a *Arguments) text() (string, *Failure) {
	if a.Raw {
		return a.Text, nil
	}
	return a.assemble()
}

// assemble makes JSON of the fields, and of what is right when one of them is wrong. Numbers go out as they were typed: the engine
// judges whether one can be held exactly.
func (a *Arguments) assemble() (string, *Failure) {
	var out strings.Builder
	var first *Failure
	member := func(name, value string) {
		if out.Len() > 0 {
			out.WriteByte(',')
		}
		out.WriteString(compact(name) + ":" + value)
	}
	for i := range a.Fields {
		f := &a.Fields[i]
		value, given, problem := f.text()
		if problem != "" && first == nil {
			first = &Failure{Code: "invalid_arguments", Path: "$." + f.Name, Message: f.Name + " " + problem}
		}
		if given {
			member(f.Name, value)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.extra)) {
		member(name, string(a.extra[name]))
	}
	return "{" + out.String() + "}", first
}

func (a *Arguments) clearProblems() {
	a.Problem = ""
	for i := range a.Fields {
		a.Fields[i].Problem = ""
	}
}

// blame puts a failure about arguments at the field that it is about and returns that field's element, "" for none.
func (a *Arguments) blame(f Failure) string {
	if f.Code != "invalid_arguments" && f.Code != "invalid_json" {
		return ""
	}
	if a.Raw {
		a.Problem = f.Message
		return RawID
	}
	for i := range a.Fields {
		field := &a.Fields[i]
		if rest, ok := strings.CutPrefix(f.Path, "$."+field.Name); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			field.Problem = f.Message
			return field.ID
		}
	}
	return ""
}

func itoa(i int) string { return strconv.Itoa(i) }
