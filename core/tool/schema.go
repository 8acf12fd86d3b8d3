package tool

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Schema is a compiled JSON Schema 2020-12. Patterns are RE2. It loads nothing: a reference must point into the schema itself.
type Schema struct{ compiled *jsonschema.Schema }

const schemaURL = "taskyon:schema"

// CompileSchema compiles a decoded schema that stands at path in its definition; else invalid_schema with the path.
func CompileSchema(doc any, path string) (*Schema, error) {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	if err := c.AddResource(schemaURL, doc); err != nil {
		return nil, fault.At(fault.InvalidSchema, path, "%s: %s", path, oneLine(err))
	}
	compiled, err := c.Compile(schemaURL)
	if err == nil {
		return &Schema{compiled}, nil
	}
	var breach *jsonschema.ValidationError
	var invalid *jsonschema.SchemaValidationError
	if errors.As(err, &invalid) && errors.As(invalid.Err, &breach) {
		at, text := describe(breach, doc, path)
		return nil, fault.At(fault.InvalidSchema, at, "%s: %s", at, text)
	}
	return nil, fault.At(fault.InvalidSchema, path, "%s: %s", path, oneLine(err))
}

// Check checks decoded JSON; a breach has the code given and names path, expectation and value of the first deepest one.
func (s *Schema) Check(v any, code fault.Code) error {
	err := s.compiled.Validate(v)
	var breach *jsonschema.ValidationError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &breach):
		at, text := describe(breach, v, "$")
		if hint := nearest(breach, v); hint != "" {
			text += hint
		}
		return fault.At(code, at, "%s: %s%s", at, text, showAt(breach, v))
	default:
		return fault.Wrap(code, err, "schema")
	}
}

type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is outside the schema; put it under $defs", url)
}

// leaf picks the breach to report: the first one, in instance order, that has no finer cause.
func leaf(e *jsonschema.ValidationError) *jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return e
	}
	best := leaf(e.Causes[0])
	for _, cause := range e.Causes[1:] {
		if l := leaf(cause); slices.Compare(l.InstanceLocation, best.InstanceLocation) < 0 {
			best = l
		}
	}
	return best
}

// describe tells where in v, a value that stands at root, the breach is, and what it is.
func describe(e *jsonschema.ValidationError, v any, root string) (path, text string) {
	e = leaf(e)
	path = root
	for i, step := range e.InstanceLocation {
		if _, isArray := valueAt(v, e.InstanceLocation[:i]).([]any); isArray {
			path += "[" + step + "]"
		} else {
			path = canon.Child(path, step)
		}
	}
	return path, e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
}

// nearest offers the declared name that a missing one was probably meant to be.
func nearest(e *jsonschema.ValidationError, v any) string {
	missing, ok := leaf(e).ErrorKind.(*kind.Required)
	given, isObject := valueAt(v, leaf(e).InstanceLocation).(map[string]any)
	if !ok || !isObject {
		return ""
	}
	var names []string
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, want := range missing.Missing {
		if near := canon.Nearest(want, names); near != "" {
			return fmt.Sprintf(" (%q was given; did you mean %q?)", near, want)
		}
	}
	return ""
}

func showAt(e *jsonschema.ValidationError, v any) string {
	e = leaf(e)
	at := valueAt(v, e.InstanceLocation)
	if _, isObject := at.(map[string]any); isObject {
		return ""
	}
	text, err := json.Marshal(at)
	if err != nil {
		return ""
	}
	if len(text) > 60 {
		return fmt.Sprintf(", got %s…", strings.ToValidUTF8(string(text[:60]), ""))
	}
	return fmt.Sprintf(", got %s", text)
}

func valueAt(v any, location []string) any {
	for _, step := range location {
		switch at := v.(type) {
		case map[string]any:
			v = at[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i < 0 || i >= len(at) {
				return nil
			}
			v = at[i]
		}
	}
	return v
}

func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}
