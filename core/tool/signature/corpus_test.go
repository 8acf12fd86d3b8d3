package signature_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// keywordNames are parameters that are called like keywords, half of them required, at three levels, with a telling default.
var keywordNames = func() string {
	names := []string{"title", "type", "format", "pattern", "default", "required", "properties", "items", "description", "enum", "$ref", "additionalProperties"}
	var all, required []string
	for i, name := range names {
		all = append(all, fmt.Sprintf("%q:{\"type\":\"string\"}", name))
		if i%2 == 0 {
			required = append(required, fmt.Sprintf("%q", name))
		}
	}
	level := fmt.Sprintf(`"type":"object","properties":{%s%%s},"required":[%s]`, strings.Join(all, ","), strings.Join(required, ","))
	inner := "{" + fmt.Sprintf(level, "") + "}"
	return "{" + fmt.Sprintf(level, `,"deep":`+inner+`,"shared":{"$ref":"#/$defs/s"},"o":{"type":"object","default":{"title":"kept","$ref":1}}`) + `,"$defs":{"s":` + inner + "}}"
}()

func wide(n int) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(`"p%d":{"type":"string"}`, i)
	}
	return `{"type":"object","additionalProperties":false,"properties":{` + strings.Join(parts, ",") + `}}`
}

func deep(n int) string {
	return strings.Repeat(`{"type":"object","additionalProperties":false,"properties":{"d":`, n) + `{"type":"string"}` + strings.Repeat(`}}`, n)
}

// fan doubles with every reference: 2^n when unrolled.
func fan(n int) string {
	var defs []string
	for i := range n {
		defs = append(defs, fmt.Sprintf(`"f%d":{"type":"object","properties":{"l":{"$ref":"#/$defs/f%d"},"r":{"$ref":"#/$defs/f%d"}}}`, i, i+1, i+1))
	}
	return fmt.Sprintf(`{"type":"object","properties":{"top":{"$ref":"#/$defs/f0"}},"$defs":{%s,"f%d":{"type":"string"}}}`, strings.Join(defs, ","), n)
}

