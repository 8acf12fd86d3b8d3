package schema

import (
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// node is a schema made ready: one for each place in a document where a schema stands.
type node struct {
	up     *node  // the schema that it stands in
	step   string // the way from there: a keyword, or a keyword/a name or a place in a list
	path   string // of a document
	inside map[string]*node
	doc    any
	home   *resource
	never  bool // the schema false
	leaf   bool // judges a value without looking into it or applying another schema

	refs                            []*reference
	allOf, anyOf, oneOf             []*node
	not, condition, then, otherwise *node
	dependents                      []member

	types       []any
	enum, only  *values
	bounds      []bound
	multipleOf  float64
	sizes       sizes
	pattern     *pattern
	required    []string
	dependentOn []needs
	minContains float64
	maxContains float64
	unique      bool

	properties            map[string]*node
	patterns              []patterned
	additional, names     *node
	unevaluatedProperties *node
	prefix                []*node
	items, contains       *node
	unevaluatedItems      *node
}

// member is a schema for the name that it stands under.
type member struct {
	name string
	node *node
}

// needs is one row of dependentRequired.
type needs struct {
	name  string
	other []string
}

// patterned is one row of patternProperties.
type patterned struct {
	pattern *pattern
	node    *node
}

// reference is a $ref or a $dynamicRef. One that is dynamic leads to the outermost $dynamicAnchor of that name among the
// resources that were entered, else to its target.
type reference struct {
	target  *node
	dynamic string
}

// resource is a schema with a base URI of its own: a document or a part with $id.
type resource struct {
	base    uri
	root    *node
	within  *document
	anchors map[string]*node
	dynamic map[string]*node
}

// document is one JSON text. Without the vocabulary validation, its type, minimum and so on are annotations.
type document struct {
	root       *node
	validation bool
}

// at is where the schema stands in its definition. Few ask, so it is put together only then.
func (n *node) at() string {
	if n.up == nil {
		return n.path
	}
	keyword, name, inner := strings.Cut(n.step, "/")
	path := canon.Child(n.up.at(), keyword)
	switch {
	case !inner:
		return path
	case keywords[keyword] == schemaList:
		i, _ := strconv.Atoi(name)
		return canon.Index(path, i)
	}
	return canon.Child(path, name)
}

// follow goes along a JSON pointer to the schema that stands there, or to nil.
// A keyword and a name below it are one step, as the node keeps them.
func (n *node) follow(pointer string) *node {
	for steps := strings.Split(pointer, "/")[1:]; n != nil && len(steps) > 0; {
		for i := range min(2, len(steps)) {
			steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[i])
		}
		if next := n.inside[steps[0]]; next != nil {
			n, steps = next, steps[1:]
		} else if len(steps) > 1 {
			n, steps = n.inside[steps[0]+"/"+steps[1]], steps[2:]
		} else {
			n = nil
		}
	}
	return n
}

// inPlace calls f with each schema that applies to the very value that n applies to.
func (n *node) inPlace(f func(*node)) {
	for _, r := range n.refs {
		f(r.target)
	}
	for _, list := range [][]*node{n.allOf, n.anyOf, n.oneOf, {n.not, n.condition, n.then, n.otherwise}} {
		for _, part := range list {
			if part != nil {
				f(part)
			}
		}
	}
	for _, d := range n.dependents {
		f(d.node)
	}
}
