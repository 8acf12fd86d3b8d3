package schema

import (
	"maps"
	"slices"
	"strconv"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

const (
	mostSchemas      = 20_000  // parts of one schema; each takes about half a kilobyte
	mostInstructions = 200_000 // RE2 instructions of all patterns together; each takes about 50 bytes
)

// compiler turns documents into nodes. It works in three passes: every place gets its node, references are looked up (which may
// bring in another document), and circles are refused.
type compiler struct {
	load         Loader
	documents    []*document
	resources    map[string]*resource // by URI
	pending      []func() error       // references, looked up when every place is known
	dynamic      map[string][]*node   // every $dynamicAnchor of that name
	dynamicRefs  []*reference
	schemas      int
	instructions int
	tracks       bool
	unenforced   []string
}

// document reads a schema document that is known by the base.
func (c *compiler) document(doc any, path string, base uri) (*resource, error) {
	if err := checkKeywords(doc, path); err != nil {
		return nil, err
	}
	validation, err := c.dialect(doc, path)
	if err != nil {
		return nil, err
	}
	d := &document{root: &node{path: path, doc: doc}, validation: validation}
	c.documents = append(c.documents, d)
	r := c.resource(d, d.root, base)
	return r, c.build(d.root, r)
}

func (c *compiler) resource(d *document, root *node, base uri) *resource {
	r := &resource{base: base, root: root, within: d, anchors: map[string]*node{}, dynamic: map[string]*node{}}
	c.know(r)
	return r
}

func (c *compiler) know(r *resource) {
	if name := r.base.String(); c.resources[name] == nil {
		c.resources[name] = r
	}
}

// build fills a node whose place and text are known.
func (c *compiler) build(n *node, home *resource) error {
	if c.schemas++; c.schemas > mostSchemas {
		return fault.At(fault.InvalidSchema, n.at(), "%s: the schema has more than %d parts", n.at(), mostSchemas)
	}
	n.home, n.leaf, n.sizes, n.minContains, n.maxContains = home, true, anySize, 1, unlimited
	s, ok := n.doc.(map[string]any)
	if !ok {
		n.never = n.doc == false
		return nil
	}
	if id, given := s["$id"].(string); given {
		base := home.base.resolve(parseURI(id))
		if n == home.root { // the document itself, known by both names
			home.base = base
			c.know(home)
		} else {
			home = c.resource(home.within, n, base)
		}
		n.home = home
	}
	for keyword, anchors := range map[string]map[string]*node{"$anchor": home.anchors, "$dynamicAnchor": home.dynamic} {
		if name, given := s[keyword].(string); given {
			anchors[name], home.anchors[name] = n, n
		}
	}
	if name, given := s["$dynamicAnchor"].(string); given {
		c.dynamic[name] = append(c.dynamic[name], n)
	}
	b := builder{c: c, n: n, doc: s}
	b.parts()
	b.references()
	if home.within.validation {
		b.assertions()
	}
	return b.err
}

// builder fills one node from the members of its text, whose shapes have been checked; err is the first thing that went wrong.
type builder struct {
	c   *compiler
	n   *node
	doc map[string]any
	err error
}

func (b *builder) child(doc any, step string) *node {
	if b.err != nil {
		return nil
	}
	n := &node{up: b.n, step: step, doc: doc}
	if b.n.inside == nil {
		b.n.inside = map[string]*node{}
	}
	b.n.inside[step] = n
	b.err = b.c.build(n, b.n.home)
	return n
}

func (b *builder) one(keyword string) *node {
	doc, given := b.doc[keyword]
	if !given {
		return nil
	}
	return b.child(doc, keyword)
}

func (b *builder) list(keyword string) []*node {
	var nodes []*node
	for i, doc := range listOf(b.doc[keyword]) {
		nodes = append(nodes, b.child(doc, keyword+"/"+strconv.Itoa(i)))
	}
	return nodes
}

func (b *builder) members(keyword string) []member {
	var all []member
	docs, _ := b.doc[keyword].(map[string]any)
	for _, name := range sortedKeys(docs) {
		all = append(all, member{name, b.child(docs[name], keyword+"/"+name)})
	}
	return all
}

// parts builds the schemas inside.
func (b *builder) parts() {
	n := b.n
	n.allOf, n.anyOf, n.oneOf, n.not = b.list("allOf"), b.list("anyOf"), b.list("oneOf"), b.one("not")
	n.condition, n.then, n.otherwise = b.one("if"), b.one("then"), b.one("else")
	n.dependents = b.members("dependentSchemas")
	n.prefix, n.items, n.contains, n.unevaluatedItems = b.list("prefixItems"), b.one("items"), b.one("contains"), b.one("unevaluatedItems")
	n.additional, n.names, n.unevaluatedProperties = b.one("additionalProperties"), b.one("propertyNames"), b.one("unevaluatedProperties")
	if declared := b.members("properties"); declared != nil {
		n.properties = map[string]*node{}
		for _, p := range declared {
			n.properties[p.name] = p.node
		}
	}
	for _, p := range b.members("patternProperties") {
		n.patterns = append(n.patterns, patterned{b.compilePattern(p.name, p.node.at), p.node})
	}
	// These judge nothing; references lead there.
	for _, keyword := range []string{"$defs", "definitions"} {
		b.members(keyword)
	}
	b.one("contentSchema")
	b.c.tracks = b.c.tracks || n.unevaluatedItems != nil || n.unevaluatedProperties != nil
	for keyword := range b.doc {
		switch keywords[keyword] {
		case aSchema, schemaList, schemaMap:
			n.leaf = n.leaf && (keyword == "$defs" || keyword == "definitions" || keyword == "contentSchema")
		}
	}
}

// references leaves $ref and $dynamicRef for later: what they lead to may not have been read yet.
func (b *builder) references() {
	for _, keyword := range []string{"$ref", "$dynamicRef"} {
		text, given := b.doc[keyword].(string)
		if !given {
			continue
		}
		r, n := &reference{}, b.n
		n.refs, n.leaf = append(n.refs, r), false
		b.c.pending = append(b.c.pending, func() error {
			target, anchor, err := b.c.lookUp(n.home, text, func() string { return canon.Child(n.at(), keyword) })
			if err != nil {
				return err
			}
			r.target = target
			if keyword == "$dynamicRef" && anchor != "" && target.home.dynamic[anchor] == target {
				r.dynamic = anchor
				b.c.dynamicRefs = append(b.c.dynamicRefs, r)
			}
			return nil
		})
	}
}

// compilePattern notes a pattern that is not enforced; it stays in the schema, so that what hangs on it is unsure.
func (b *builder) compilePattern(text string, path func() string) *pattern {
	if b.err != nil {
		return nil
	}
	p, err := compilePattern(text, mostInstructions-b.c.instructions)
	if err != nil {
		b.err = fault.At(fault.InvalidSchema, path(), "%s: %s", path(), err)
		return nil
	}
	b.c.instructions += p.instructions
	if p.re == nil {
		b.c.unenforced = append(b.c.unenforced, path()+": "+p.why+", not enforced")
	}
	return p
}

func listOf(v any) []any {
	items, _ := v.([]any)
	return items
}

func texts(v any) []string {
	var all []string
	for _, item := range listOf(v) {
		text, _ := item.(string)
		all = append(all, text)
	}
	return all
}

func sortedKeys[V any](v map[string]V) []string { return slices.Sorted(maps.Keys(v)) }
