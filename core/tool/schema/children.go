package schema

import (
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// object applies the schemas for members. Members whose schema is simple come first: in a union they tell the branches apart
// before anything goes deeper.
func (e *evaluation) object(n *node, v map[string]any, at *place, own *marks) verdict {
	if n.leaf {
		return e.names(n, v, at)
	}
	keys, ok := e.keys(v)
	if !ok {
		return fails
	}
	result := holds
	for _, key := range keys {
		if part := n.properties[key]; part != nil && part.leaf {
			if result = min(result, e.judge(part, v[key], e.member(at, key), nil)); result == fails {
				return fails
			}
		}
	}
	if result = min(result, e.names(n, v, at)); result == fails {
		return fails
	}
	for _, key := range keys {
		if result = min(result, e.memberOf(n, key, v[key], at, own)); result == fails {
			return fails
		}
	}
	if n.additional != nil && own != nil {
		own.allNames = true
	}
	if n.unevaluatedProperties == nil {
		return result
	}
	for _, key := range keys {
		if own.allNames || own.names[key] {
			continue
		}
		if n.unevaluatedProperties.never {
			return e.undeclared(n, key, at)
		}
		if result = min(result, e.judge(n.unevaluatedProperties, v[key], e.member(at, key), nil)); result == fails {
			return fails
		}
	}
	if own.unsure {
		result = min(result, unsure)
	}
	own.allNames = true
	return result
}

// keys are the names in order, so that the first breach is the same everywhere. Sorting many takes time.
func (e *evaluation) keys(v map[string]any) ([]string, bool) {
	if !e.spend(len(v)) || len(v) > crowd && !e.spend(3*len(v)) {
		return nil, false
	}
	return sortedKeys(v), true
}

// memberOf applies what n says of one member, but for a simple schema of a declared name.
func (e *evaluation) memberOf(n *node, key string, v any, at *place, own *marks) verdict {
	result, known, maybe := holds, false, false
	if part := n.properties[key]; part != nil {
		known = true
		if !part.leaf {
			result = e.judge(part, v, e.member(at, key), nil)
		}
	}
	for _, p := range n.patterns {
		if result == fails {
			return fails
		}
		switch e.matches(p.pattern, key) {
		case holds:
			known = true
			result = min(result, e.judge(p.node, v, e.member(at, key), nil))
		case unsure:
			maybe = true
			result = min(result, max(unsure, e.quietly(p.node, v, nil)))
		}
	}
	if n.additional != nil && !known && result != fails {
		switch {
		case maybe: // the name may be one of a pattern that nobody judged
			result = min(result, max(unsure, e.quietly(n.additional, v, nil)))
		case n.additional.never:
			return e.undeclared(n, key, at)
		default:
			result = min(result, e.judge(n.additional, v, e.member(at, key), nil))
		}
	}
	if n.additional != nil || !known && !maybe {
		return result // with additionalProperties every member has been evaluated
	}
	own.name(key)
	if !known {
		own.doubt()
	}
	return result
}

// names judges which members there are.
func (e *evaluation) names(n *node, v map[string]any, at *place) verdict {
	if !e.spend(len(n.required) + len(n.dependentOn)) {
		return fails
	}
	for _, name := range n.required {
		if _, given := v[name]; !given {
			return e.missing(n, name, v, at)
		}
	}
	for _, d := range n.dependentOn {
		if _, given := v[d.name]; !given {
			continue
		}
		if !e.spend(len(d.other)) {
			return fails
		}
		for _, name := range d.other {
			if _, given := v[name]; !given {
				return e.breaks(at, "%s is missing; whoever gives %s gives it too", quoted(name), quoted(d.name))
			}
		}
	}
	if n.names == nil {
		return holds
	}
	result := holds
	keys, ok := e.keys(v)
	if !ok {
		return fails
	}
	for _, key := range keys {
		one, why := e.try(n.names, key, at, nil)
		if result = min(result, one); result == fails {
			if why != nil {
				return e.breaks(at, "the name %s: %s", quoted(key), why.text)
			}
			return fails
		}
	}
	return result
}

// array applies the schemas for items, in the order in which later keywords ask what earlier ones have evaluated.
func (e *evaluation) array(n *node, v []any, at *place, own *marks) verdict {
	result := holds
	if n.unique && !e.different(v, at) {
		return fails
	}
	if n.leaf {
		return result
	}
	for i, item := range v {
		part := n.items
		if i < len(n.prefix) {
			part = n.prefix[i]
		}
		if part == nil {
			break
		}
		if result = min(result, e.judge(part, item, e.item(at, i), nil)); result == fails {
			return fails
		}
	}
	if own != nil {
		own.prefix, own.allItems = max(own.prefix, len(n.prefix)), own.allItems || n.items != nil
	}
	if n.contains != nil {
		if result = min(result, e.contains(n, v, at, own)); result == fails {
			return fails
		}
	}
	if n.unevaluatedItems == nil || own.allItems {
		return result
	}
	for i := own.prefix; i < len(v); i++ {
		if own.items[i] {
			continue
		}
		if result = min(result, e.judge(n.unevaluatedItems, v[i], e.item(at, i), nil)); result == fails {
			return fails
		}
	}
	if own.unsure {
		result = min(result, unsure)
	}
	own.allItems = true
	return result
}

// contains counts; an item for which a pattern decides counts for neither side.
func (e *evaluation) contains(n *node, v []any, at *place, own *marks) verdict {
	sure, maybe := 0.0, 0.0
	for i, item := range v {
		switch e.quietly(n.contains, item, nil) {
		case holds:
			sure++
			own.item(i)
		case unsure:
			maybe++
			own.item(i)
			own.doubt()
		}
		if sure > n.maxContains {
			return e.wrong(at, v, "want at most %v items that fit %s", n.maxContains, lazy{n.contains.doc})
		}
	}
	switch {
	case sure+maybe < n.minContains:
		return e.wrong(at, v, "want at least %v items that fit %s, found %v", n.minContains, lazy{n.contains.doc}, sure)
	case sure < n.minContains || sure+maybe > n.maxContains:
		return unsure
	}
	return holds
}

// different tells whether no two items are equal, in time linear in their size.
func (e *evaluation) different(v []any, at *place) bool {
	scalars, others := make(map[any]int, len(v)), map[string]int{}
	for i, item := range v {
		if !e.spend(1) {
			return false
		}
		before, twice := 0, false
		if isScalar(item) {
			before, twice = scalars[item]
			scalars[item] = i
		} else {
			text, err := canon.Encode(item)
			if err != nil || !e.spend(len(text)/8) {
				return false
			}
			before, twice = others[string(text)]
			others[string(text)] = i
		}
		if twice {
			e.wrong(at, item, "want different items, but %d and %d are equal", before, i)
			return false
		}
	}
	return true
}

// equal compares trees.
func (e *evaluation) equal(a, b any) bool {
	if !e.spend(1) {
		return false
	}
	switch a := a.(type) {
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			return false
		}
		for key, v := range a {
			if w, given := other[key]; !given || !e.equal(v, w) {
				return false
			}
		}
		return true
	case []any:
		other, ok := b.([]any)
		return ok && slices.EqualFunc(a, other, e.equal)
	}
	return isScalar(b) && a == b
}
