package tool

import (
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Schema is a compiled JSON Schema 2020-12. Patterns are RE2. It loads nothing: a reference must point into the schema itself.
type Schema struct {
	doc      any
	resolved *jsonschema.Resolved
}

// CompileSchema compiles a decoded schema that stands at path in its definition; else invalid_schema with the path.
func CompileSchema(doc any, path string) (*Schema, error) {
	if err := checkKeywords(doc, path); err != nil {
		return nil, err
	}
	if at := circular(doc); at != "" {
		return nil, fault.At(fault.InvalidSchema, path, "%s: %s refers to itself without going deeper; break the circle", path, at)
	}
	text, err := canon.Encode(doc)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidSchema, err, "%s", path)
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fault.At(fault.InvalidSchema, path, "%s: %s", path, oneLine(err))
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil, fault.At(fault.InvalidSchema, path, "%s: %s", path, oneLine(err))
	}
	return &Schema{doc, resolved}, nil
}

// Check checks decoded JSON; a breach has the code given and names path, expectation and value of the first one found.
func (s *Schema) Check(v any, code fault.Code) error {
	err := s.resolved.Validate(v)
	if err == nil {
		return nil
	}
	// The validator alone decides; the explanation only says where and what.
	e := explainer{root: s.doc}
	if b := e.breach(s.doc, v, "$", 0); b != nil {
		return fault.At(code, b.path, "%s: %s", b.path, b.text)
	}
	lines := strings.Split(err.Error(), ": ")
	return fault.At(code, "$", "$: %.200s", lines[len(lines)-1])
}

func oneLine(err error) string {
	return strings.Join(strings.Fields(err.Error()), " ")
}
