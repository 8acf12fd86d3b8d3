package schema

import "github.com/xyntopia/taskyon-sandbox/core/fault"

// deepest is how many schemas may apply to one value, one by way of another; it keeps the stack of a check small.
const deepest = 256

// circles refuses a schema that applies to the very value that is being judged and leads back to itself, which would never end:
// `{"$ref":"#"}`, or the same by way of allOf, anyOf, oneOf, not, if, then, else or dependentSchemas. A dynamic reference is taken
// to lead to every anchor of its name.
func (c *compiler) circles() error {
	const walking = -1
	height := map[*node]int{} // 1 and more when known
	tooDeep := func(n *node) error {
		return fault.At(fault.InvalidSchema, n.at(), "%s: more than %d schemas apply to one value by way of one another", n.at(), deepest)
	}
	var walk func(n *node, above int) error
	walk = func(n *node, above int) error {
		switch {
		// A way that is already too long is not followed to its end: the stack of wasm is what a browser makes it.
		case above > deepest:
			return tooDeep(n)
		case height[n] == walking:
			return fault.At(fault.InvalidSchema, n.at(), "%s: refers to itself without going deeper; break the circle", n.at())
		case height[n] > 0:
			return nil
		}
		height[n] = walking
		most := 0
		var err error
		visit := func(part *node) {
			if err == nil {
				err = walk(part, above+1)
			}
			most = max(most, height[part])
		}
		n.inPlace(visit)
		for _, r := range n.refs {
			for _, other := range c.dynamic[r.dynamic] {
				visit(other)
			}
		}
		if err == nil && most >= deepest {
			err = tooDeep(n)
		}
		height[n] = most + 1
		return err
	}
	var below func(n *node) error
	below = func(n *node) error {
		err := walk(n, 0)
		for _, step := range sortedKeys(n.inside) {
			if err == nil {
				err = below(n.inside[step])
			}
		}
		return err
	}
	for _, d := range c.documents {
		if err := below(d.root); err != nil {
			return err
		}
	}
	return nil
}
