package schema

import (
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// shape is what a keyword of JSON Schema 2020-12 may hold.
type shape string

const (
	aSchema     shape = "a schema (an object or a boolean)"
	schemaList  shape = "a list of one schema or more"
	schemaMap   shape = "an object of schemas"
	count       shape = "an integer of 0 or more"
	number      shape = "a number"
	positive    shape = "a number above 0"
	text        shape = "a string"
	boolean     shape = "true or false"
	list        shape = "a list"
	names       shape = "a list of different strings"
	nameLists   shape = "an object of lists of different strings"
	typeOrTypes shape = "array, boolean, integer, null, number, object or string, or a list of some of them"
)

// keywords is the vocabulary of JSON Schema 2020-12 whose shapes are checked; other members are annotations.
var keywords = map[string]shape{
	"$id": text, "$schema": text, "$ref": text, "$anchor": text, "$dynamicRef": text, "$dynamicAnchor": text, "$comment": text,
	"$defs": schemaMap, "definitions": schemaMap,
	"allOf": schemaList, "anyOf": schemaList, "oneOf": schemaList, "prefixItems": schemaList, "not": aSchema,
	"if": aSchema, "then": aSchema, "else": aSchema, "dependentSchemas": schemaMap,
	"items": aSchema, "contains": aSchema, "unevaluatedItems": aSchema,
	"properties": schemaMap, "patternProperties": schemaMap, "additionalProperties": aSchema, "propertyNames": aSchema, "unevaluatedProperties": aSchema,
	"type": typeOrTypes, "enum": list, "required": names, "dependentRequired": nameLists,
	"multipleOf": positive, "maximum": number, "exclusiveMaximum": number, "minimum": number, "exclusiveMinimum": number,
	"maxLength": count, "minLength": count, "pattern": text, "maxItems": count, "minItems": count, "uniqueItems": boolean,
	"maxContains": count, "minContains": count, "maxProperties": count, "minProperties": count,
	"title": text, "description": text, "deprecated": boolean, "readOnly": boolean, "writeOnly": boolean, "examples": list,
	"format": text, "contentEncoding": text, "contentMediaType": text, "contentSchema": aSchema,
}

// checkKeywords checks the shape of every keyword of a schema that stands at path: else invalid_schema with the place.
func checkKeywords(schema any, path string) error {
	if _, isBoolean := schema.(bool); isBoolean {
		return nil
	}
	members, ok := schema.(map[string]any)
	if !ok {
		return misshapen(path, aSchema)
	}
	for _, name := range sortedKeys(members) {
		want, known := keywords[name]
		if !known {
			continue
		}
		if err := want.check(members[name], canon.Child(path, name)); err != nil {
			return err
		}
	}
	return nil
}

func misshapen(path string, want shape) error {
	return fault.At(fault.InvalidSchema, path, "%s: want %s", path, want)
}

func (s shape) check(v any, path string) error {
	n, isNumber := v.(float64)
	items, isList := v.([]any)
	members, isObject := v.(map[string]any)
	_, isText := v.(string)
	_, isBoolean := v.(bool)
	fits := true
	switch s {
	case aSchema:
		return checkKeywords(v, path)
	case schemaList:
		fits = isList && len(items) > 0
		for i, item := range items {
			if err := checkKeywords(item, canon.Index(path, i)); err != nil {
				return err
			}
		}
	case schemaMap, nameLists:
		fits = isObject
		inner := aSchema
		if s == nameLists {
			inner = names
		}
		for _, name := range sortedKeys(members) {
			if err := inner.check(members[name], canon.Child(path, name)); err != nil {
				return err
			}
		}
	case count:
		fits = isNumber && n >= 0 && n == float64(int64(n))
	case number:
		fits = isNumber
	case positive:
		fits = isNumber && n > 0
	case text:
		fits = isText
	case boolean:
		fits = isBoolean
	case list:
		fits = isList
	case names:
		fits = isList && differentTexts(items, nil)
	case typeOrTypes:
		fits = isText && slices.Contains(jsonTypes, v) || isList && len(items) > 0 && differentTexts(items, jsonTypes)
	}
	if !fits {
		return misshapen(path, s)
	}
	return nil
}

var jsonTypes = []any{"array", "boolean", "integer", "null", "number", "object", "string"}

// differentTexts tells whether items are strings, each once, and, when a list is given, from that list.
func differentTexts(items, from []any) bool {
	seen := map[string]bool{}
	for _, item := range items {
		name, ok := item.(string)
		if !ok || seen[name] || from != nil && !slices.Contains(from, item) {
			return false
		}
		seen[name] = true
	}
	return true
}
