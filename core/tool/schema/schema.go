package schema

import (
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Loader gives the decoded schema document at an absolute URI without a fragment.
type Loader func(uri string) (doc any, err error)

// Schema is a compiled JSON Schema 2020-12. It never changes.
type Schema struct {
	root       *node
	tracks     bool // some part asks what other parts have evaluated
	dynamic    bool // some reference depends on the way that led to it
	unenforced []string
}

// Compile compiles a decoded schema that stands at path in its definition; else invalid_schema with the path. Without a loader
// a reference out of the schema is refused.
func Compile(doc any, path string, load Loader) (*Schema, error) {
	c := &compiler{load: load, resources: map[string]*resource{}, dynamic: map[string][]*node{}}
	r, err := c.document(doc, path, parseURI(standalone))
	if err != nil {
		return nil, err
	}
	for len(c.pending) > 0 {
		next := c.pending[0]
		c.pending = c.pending[1:]
		if err := next(); err != nil {
			return nil, err
		}
	}
	if err := c.circles(); err != nil {
		return nil, err
	}
	return &Schema{r.root, c.tracks, len(c.dynamicRefs) > 0, c.unenforced}, nil
}

// Unenforced lists what the schema asks and no check does: `path: reason`.
func (s *Schema) Unenforced() []string { return s.unenforced }

// Check checks decoded JSON; a breach has the code given and names path, expectation and value of the first one found. A value
// that would take too long to check is too_large.
func (s *Schema) Check(v any, code fault.Code) error {
	e := evaluation{steps: mostSteps, tracks: s.tracks, dynamic: s.dynamic}
	result := e.judge(s.root, v, nil, nil)
	if e.steps < 0 {
		return fault.At(fault.TooLarge, "$", "$: takes more than %d steps to check, or more than %d schemas inside each other; send less, or make the schema simpler",
			mostSteps, mostDepth)
	}
	if result != fails {
		return nil
	}
	e = evaluation{steps: mostSteps, tracks: s.tracks, dynamic: s.dynamic, explains: true}
	e.judge(s.root, v, &place{}, nil)
	if b := e.found; b != nil && e.steps >= 0 {
		return fault.At(code, b.at.String(), "%s: %s", b.at, b.text)
	}
	return fault.At(code, "$", "$: breaks the schema, got %s", Show(v))
}
