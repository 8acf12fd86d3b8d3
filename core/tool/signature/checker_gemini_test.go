package signature_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

func (c *checker) anthropicTool(f map[string]any, path string) {
	c.want(only(f, "name", "description", "input_schema") == "", path, "unknown field")
	c.want(plainName.MatchString(f["name"].(string)), path, "name %q", f["name"])
	c.root(object(f["input_schema"]), path+".input_schema", "oneOf", "anyOf", "allOf")
}

func (c *checker) mcpTool(f map[string]any, path string) {
	c.want(only(f, "name", "description", "inputSchema", "outputSchema") == "", path, "unknown field")
	c.want(regexp.MustCompile(`^[A-Za-z0-9_.-]{1,128}$`).MatchString(f["name"].(string)), path, "name %q", f["name"])
	for _, field := range []string{"inputSchema", "outputSchema"} {
		schema, given := f[field]
		c.want(given || field == "outputSchema", path, "no %s", field)
		if given {
			c.want(object(schema)["type"] == "object", path, "%s is not of type object", field)
			for key, part := range object(object(schema)["properties"]) {
				c.want(object(part) != nil, path, "property %s is not an object", key)
			}
		}
	}
}

func (c *checker) plainTool(f map[string]any, path string) {
	c.want(only(f, "name", "description", "parameters", "returns") == "", path, "unknown field")
	c.want(object(f["parameters"]) != nil, path, "no parameters")
}

func (c *checker) geminiTool(f map[string]any, path string) {
	c.want(only(f, "name", "description", "parameters") == "", path, "unknown field")
	c.want(regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]{0,63}$`).MatchString(f["name"].(string)), path, "name %q", f["name"])
	description, _ := f["description"].(string)
	c.want(description != "", path, "no description")
	if parameters, given := f["parameters"]; given {
		c.want(object(parameters)["type"] == "OBJECT", path, "root type is %v", object(parameters)["type"])
		c.gemini(parameters, path+".parameters")
	}
}

var geminiKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

var geminiKeywords = map[string][]string{
	"STRING":  {"enum", "format", "pattern", "minLength", "maxLength"},
	"INTEGER": {"format", "minimum", "maximum"},
	"NUMBER":  {"format", "minimum", "maximum"},
	"BOOLEAN": {},
	"ARRAY":   {"items", "minItems", "maxItems"},
	"OBJECT":  {"properties", "required", "minProperties", "maxProperties"},
}

var geminiFormats = map[any][]string{"STRING": {"date-time"}, "INTEGER": {"int32", "int64"}, "NUMBER": {"float", "double"}}

// gemini checks a schema of the OpenAPI subset: one type of the enumeration, or anyOf and nothing beside it.
func (c *checker) gemini(schema any, path string) {
	m := object(schema)
	if parts := array(m["anyOf"]); parts != nil {
		c.want(len(m) == 1, path, "something beside anyOf: %v", m)
		c.want(len(parts) > 1, path, "anyOf of %d", len(parts))
		for i, part := range parts {
			c.gemini(part, fmt.Sprintf("%s.anyOf[%d]", path, i))
		}
		return
	}
	word, _ := m["type"].(string)
	allowed, known := geminiKeywords[word]
	c.want(known, path, "type is %v", m["type"])
	c.want(only(m, append(slices.Clone(allowed), "type", "title", "description", "default", "nullable")...) == "", path, "%s has other keywords: %v", word, m)
	if format, given := m["format"]; given {
		c.want(slices.Contains(geminiFormats[word], format.(string)), path, "format %v", format)
	}
	if values, given := m["enum"]; given {
		c.want(len(array(values)) > 0, path, "empty enum")
		for _, value := range array(values) {
			text, ok := value.(string)
			c.want(ok && text != "", path, "enum value %v", value)
		}
	}
	if pattern, given := m["pattern"].(string); given {
		c.want(!strings.Contains(pattern, `\p`), path, "pattern %s", pattern)
	}
	switch word {
	case "ARRAY":
		c.want(m["items"] != nil, path, "no items")
		c.gemini(m["items"], path+"[]")
	case "OBJECT":
		c.want(len(object(m["properties"])) > 0, path, "no properties")
		for key, part := range object(m["properties"]) {
			c.want(geminiKey.MatchString(key), path, "property key %q", key)
			c.gemini(part, path+"."+key)
		}
		for _, name := range array(m["required"]) {
			c.want(object(m["properties"])[name.(string)] != nil, path, "%v is required but not declared", name)
		}
	}
}
