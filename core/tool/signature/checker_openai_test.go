package signature_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// checker collects what breaks the rules that a provider publishes.
type checker struct{ breaches []string }

func (c *checker) want(ok bool, path, format string, args ...any) {
	if !ok {
		c.breaches = append(c.breaches, path+": "+fmt.Sprintf(format, args...))
	}
}

var plainName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

var plainKey = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

func only(m map[string]any, allowed ...string) string {
	for key := range m {
		if !slices.Contains(allowed, key) {
			return key
		}
	}
	return ""
}

func object(v any) map[string]any { m, _ := v.(map[string]any); return m }
func array(v any) []any           { l, _ := v.([]any); return l }

// openAIFunction checks {name, description?, parameters, strict}.
func (c *checker) openAIFunction(f map[string]any, path string) {
	c.want(plainName.MatchString(f["name"].(string)), path, "name %q", f["name"])
	description, _ := f["description"].(string)
	c.want(utf8.RuneCountInString(description) <= 1024, path, "description too long")
	strict, spelled := f["strict"].(bool)
	c.want(spelled, path, "strict is not spelled out")
	parameters := object(f["parameters"])
	c.root(parameters, path+".parameters", "oneOf", "anyOf", "allOf", "enum", "not", "const", "$ref", "if", "then", "else")
	if strict {
		s := strictChecker{checker: c, root: parameters}
		s.node(parameters, path, 0)
		c.want(s.properties <= 100 && s.values <= 500, path, "strict too large: %d properties, %d values", s.properties, s.values)
	}
}

// root checks what OpenAI and Anthropic agree on: a plain object at the root, resolvable local references, legal keys.
func (c *checker) root(parameters map[string]any, path string, forbidden ...string) {
	c.want(parameters["type"] == "object", path, "root type is %v", parameters["type"])
	c.want(object(parameters["properties"]) != nil, path, "no properties")
	for _, keyword := range forbidden {
		_, given := parameters[keyword]
		c.want(!given, path, "%s at the root", keyword)
	}
	c.jsonSchema(parameters, parameters, path)
}

// jsonSchema checks a part of 2020-12, as the checkers of OpenAI (not strict) and Anthropic do.
func (c *checker) jsonSchema(schema any, root map[string]any, path string) {
	m, ok := schema.(map[string]any)
	c.want(ok, path, "not an object but %v", schema)
	if ref, given := m["$ref"]; given {
		name, local := strings.CutPrefix(ref.(string), "#/$defs/")
		_, found := object(root["$defs"])[name]
		c.want(ref == "#" || local && found, path, "reference %v leads nowhere", ref)
	}
	c.want(only(m, "$ref", "$defs", "type", "title", "description", "default", "examples", "properties", "required", "additionalProperties", "items",
		"prefixItems", "contains", "minContains", "maxContains", "minItems", "maxItems", "uniqueItems", "anyOf", "oneOf", "allOf", "not", "if", "then",
		"else", "enum", "const", "format", "pattern", "minLength", "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"multipleOf", "minProperties", "maxProperties", "dependentRequired", "dependentSchemas", "contentEncoding", "contentMediaType",
		"contentSchema") == "", path, "unknown keyword %s", only(m))
	if pattern, given := m["pattern"].(string); given {
		c.want(!strings.Contains(pattern, `\p`), path, "pattern %s is no regex for Python", pattern)
	}
	values, listed := m["enum"]
	c.want(!listed || len(array(values)) > 0, path, "empty enum")
	types := array(m["type"])
	if word, one := m["type"].(string); one {
		types = []any{word}
	}
	_, items := m["items"]
	c.want(!slices.Contains(types, any("array")) || items, path, "array without items")
	c.want(!slices.Contains(types, any("object")) || m["properties"] != nil, path, "object without properties")
	for key, part := range object(m["properties"]) {
		c.want(plainKey.MatchString(key), path, "property key %q", key)
		c.jsonSchema(part, root, path+"."+key)
	}
	if declared := object(m["properties"]); declared != nil {
		for _, name := range array(m["required"]) {
			c.want(declared[name.(string)] != nil, path, "%v is required but not declared", name)
		}
	}
	for _, keyword := range []string{"$defs", "dependentSchemas"} {
		for key, part := range object(m[keyword]) {
			c.want(plainKey.MatchString(key), path, "%s key %q", keyword, key)
			c.jsonSchema(part, root, path+"."+keyword+"."+key)
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf", "allOf", "prefixItems"} {
		for i, part := range array(m[keyword]) {
			c.jsonSchema(part, root, fmt.Sprintf("%s.%s[%d]", path, keyword, i))
		}
	}
	for _, keyword := range []string{"items", "not", "if", "then", "else", "contains", "contentSchema", "additionalProperties"} {
		part, given := m[keyword]
		if _, isBoolean := part.(bool); given && !(isBoolean && keyword == "additionalProperties") {
			c.jsonSchema(part, root, path+"."+keyword)
		}
	}
}

type strictChecker struct {
	*checker
	root               map[string]any
	properties, values int
}

func (c *strictChecker) node(schema any, path string, depth int) {
	m := object(schema)
	c.want(depth <= 5, path, "nested %d deep", depth)
	c.want(only(m, "$defs", "$ref", "type", "title", "description", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf",
		"pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minItems", "maxItems") == "", path,
		"a keyword is not supported: %v", m)
	_, reference := m["$ref"]
	c.want(!reference || len(m) == 1, path, "keywords beside a reference")
	c.want(reference || m["anyOf"] != nil || m["type"] != nil, path, "no type")
	if format, given := m["format"]; given {
		c.want(slices.Contains(strings.Fields("date-time time date duration email hostname ipv4 ipv6 uuid"), format.(string)), path, "format %v", format)
	}
	c.values += len(array(m["enum"]))
	if m["type"] == "object" || slices.Contains(array(m["type"]), any("object")) {
		c.want(m["additionalProperties"] == false, path, "additionalProperties is not false")
		c.want(len(array(m["required"])) == len(object(m["properties"])), path, "not everything is required")
		for key, part := range object(m["properties"]) {
			c.properties++
			c.want(slices.Contains(array(m["required"]), any(key)), path, "%s is not required", key)
			next := depth
			if t := object(part)["type"]; t == "object" || t == "array" {
				next++
			}
			c.node(part, path+"."+key, next)
		}
	}
	if m["type"] == "array" {
		c.node(m["items"], path+"[]", depth)
	}
	for _, part := range array(m["anyOf"]) {
		c.node(part, path, depth)
	}
	for key, part := range object(m["$defs"]) {
		c.node(part, path+"#"+key, 0)
	}
}
