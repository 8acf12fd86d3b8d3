package console

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// InstallForm is the form for a tool of one's own: fields, or the whole definition as JSON text.
type InstallForm struct {
	Of          string // the tool that this is a new version of, "" for a tool of one's own
	Raw         bool
	Definition  string
	Name        string
	Description string
	Parameters  string // JSON Schema
	Code        string
	Activate    bool
	Busy        bool
	Problem     *InstallProblem

	base string // the revision that a new version was started from
}

// InstallProblem is why an installation was refused, and which part of the form it is about.
type InstallProblem struct {
	Failure
	Title   string // what did not happen
	Part    string // name, description, parameters, code, definition or ""
	Excerpt string // the line it is about
}

// holds says whether the fields can express a definition, full or short form, without loss.
func (f *InstallForm) holds(definition string) bool {
	var members map[string]json.RawMessage
	if json.Unmarshal([]byte(definition), &members) != nil {
		return false
	}
	if full, ok := members["implementation"]; ok {
		var implementation map[string]string
		if json.Unmarshal(full, &implementation) != nil || implementation["language"] != "javascript" || members["code"] != nil {
			return false
		}
	}
	for name := range members {
		if !slices.Contains([]string{"name", "description", "parameters", "implementation", "code"}, name) {
			return false
		}
	}
	return true
}

// ShowRaw turns the fields into a whole definition. Fields that make none stay fields: an older text in their place would look
// like theirs.
func (f *InstallForm) ShowRaw() {
	if f.Raw {
		return
	}
	text, problem := f.text()
	if problem != nil {
		f.refuse("Not shown as JSON", problem)
		return
	}
	f.Raw, f.Definition, f.Problem = true, Pretty(text), nil
}

// notInForm is the title of why a definition stays JSON.
const notInForm = "The form cannot show this"

// ShowForm goes back to the fields, filled from the definition. A definition that they cannot express stays JSON, since what has
// no field would be lost without a word.
func (f *InstallForm) ShowForm() {
	if !f.Raw {
		return
	}
	var d struct {
		Name, Description, Code string
		Parameters              json.RawMessage
		Implementation          struct{ Code string }
	}
	if err := strict(f.Definition); err != nil {
		f.refuse(notInForm, failureOf(err))
		return
	}
	if err := json.Unmarshal([]byte(f.Definition), &d); err != nil {
		f.refuse(notInForm, &Failure{Code: "invalid_definition", Message: "definition: some fields are not of their type; install it as JSON to see which"})
		return
	}
	if !f.holds(f.Definition) {
		f.refuse(notInForm, &Failure{Code: "invalid_request", Message: "definition: the form has no place for some of its fields; install it as JSON"})
		return
	}
	f.Name, f.Description, f.Code = d.Name, d.Description, d.Code+d.Implementation.Code
	if d.Parameters != nil {
		f.Parameters = Pretty(string(d.Parameters))
	}
	f.Raw, f.Problem = false, nil
}

// text is the definition to install. The texts of the fields are put together as they are, so that line and column of an error
// fit what the person sees.
func (f *InstallForm) text() (string, *Failure) {
	if f.Raw {
		return f.Definition, nil
	}
	if err := strict(f.Parameters); err != nil {
		failure := failureOf(err)
		failure.Path = "$.parameters" + strings.TrimPrefix(failure.Path, "$")
		return "", failure
	}
	var out strings.Builder
	out.WriteString(`{"name":` + compact(f.Name) + `,"description":` + compact(f.Description) + `,"parameters":` + f.Parameters)
	out.WriteString(`,"implementation":{"class":"sandboxed-code","language":"javascript","code":` + compact(f.Code) + `}}`)
	return out.String(), nil
}

// strict checks JSON text as the engine will: a name given twice is an error here already. The engine's own limit of nesting
// decides in the end.
func strict(text string) error {
	_, err := canon.Decode([]byte(text), limits.Default().Nesting)
	return err
}

// refuse shows why the form is not a tool, at the part that a person can mend.
func (f *InstallForm) refuse(title string, failure *Failure) {
	p := &InstallProblem{Failure: *failure, Title: title, Part: f.part(failure)}
	switch p.Part {
	case "code":
		p.Excerpt = Excerpt(f.Code, failure.Line, failure.Column)
	case "parameters":
		p.Excerpt = Excerpt(f.Parameters, failure.Line, failure.Column)
	case "definition":
		if failure.Code == "invalid_json" {
			p.Excerpt = Excerpt(f.Definition, failure.Line, failure.Column)
		} else {
			p.Excerpt = Excerpt(codeIn(f.Definition), failure.Line, failure.Column)
		}
	}
	f.Problem = p
}

// part finds what a failure is about. Engines name the path in the definition; for code some name only line and column.
func (f *InstallForm) part(failure *Failure) string {
	if f.Raw {
		return "definition"
	}
	for _, row := range []struct{ path, part string }{
		{"$.name", "name"}, {"$.description", "description"}, {"$.parameters", "parameters"}, {"$.implementation.code", "code"},
	} {
		if strings.HasPrefix(failure.Path, row.path) {
			return row.part
		}
	}
	if failure.Code == "invalid_code" {
		return "code"
	}
	return ""
}

// Wrong says whether the problem is about that part of the form.
func (f *InstallForm) Wrong(part string) bool { return f.Problem != nil && f.Problem.Part == part }

// codeIn is the code of a definition: positions of a syntax error count in it, not in the JSON around it.
func codeIn(definition string) string {
	var d struct {
		Code           string
		Implementation struct{ Code string }
	}
	_ = json.Unmarshal([]byte(definition), &d)
	return d.Code + d.Implementation.Code
}