// corpus is name → parameters: good, odd and hostile ones.
var corpus = [][2]string{
	{"plain", `{"type":"object","properties":{"city":{"type":"string","description":"where"},"days":{"type":"integer","minimum":1,"maximum":9}},"required":["city"]}`},
	{"closed", `{"type":"object","properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"],"additionalProperties":false}`},
	{"closed-optional", `{"type":"object","properties":{"a":{"type":"string"},"e":{"enum":["x","y"]},"n":{"type":["number","null"]},"l":{"type":"array","items":{"type":"string"}},"r":{"$ref":"#/$defs/r"}},"additionalProperties":false,"$defs":{"r":{"type":"object","properties":{},"additionalProperties":false}}}`},
	{"nothing", `{"type":"object"}`},
	{"nothing-closed", `{"type":"object","properties":{},"additionalProperties":false}`},
	{"root-anyof", `{"type":"object","properties":{"id":{"type":"string"},"url":{"type":"string"}},"anyOf":[{"required":["id"]},{"required":["url"]}]}`},
	{"root-oneof", `{"oneOf":[{"type":"object","properties":{"kind":{"const":"a"},"x":{"type":"string"}},"required":["kind"]},{"type":"object","properties":{"kind":{"const":"b"},"y":{"type":"number"}}}]}`},
	{"root-allof", `{"type":"object","allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"a":{"minLength":2},"b":{"type":"boolean"}}}]}`},
	{"root-null", `{"type":["object","null"],"properties":{"a":{"type":"string"}}}`},
	{"root-ref", `{"type":"object","$ref":"#/$defs/args","$defs":{"args":{"type":"object","properties":{"q":{"type":"string"}},"required":["q"],"additionalProperties":false}}}`},
	{"root-not", `{"type":"object","properties":{"a":{}},"not":{"required":["a","b"]},"minProperties":1}`},
	{"root-if", `{"type":"object","properties":{"k":{"type":"string"}},"if":{"properties":{"k":{"const":"x"}}},"then":{"properties":{"only":{"type":"integer"}},"required":["only"]}}`},
	{"root-enum", `{"type":"object","enum":[{"a":1},{"a":2}]}`},
	{"root-dependent", `{"type":"object","properties":{"card":{"type":"string"}},"dependentRequired":{"card":["address"]},"dependentSchemas":{"card":{"properties":{"address":{"type":"string"}}}}}`},
	{"keyword-names", keywordNames},
	{"odd-names", `{"type":"object","properties":{"höhe":{"type":"number"},"a b":{"type":"string"},"constructor":{"type":"string"},"__proto__":{"type":"string"},"` + strings.Repeat("k", 80) + `":{"type":"string"},"":{"type":"string"},"filter[id]":{"type":"string","description":"which"},"9":{"type":"boolean"},"x.y":{"type":"string"}},"required":["höhe","undeclared ü"],"dependentRequired":{"a b":["höhe"]}}`},
	{"odd-names-closed", `{"type":"object","properties":{"höhe":{"type":"number"},"h_he":{"type":"string"},"größe":{"$ref":"#/$defs/g"}},"required":["höhe","größe"],"additionalProperties":false,"$defs":{"g":{"type":"string"}}}`},
	{"tree", `{"type":"object","properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#"}}},"required":["name"],"additionalProperties":false}`},
	{"tree-defs", `{"type":"object","properties":{"root":{"$ref":"#/$defs/node"}},"required":["root"],"additionalProperties":false,"$defs":{"node":{"type":"object","properties":{"v":{"type":"string"},"next":{"anyOf":[{"$ref":"#/$defs/node"},{"type":"null"}]}},"required":["v","next"],"additionalProperties":false}}}`},
	{"mutual", `{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},"$defs":{"a":{"type":"object","properties":{"b":{"$ref":"#/$defs/b"}}},"b":{"type":"object","properties":{"a":{"$ref":"#/$defs/a"}}}}}`},
	{"pointer-into-properties", `{"type":"object","properties":{"höhe":{"type":"object","properties":{"w":{"type":"string"}}},"again":{"$ref":"#/properties/höhe","description":"like the first"},"e":{"$ref":"#/$defs/a%20b"}},"$defs":{"a b":{"type":"integer"}}}`},
	{"anchors", `{"type":"object","properties":{"x":{"$ref":"#here"}},"$defs":{"h":{"$anchor":"here","type":"array","items":{"type":"string"}}}}`},
	{"own-ids", `{"$id":"https://a.test/root","type":"object","properties":{"x":{"$id":"x","type":"object","properties":{"y":{"$ref":"#/$defs/in"}},"$defs":{"in":{"type":"string"}}},"self":{"$ref":"x"}}}`},
	{"defaults", `{"type":"object","properties":{"n":{"type":"integer","default":3},"o":{"type":"object","properties":{"k":{"type":"string","default":"d"}},"default":{"k":"z","höhe":1}},"a":{"anyOf":[{"type":"string"},{"type":"number"}],"default":null}},"additionalProperties":false}`},
	{"untyped", `{"type":"object","properties":{"any":{},"yes":true,"no":false,"list":{"type":"array"},"obj":{"type":"object"},"guess":{"minLength":2},"both":{"type":["string","integer","null"]},"all":{"type":["object","array","string","number","boolean","null"]},"nil":{"type":"null"}}}`},
	{"numbers", `{"type":"object","properties":{"a":{"type":"number","exclusiveMinimum":0,"multipleOf":0.5},"b":{"type":"integer","enum":[1,2,3]},"c":{"const":7},"d":{"type":"number","format":"double"},"e":{"type":"array","items":{"type":"string"},"minItems":4294967296,"uniqueItems":true}}}`},
	{"texts", `{"type":"object","properties":{"u":{"type":"string","format":"uri"},"t":{"type":"string","format":"date-time"},"m":{"type":"string","format":"made-up"},"b":{"type":"string","contentEncoding":"base64","contentMediaType":"image/png"},"p":{"type":"string","pattern":"^\\p{L}+$"},"q":{"type":"string","pattern":"^[a-z]+$","minLength":1},"e":{"enum":["","a"]},"n":{"enum":["a",null,"b"]},"x":{"enum":["a",1,true]}}}`},
	{"texts-closed", `{"type":"object","properties":{"u":{"type":"string","format":"email"},"q":{"type":"string","pattern":"^[a-z]+$"},"b":{"type":"string","contentEncoding":"base64"},"c":{"const":"x"}},"required":["u"],"additionalProperties":false}`},
	{"tuples", `{"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"items":false},"c":{"type":"array","contains":{"type":"string"},"minContains":1}}}`},
	{"nested-combinators", `{"type":"object","properties":{"v":{"oneOf":[{"type":"string","format":"uri"},{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},{"type":"null"}],"description":"what"},"w":{"allOf":[{"type":"string"},{"minLength":3}]},"x":{"type":"string","anyOf":[{"format":"ipv4"},{"format":"ipv6"}]},"y":{"not":{"type":"string"}},"z":{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"required":["a"]},{"properties":{"b":{"type":"string"}},"required":["b"]}]}}}`},
	{"maps", `{"type":"object","properties":{"headers":{"type":"object","additionalProperties":{"type":"string"}},"pat":{"type":"object","patternProperties":{"^x-":{"type":"string"}},"propertyNames":{"maxLength":9}},"u":{"type":"object","properties":{"a":{"type":"string"}},"unevaluatedProperties":false}},"additionalProperties":{"type":"number"}}`},
	{"annotations", `{"type":"object","$schema":"https://json-schema.org/draft/2020-12/schema","$comment":"c","title":"T","description":"D","x-vendor":{"a":1},"nullable":true,"examples":[{"a":1}],"properties":{"a":{"type":"string","examples":["x"],"deprecated":true,"readOnly":false}},"additionalProperties":false}`},
	{"title-parameter", `{"type":"object","properties":{"title":{"type":"string","title":"Title"},"properties":{"type":"object","properties":{"required":{"type":"boolean"}},"required":["required"],"additionalProperties":false}},"required":["title"],"additionalProperties":false}`},
	{"wide-100", wide(100)},
	{"wide-101", wide(101)},
	{"deep-5", deep(5)},
	{"deep-6", deep(6)},
	{"deep-15", deep(15)},
	{"fan-30", fan(30)},
	{"many-values", `{"type":"object","properties":{"e":{"type":"string","enum":[` + strings.TrimSuffix(numbered(501), ",") + `]}},"required":["e"],"additionalProperties":false}`},
	{"contradiction", `{"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"type":"number"}]},"b":{"enum":[]}}}`},
	{"union-closed", `{"type":"object","properties":{"a":{"anyOf":[{"type":"string"},{"type":"object","properties":{"b":{"type":"string"}},"required":["b"],"additionalProperties":false}]},"b":{"anyOf":[{"type":"string"}],"minLength":2}},"required":["a"],"additionalProperties":false}`},
	{"patterned", `{"type":"object","properties":{"h":{"type":"object","patternProperties":{"^x-":{"type":"string"}},"additionalProperties":false}},"patternProperties":{"^y-":{"type":"integer"}},"additionalProperties":false}`},
	{"listed-objects", `{"type":"object","properties":{"o":{"type":"object","properties":{"höhe":{"type":"number"}},"enum":[{"höhe":1},{}]}}}`},
	{"dynamic", `{"type":"object","$dynamicAnchor":"n","properties":{"x":{"type":"array","items":{"$dynamicRef":"#n"}}}}`},
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `"v%d",`, i)
	}
	return b.String()
}

// oddToolNames are those of the well-known clean-up mistakes.
var oddToolNames = []string{"天气", "café", "cafè", "a.b", "a_b", "A_b", "get weather", strings.Repeat("n", 64) + "first", strings.Repeat("n", 64) + "second",
	"-x", "9x", "", "__proto__", "toString", "🌦", "constructor"}

func schemaOf(t *testing.T, text string) map[string]any {
	tree, err := canon.Decode([]byte(text), 64)
	require.NoError(t, err, text)
	return tree.(map[string]any)
}

func named(t *testing.T, name, parameters string) tool.Definition {
	return tool.Definition{Name: name, Description: "Does " + name + ".", Parameters: schemaOf(t, parameters)}
}

// definitions is the whole corpus; those that the schema compiler refuses would be left out, so it says which must be shown.
func definitions(t *testing.T) []tool.Definition {
	var all []tool.Definition
	for _, row := range corpus {
		all = append(all, named(t, row[0], row[1]))
	}
	for _, name := range oddToolNames {
		all = append(all, named(t, name, `{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}`))
	}
	return all
}
