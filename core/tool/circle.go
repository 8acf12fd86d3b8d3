package tool

import "strings"

// circular finds a schema that applies to the very value that is being judged and leads back to itself, which would never end:
// `{"$ref":"#"}`, or the same by way of allOf, anyOf, oneOf, not, if, then, else or dependentSchemas. It returns the reference
// that closes the circle, or "".
//
// Where a reference leads depends on the ids around it. Here it is taken to lead to every place that it could mean, so a circle
// is never missed; a schema with several ids that reuse one another's names may be refused without need.
func circular(root any) string {
	c := circle{state: map[string]int{}, anchors: map[string][]any{}}
	c.resources = append(c.resources, root)
	c.collect(root)
	return c.below(root)
}

type circle struct {
	resources []any            // what "#" can mean: the whole schema and every part with an id
	anchors   map[string][]any // by name
	state     map[string]int   // by reference: 1 while it is being followed, 2 when it is known to end
}

func (c *circle) collect(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, named := v["$id"].(string); named {
			c.resources = append(c.resources, v)
		}
		for _, keyword := range []string{"$anchor", "$dynamicAnchor"} {
			if name, ok := v[keyword].(string); ok {
				c.anchors[name] = append(c.anchors[name], v)
			}
		}
		for _, key := range sortedKeys(v) {
			c.collect(v[key])
		}
	case []any:
		for _, item := range v {
			c.collect(item)
		}
	}
}

// below takes every schema as a start of its own.
func (c *circle) below(v any) string {
	switch v := v.(type) {
	case map[string]any:
		if at := c.inPlace(v); at != "" {
			return at
		}
		for _, key := range sortedKeys(v) {
			if at := c.below(v[key]); at != "" {
				return at
			}
		}
	case []any:
		return firstOf(v, c.below)
	}
	return ""
}

func firstOf(parts []any, f func(any) string) string {
	for _, part := range parts {
		if at := f(part); at != "" {
			return at
		}
	}
	return ""
}

// inPlace follows what applies to the same value.
func (c *circle) inPlace(schema any) string {
	s, ok := schema.(map[string]any)
	if !ok {
		return ""
	}
	for _, keyword := range []string{"$ref", "$dynamicRef"} {
		if ref, ok := s[keyword].(string); ok {
			if at := c.follow(ref); at != "" {
				return at
			}
		}
	}
	parts := []any{s["not"], s["if"], s["then"], s["else"]}
	for _, keyword := range []string{"allOf", "anyOf", "oneOf"} {
		parts = append(parts, listOf(s[keyword])...)
	}
	dependent, _ := s["dependentSchemas"].(map[string]any)
	for _, key := range sortedKeys(dependent) {
		parts = append(parts, dependent[key])
	}
	return firstOf(parts, c.inPlace)
}

func (c *circle) follow(ref string) string {
	switch c.state[ref] {
	case 1:
		return ref
	case 2:
		return ""
	}
	c.state[ref] = 1
	_, fragment, _ := strings.Cut(ref, "#")
	at := firstOf(c.anchors[fragment], c.inPlace)
	for _, resource := range c.resources {
		if at == "" {
			at = c.inPlace(explainer{resource}.resolve("#" + fragment))
		}
	}
	c.state[ref] = 2
	return at
}
