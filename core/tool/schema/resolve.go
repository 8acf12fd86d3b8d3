package schema

import (
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

const (
	dialect2020 = "https://json-schema.org/draft/2020-12/schema"
	validation  = "https://json-schema.org/draft/2020-12/vocab/validation"
	standalone  = "schema:/" // the base of a schema that has no absolute $id
)

// dialect tells whether the document's meta-schema has the vocabulary validation. Schemas that were written for an older draft
// are taken where they mean the same in 2020-12.
func (c *compiler) dialect(doc any, path string) (bool, error) {
	s, _ := doc.(map[string]any)
	name, given := s["$schema"].(string)
	name = strings.TrimSuffix(name, "#")
	if !given || name == dialect2020 {
		return true, nil
	}
	path = canon.Child(path, "$schema")
	for _, old := range []string{"draft-06/schema", "draft-07/schema", "draft/2019-09/schema"} {
		if strings.HasSuffix(name, "://json-schema.org/"+old) {
			if keyword := changed(doc); keyword != "" {
				return false, fault.At(fault.InvalidSchema, path, "%s: %s means something else in 2020-12; write it for 2020-12", path, keyword)
			}
			return true, nil
		}
	}
	if c.load == nil {
		return false, fault.At(fault.InvalidSchema, path, "%s: want %s, got %s", path, dialect2020, Show(name))
	}
	meta, err := c.load(name)
	if err != nil {
		return false, fault.At(fault.InvalidSchema, path, "%s: %s", path, err)
	}
	m, _ := meta.(map[string]any)
	vocabulary, given := m["$vocabulary"].(map[string]any)
	_, has := vocabulary[validation]
	return has || !given, nil
}

// changed finds a keyword that meant something else in an older draft.
func changed(doc any) string {
	s, _ := doc.(map[string]any)
	_, beside := s["$ref"].(string)
	for _, key := range sortedKeys(s) {
		var parts []any
		switch shape := keywords[key]; {
		case slices.Contains([]string{"dependencies", "additionalItems", "$recursiveRef", "$recursiveAnchor"}, key):
			return key
		case key != "$ref" && beside && asserts(key):
			return "$ref with " + key + " beside it"
		case shape == aSchema:
			parts = []any{s[key]}
		case shape == schemaList:
			parts = listOf(s[key])
		case shape == schemaMap:
			inner, _ := s[key].(map[string]any)
			for _, name := range sortedKeys(inner) {
				parts = append(parts, inner[name])
			}
		}
		for _, part := range parts {
			if found := changed(part); found != "" {
				return found
			}
		}
	}
	return ""
}

// asserts tells whether a keyword judges values; older drafts ignored such a one beside $ref.
func asserts(keyword string) bool {
	switch keywords[keyword] {
	case "", text, boolean:
		return keyword == "pattern" || keyword == "uniqueItems"
	}
	return !slices.Contains([]string{"$defs", "definitions", "examples", "contentSchema"}, keyword)
}

// lookUp follows a reference from a resource; anchor is the name by which it was found, if by name.
func (c *compiler) lookUp(from *resource, text string, path func() string) (target *node, anchor string, err error) {
	u := from.base.resolve(parseURI(text))
	r, known := c.resources[u.String()]
	if !known {
		if r, err = c.fetch(u, text, path); err != nil {
			return nil, "", err
		}
	}
	fragment := decodePercent(u.fragment)
	if fragment == "" || fragment[0] == '/' {
		target = r.root.follow(fragment)
	} else {
		target, anchor = r.anchors[fragment], fragment
	}
	if target == nil {
		return nil, "", fault.At(fault.InvalidSchema, path(), "%s: %s is no schema in this schema", path(), Show(text))
	}
	return target, anchor, nil
}

func (c *compiler) fetch(u uri, text string, path func() string) (*resource, error) {
	name := u.String()
	if name == dialect2020 {
		return c.document(metaSchema(), name, u)
	}
	if c.load == nil {
		return nil, fault.At(fault.InvalidSchema, path(), "%s: %s leads out of the schema; put what it means into $defs", path(), Show(text))
	}
	doc, err := c.load(name)
	if err != nil {
		return nil, fault.At(fault.InvalidSchema, path(), "%s: %s", path(), err)
	}
	return c.document(doc, name, u)
}

// metaSchema is 2020-12 about itself: the table of keywords, as a schema.
func metaSchema() any {
	type object = map[string]any
	schema := object{"$dynamicRef": "#meta"}
	strings := object{"type": "array", "uniqueItems": true, "items": object{"type": "string"}}
	simple := object{"enum": jsonTypes}
	shapes := map[shape]any{
		aSchema: schema, schemaList: object{"type": "array", "minItems": 1.0, "items": schema},
		schemaMap: object{"type": "object", "additionalProperties": schema}, count: object{"type": "integer", "minimum": 0.0},
		number: object{"type": "number"}, positive: object{"type": "number", "exclusiveMinimum": 0.0}, text: object{"type": "string"},
		boolean: object{"type": "boolean"}, list: object{"type": "array"}, names: strings,
		nameLists:   object{"type": "object", "additionalProperties": strings},
		typeOrTypes: object{"anyOf": []any{simple, object{"type": "array", "minItems": 1.0, "uniqueItems": true, "items": simple}}},
	}
	properties := object{}
	for keyword, shape := range keywords {
		properties[keyword] = shapes[shape]
	}
	return object{"$id": dialect2020, "$dynamicAnchor": "meta", "type": []any{"object", "boolean"}, "properties": properties}
}
