package schema_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool/schema"
)

func decode(t *testing.T, text string) any {
	v, err := canon.Decode([]byte(text), 64)
	require.NoError(t, err, "%.200s", text)
	return v
}

// fan is a chain of definitions, each of which applies the next one twice in place: 2^levels applications.
func fan(keyword string, levels int) string {
	var b strings.Builder
	for i := range levels {
		fmt.Fprintf(&b, `"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, keyword, i+1, i+1)
	}
	return fmt.Sprintf(`{"$ref":"#/$defs/d0","$defs":{%s"d%d":{"type":"string"}}}`, b.String(), levels)
}

func nested(open, inside, shut string, depth int) string {
	return strings.Repeat(open, depth) + inside + strings.Repeat(shut, depth)
}

func many(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

const (
	accepted = fault.Code("")
	patience = 10 * time.Second // a second is enough on a calm machine; the bombs would take from minutes to for ever
)

func TestASchemaBombEndsInBoundedTime(t *testing.T) {
	number := func(i int) string { return fmt.Sprint(i) }
	for _, row := range []struct {
		name, schema, value string
		compiled, checked   fault.Code
	}{
		{"allOf that doubles 10 times", fan("allOf", 10), `"x"`, accepted, accepted},
		{"allOf that doubles 100 times", fan("allOf", 100), `"x"`, accepted, fault.TooLarge},
		{"anyOf that doubles 100 times and fails", fan("anyOf", 100), `1`, accepted, fault.TooLarge},
		{"oneOf that doubles 100 times", fan("oneOf", 100), `"x"`, accepted, fault.TooLarge},
		{"a chain of 300 references", fan("allOf", 300), `"x"`, fault.InvalidSchema, ""},
		{"doubling at each level of the value", `{"allOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`, nested("[", "1", "]", 60), accepted, fault.TooLarge},
		{"a tree as deep as values get", `{"items":{"$ref":"#"}}`, nested("[", "1", "]", 62), accepted, accepted},
		{"an enum of 50,000", `{"enum":[` + many(50_000, number) + `]}`, `49999`, accepted, accepted},
		{"an enum of 50,000 for each of 100,000 items", `{"items":{"enum":[` + many(50_000, number) + `]}}`,
			`[` + many(100_000, func(i int) string { return fmt.Sprint(i % 50_000) }) + `]`, accepted, accepted},
		{"an enum of 2,000 objects for each of 20,000 items", `{"items":{"enum":[` + many(2000, func(i int) string { return fmt.Sprintf(`{"a":%d}`, i) }) + `]}}`,
			`[` + many(20_000, func(int) string { return `{"a":1999}` }) + `]`, accepted, fault.TooLarge},
		{"a million different items", `{"uniqueItems":true}`, `[` + many(1_000_000, number) + `]`, accepted, accepted},
		{"200,000 different lists", `{"uniqueItems":true}`,
			`[` + many(200_000, func(i int) string { return fmt.Sprintf("[%d]", i) }) + `]`, accepted, accepted},
		{"200,000 items of which two are equal", `{"uniqueItems":true}`, `[` + many(200_000, number) + `,199999]`, accepted, fault.InvalidArguments},
		{"contains over 500,000", `{"contains":{"const":-1}}`, `[` + many(500_000, number) + `]`, accepted, fault.InvalidArguments},
		{"200 times contains over 500,000", `{"allOf":[` + many(200, func(i int) string { return fmt.Sprintf(`{"contains":{"const":%d}}`, i) }) + `]}`,
			`[` + many(500_000, number) + `]`, accepted, fault.TooLarge},
		{"30,000 parts", `{"anyOf":[` + many(30_000, func(int) string { return `{}` }) + `]}`, `1`, fault.InvalidSchema, ""},
		{"a pattern that would backtrack", `{"pattern":"^(a+)+$"}`,
			`"` + strings.Repeat("a", 1_000_000) + `b"`, accepted, fault.InvalidArguments},
		{"a large pattern over a large text", `{"pattern":"a[a-z]{900}0"}`, `"` + strings.Repeat("a", 1_000_000) + `"`, accepted, fault.TooLarge},
		{"a large pattern over what the steps allow", `{"pattern":"a[a-z]{900}0"}`,
			`"` + strings.Repeat("a", 25_000) + `"`, accepted, fault.InvalidArguments},
		{"too many large patterns", `{"allOf":[` + many(1000, func(int) string { return `{"pattern":"^x{1000}$"}` }) + `]}`,
			`"x"`, fault.InvalidSchema, ""},
		{"a pattern nested deeply", `{"pattern":"` + nested("(", "a", ")", 5000) + `"}`, `"a"`, accepted, accepted},
		{"400 patterns for each of 50,000 names", `{"patternProperties":{` + many(400, func(i int) string { return fmt.Sprintf(`"^p%d":{}`, i) }) + `}}`,
			`{` + many(50_000, func(i int) string { return fmt.Sprintf(`"n%d":1`, i) }) + `}`, accepted, fault.TooLarge},
		{"names marked again by each of 30 schemas", `{"unevaluatedProperties":false,` + nested(`"allOf":[{`,
			`"patternProperties":{"":true}`, `}]`, 30) + `}`,
			`{` + many(100_000, func(i int) string { return fmt.Sprintf(`"n%d":1`, i) }) + `}`, accepted, fault.TooLarge},
		{"additional names below 30 schemas", `{"unevaluatedProperties":false,` + nested(`"allOf":[{`, `"additionalProperties":true`, `}]`, 30) + `}`,
			`{` + many(20_000, func(i int) string { return fmt.Sprintf(`"n%d":1`, i) }) + `}`, accepted, accepted},
		{"5,000 branches that do not fit a large object", `{"anyOf":[` + many(5000, func(int) string { return `{"required":["x"]}` }) + `]}`,
			`{` + many(100_000, func(i int) string { return fmt.Sprintf(`"n%d":1`, i) }) + `}`, accepted, fault.InvalidArguments},
		{"5,000 branches of another type than a large object", `{"anyOf":[` + many(5000, func(int) string { return `{"type":"string"}` }) + `]}`,
			`{` + many(100_000, func(i int) string { return fmt.Sprintf(`"n%d":1`, i) }) + `}`, accepted, fault.InvalidArguments},
		{"10,000 parts below a name of 500 KB", `{"properties":{"` + strings.Repeat("n", 500_000) + `":{"anyOf":[` + many(10_000, func(int) string { return `{}` }) + `]}}}`,
			`{}`, accepted, accepted},
		{"a base64 text of 4 MB against a pattern", `{"pattern":"^[A-Za-z0-9+/=]*$"}`, `"` + strings.Repeat("QUJD", 1<<20) + `"`, accepted, accepted},
	} {
		t.Run(row.name, func(t *testing.T) {
			doc, value := decode(t, row.schema), decode(t, row.value)
			start := time.Now()
			s, err := schema.Compile(doc, "$.parameters", nil)
			require.Equal(t, row.compiled, fault.CodeOf(err), "%v", err)
			if err == nil {
				err = s.Check(value, fault.InvalidArguments)
				require.Equal(t, row.checked, fault.CodeOf(err), "%v", err)
			}
			spent := time.Since(start)
			t.Logf("%v", spent)
			require.Less(t, spent, patience)
			if err != nil {
				require.Less(t, len(err.Error()), 1000, "a message stays short")
			}
		})
	}
}

func TestALoopIsFoundByWhateverWayItIsClosed(t *testing.T) {
	for _, text := range []string{
		`{"$ref":"#"}`, `{"$ref":""}`, `{"$dynamicRef":"#"}`,
		`{"not":{"$ref":"#"}}`, `{"if":{"$ref":"#"}}`, `{"then":{"$ref":"#"}}`, `{"dependentSchemas":{"a":{"$ref":"#"}}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/b"},"b":{"oneOf":[{"$ref":"#/$defs/a"}]}}}`,
		`{"$defs":{"unused":{"$ref":"#/$defs/unused"}}}`,
		`{"$id":"https://a.test/r","$dynamicAnchor":"n","allOf":[{"$ref":"inner"}],
			"$defs":{"i":{"$id":"inner","$dynamicAnchor":"n","anyOf":[{"$dynamicRef":"#n"}]}}}`,
	} {
		_, err := schema.Compile(decode(t, text), "$", nil)
		require.Equal(t, fault.InvalidSchema, fault.CodeOf(err), text)
		require.ErrorContains(t, err, "refers to itself", text)
	}
	for _, text := range []string{
		`{"properties":{"next":{"$ref":"#"}}}`, `{"items":{"$ref":"#"}}`, `{"properties":{"next":{"$ref":""}}}`,
		`{"additionalProperties":{"anyOf":[{"$ref":"#"},{"type":"null"}]}}`,
		`{"$ref":"#/$defs/a","$defs":{"a":{"$ref":"#/$defs/c"},"b":{"$ref":"#/$defs/c"},"c":{}}}`,
	} {
		_, err := schema.Compile(decode(t, text), "$", nil)
		require.NoError(t, err, text)
	}
}
