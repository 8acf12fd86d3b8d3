package console

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Values are what a person is about to give a tool, as arguments or as settings: a form made from a schema, or JSON text.
type Values struct {
	ID      string // of the elements: this and a number, or this and -json
	Raw     bool   // the JSON text counts, else the fields
	Text    string // the JSON text
	Problem string // with the JSON text, or with no field of its own
	Fields  []Field

	extra map[string]json.RawMessage // members that no field stands for
}

// The ids of the two kinds of values.
const (
	argumentID = "argument"
	settingID  = "setting"
)

// RawID is the element of the JSON text.
func (a *Values) RawID() string { return a.ID + "-json" }

// valuesFor is what a person starts with. A schema that names no member but allows some can only be filled in as JSON.
func valuesFor(id string, schema any) Values {
	a := Values{ID: id, Fields: fieldsOf(id, schema)}
	object, _ := schema.(map[string]any)
	if len(a.Fields) == 0 && object["additionalProperties"] != false {
		a.Raw, a.Text = true, "{}"
	}
	return a
}

// keeping carries over what was typed for fields of the same name and kind.
func (a Values) keeping(old Values) Values {
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
func (a *Values) SetField(i int, value string) {
	a.Fields[i].Value, a.Fields[i].Problem = value, ""
}

// SetText takes what was typed as JSON.
func (a *Values) SetText(text string) { a.Text, a.Problem = text, "" }

// ShowRaw turns the form into JSON text.
func (a *Values) ShowRaw() {
	if !a.Raw {
		text, _ := a.assemble()
		a.Raw, a.Text, a.Problem = true, Pretty(text), ""
	}
}

// ShowForm turns the JSON text back into the form; members without a field are kept and sent along. A text that the form cannot
// show stays, with the reason.
func (a *Values) ShowForm() {
	if !a.Raw {
		return
	}
	if err := strict(a.Text); err != nil {
		a.Problem = "The form cannot show this: " + failureOf(err).Message
		return
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(a.Text), &members); err != nil || members == nil {
		a.Problem = "The form cannot show this: it wants a JSON object, like {}"
		return
	}
	fields := slices.Clone(a.Fields)
	for i := range fields {
		f := &fields[i]
		value, given := members[f.Name]
		delete(members, f.Name)
		f.Problem, f.Value = "", ""
		var text string
		switch {
		case !given:
		case f.Kind == Text && json.Unmarshal(value, &text) == nil:
			f.Value = text
		case f.Kind == Text:
			a.Problem = "The form cannot show this: " + f.Name + " is not a text"
			return
		case f.Kind == Choice:
			f.Value = compactText(value)
			if !slices.Contains(f.Choices, f.Value) {
				a.Problem = "The form cannot show this: " + f.Name + " is not one of its choices"
				return
			}
		default:
			f.Value = string(value)
		}
	}
	a.Fields, a.extra, a.Raw, a.Problem = fields, members, false, ""
}

// show fills in an object, in the form if that can hold it.
func (a *Values) show(object string) {
	a.Raw, a.Text = true, Pretty(object)
	a.ShowForm()
	a.Problem = ""
}

// compactText is JSON text without the white space between its parts.
func compactText(value []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, value) != nil {
		return string(value)
	}
	return out.String()
}

// Extra names the members that no field stands for.
func (a *Values) Extra() string { return strings.Join(slices.Sorted(maps.Keys(a.extra)), ", ") }

// text is the JSON to send. What is typed as JSON goes out as it is: the engine is the judge of it.
func (a *Values) text() (string, *Failure) {
	if a.Raw {
		return a.Text, nil
	}
	return a.assemble()
}

// assemble makes JSON of the fields, and of what is right when one of them is wrong. Numbers go out as they were typed: the engine
// judges whether one can be held exactly.
func (a *Values) assemble() (string, *Failure) {
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
			first = &Failure{Code: judgedBy[a.ID][0], Path: "$." + f.Name, Message: f.Name + " " + problem}
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

func (a *Values) clearProblems() {
	a.Problem = ""
	for i := range a.Fields {
		a.Fields[i].Problem = ""
	}
}

// judgedBy lists the codes of failures that are about values of that kind.
var judgedBy = map[string][]string{
	argumentID: {"invalid_arguments", "invalid_json"},
	settingID:  {"invalid_settings", "invalid_json"},
}

// blame puts a failure about values at the field that it is about and returns that field's element, "" for none.
func (a *Values) blame(f Failure) string {
	if !slices.Contains(judgedBy[a.ID], f.Code) {
		return ""
	}
	if a.Raw {
		a.Problem = f.Message
		return a.RawID()
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

// lack puts a problem at the first required field that an object (JSON text, "" for none) has no member for, since a failure about
// what is missing names the object. It returns that field's element, "" for none.
func (a *Values) lack(object, problem string) string {
	var members map[string]json.RawMessage
	_ = json.Unmarshal([]byte(object), &members)
	for i := range a.Fields {
		if f := &a.Fields[i]; f.Required && members[f.Name] == nil {
			f.Problem = problem
			return f.ID
		}
	}
	return ""
}

func itoa(i int) string { return strconv.Itoa(i) }
