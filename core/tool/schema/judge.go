package schema

// mostSteps bounds a check. A step is one schema applied to one value, or work that takes about as long: some 100 ns natively.
const mostSteps = 5_000_000

// mostDepth bounds how deep the application of schemas to values nests. A stack that runs out cannot be recovered from in wasm,
// where it is the engine's: some 20,000 levels. Values nest 64 levels, so this leaves each of them two dozen references.
const mostDepth = 1500

// verdict says how a value stands to a schema. It is unsure where a pattern that is not enforced decides.
type verdict uint8

const (
	fails verdict = iota
	unsure
	holds
)

func verdictOf(ok bool) verdict {
	if ok {
		return holds
	}
	return fails
}

// evaluation is one check of one value. Verdicts are joined like logic of three values: all of is the least, any of is the most.
type evaluation struct {
	steps    int
	depth    int
	tracks   bool
	dynamic  bool
	explains bool
	entered  []*resource // the dynamic scope, outermost first; kept when some reference is dynamic
	found    *breach     // the first breach, when this evaluation explains
}

// spend takes steps; when they are used up every verdict is fails and nobody reads it.
func (e *evaluation) spend(steps int) bool {
	if e.steps >= 0 {
		e.steps -= steps
	}
	return e.steps >= 0
}

// judge applies a schema to a value. What it has evaluated of the value is added to out, if the value does not fail.
func (e *evaluation) judge(n *node, v any, at *place, out *marks) verdict {
	if e.depth++; e.depth > mostDepth {
		e.steps = -1
	}
	defer func() { e.depth-- }()
	if !e.spend(1) {
		return fails
	}
	if n.never {
		return e.wrong(at, v, "nothing is allowed here")
	}
	if !e.dynamic {
		return e.apply(n, v, at, out)
	}
	depth := len(e.entered)
	if depth == 0 || e.entered[depth-1] != n.home {
		e.entered = append(e.entered, n.home)
	}
	result := e.apply(n, v, at, out)
	e.entered = e.entered[:depth]
	return result
}

func (e *evaluation) apply(n *node, v any, at *place, out *marks) verdict {
	result := e.value(n, v, at)
	// Most schemas end here.
	if result == fails || n.leaf && !e.tracks && isScalar(v) {
		return result
	}
	var own *marks
	if e.tracks {
		own = &marks{}
	}
	if result = min(result, e.inPlace(n, v, at, own)); result == fails {
		return fails
	}
	switch v := v.(type) {
	case map[string]any:
		result = min(result, e.object(n, v, at, own))
	case []any:
		result = min(result, e.array(n, v, at, own))
	}
	if result != fails && out != nil {
		if !e.spend(3 * (len(own.names) + len(own.items))) {
			return fails
		}
		out.add(own, result)
	}
	return result
}

// inPlace applies the schemas that judge the same value.
func (e *evaluation) inPlace(n *node, v any, at *place, own *marks) verdict {
	result := holds
	and := func(part *node) bool {
		result = min(result, e.judge(part, v, at, own))
		return result != fails
	}
	for _, r := range n.refs {
		if !and(e.target(r)) {
			return fails
		}
	}
	for _, part := range n.allOf {
		if !and(part) {
			return fails
		}
	}
	if object, ok := v.(map[string]any); ok {
		if !e.spend(len(n.dependents)) {
			return fails
		}
		for _, d := range n.dependents {
			if _, given := object[d.name]; given && !and(d.node) {
				return fails
			}
		}
	}
	if n.condition != nil {
		if result = min(result, e.branch(n, v, at, own)); result == fails {
			return fails
		}
	}
	if n.anyOf != nil {
		if result = min(result, e.anyOf(n.anyOf, v, at, own)); result == fails {
			return fails
		}
	}
	if n.oneOf != nil {
		if result = min(result, e.oneOf(n.oneOf, v, at, own)); result == fails {
			return fails
		}
	}
	if n.not != nil {
		switch e.quietly(n.not, v, nil) {
		case holds:
			return e.wrong(at, v, "want anything that does not fit %s", lazy{n.not.doc})
		case unsure:
			result = min(result, unsure)
		}
	}
	return result
}

// target follows a reference.
func (e *evaluation) target(r *reference) *node {
	if r.dynamic != "" {
		e.spend(len(e.entered) / 8)
		for _, scope := range e.entered {
			if n := scope.dynamic[r.dynamic]; n != nil {
				return n
			}
		}
	}
	return r.target
}

// quietly judges without an explanation.
func (e *evaluation) quietly(n *node, v any, own *marks) verdict {
	explains := e.explains
	e.explains = false
	result := e.judge(n, v, nil, own)
	e.explains = explains
	return result
}

// branch is if, then, else. What the condition has evaluated counts, unless it fails.
func (e *evaluation) branch(n *node, v any, at *place, own *marks) verdict {
	apply := func(part *node) verdict {
		if part == nil {
			return holds
		}
		return e.judge(part, v, at, own)
	}
	switch e.quietly(n.condition, v, own) {
	case holds:
		return apply(n.then)
	case fails:
		return apply(n.otherwise)
	}
	first, second := apply(n.then), apply(n.otherwise)
	if first == second {
		return first
	}
	e.found = nil // one of the branches may fail, the value does not
	return unsure
}

// anyOf stops at the first branch that fits, unless somebody asks what all branches have evaluated.
func (e *evaluation) anyOf(parts []*node, v any, at *place, own *marks) verdict {
	result := fails
	var tried []*breach
	for _, part := range parts {
		one, why := e.try(part, v, at, own)
		if result = max(result, one); result == holds && !e.tracks {
			return holds
		}
		tried = append(tried, why)
	}
	if result == fails {
		e.branches(at, v, "anyOf", tried)
	}
	return result
}

// oneOf is sure to fail when two branches surely fit, whatever the others say.
func (e *evaluation) oneOf(parts []*node, v any, at *place, own *marks) verdict {
	var fit []int
	maybe := 0
	var tried []*breach
	for i, part := range parts {
		one, why := e.try(part, v, at, own)
		switch one {
		case holds:
			fit = append(fit, i+1)
		case unsure:
			maybe++
		}
		if len(fit) > 1 {
			return e.wrong(at, v, "want exactly one branch of oneOf to fit, but %d and %d do", fit[0], fit[1])
		}
		tried = append(tried, why)
	}
	switch {
	case maybe > 0:
		return unsure
	case len(fit) == 0:
		e.branches(at, v, "oneOf", tried)
		return fails
	}
	return holds
}

// try judges one branch and keeps its breach apart.
func (e *evaluation) try(n *node, v any, at *place, own *marks) (verdict, *breach) {
	before := e.found
	e.found = nil
	result := e.judge(n, v, at, own)
	why := e.found
	e.found = before
	return result, why
}
