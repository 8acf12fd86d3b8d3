package canon_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

type class string

type base struct {
	Name string `json:"name"`
	Note string `json:"note,omitempty"`
}

type inner struct {
	Class class `json:"class"`
	Retry bool  `json:"retry,omitempty"`
}

type closed struct {
	base
	Implementation inner             `json:"implementation"`
	Fallback       *inner            `json:"fallback,omitempty"`
	Count          int               `json:"count,omitempty"`
	Ratio          float64           `json:"ratio,omitempty"`
	Tags           []string          `json:"tags,omitempty"`
	Steps          []inner           `json:"steps,omitempty"`
	Env            map[string]string `json:"env,omitempty"`
	Args           any               `json:"args,omitempty"`
	Schema         canon.Raw         `json:"schema,omitempty"`
	Tool           canon.ToolID      `json:"tool,omitempty"`
	Parents        []canon.TaskID    `json:"parents,omitempty"`
	Hidden         func()            `json:"-"`
	private        int
}

const minimal = `{"name":"n","implementation":{"class":"c"}`

func TestBindReadsAClosedType(t *testing.T) {
	tool, task := canon.SumTool([]byte("x")), canon.SumTask([]byte("x"))
	text := minimal + `,"note":"k","fallback":{"class":"d","retry":true},"count":-3,"ratio":0.5,"tags":["a","b"],"steps":[{"class":"e"}],` +
		`"env":{"A":"1","B":""},"args":{"x":[null]},"schema":{"b":1.0,"a":null},"tool":"` + tool.String() + `","parents":["` + task.String() + `"]}`
	var got closed
	require.NoError(t, canon.Unmarshal([]byte(text), &got, nesting, fault.InvalidDefinition))
	require.Equal(t, closed{
		base: base{"n", "k"}, Implementation: inner{"c", false}, Fallback: &inner{"d", true}, Count: -3, Ratio: 0.5,
		Tags: []string{"a", "b"}, Steps: []inner{{"e", false}}, Env: map[string]string{"A": "1", "B": ""},
		Args: map[string]any{"x": []any{nil}}, Schema: canon.Raw(`{"a":null,"b":1}`), Tool: tool, Parents: []canon.TaskID{task},
	}, got)
}

func TestBindClearsWhatIsAbsent(t *testing.T) {
	got := closed{Count: 7, Args: 1.0, Fallback: &inner{}, Tool: canon.SumTool(nil), private: 5}
	require.NoError(t, canon.Unmarshal([]byte(minimal+`,"tool":""}`), &got, nesting, fault.InvalidDefinition))
	require.Equal(t, closed{base: base{Name: "n"}, Implementation: inner{Class: "c"}, private: 5}, got)
}

func TestBindTakesNullWhereNullIsData(t *testing.T) {
	var got struct {
		Args     any            `json:"args"`
		Raw      canon.Raw      `json:"raw"`
		Optional canon.Raw      `json:"optional,omitempty"`
		Absent   canon.Raw      `json:"absent,omitempty"`
		Map      map[string]any `json:"map"`
		List     []any          `json:"list"`
	}
	text := `{"args":null,"raw":null,"optional":null,"map":{"a":null},"list":[null]}`
	require.NoError(t, canon.Unmarshal([]byte(text), &got, nesting, fault.InvalidDefinition))
	require.Nil(t, got.Args)
	require.Equal(t, "null", string(got.Raw))
	require.Equal(t, "null", string(got.Optional))
	require.Nil(t, got.Absent)
	require.Equal(t, map[string]any{"a": nil}, got.Map)
	require.Equal(t, []any{nil}, got.List)
}

func TestBindRefusesEveryBreachWithItsPlace(t *testing.T) {
	for _, c := range []struct{ title, text, path, message string }{
		{"letter case", `{"Name":"a"}`, "$.Name", `$.Name: unknown field, did you mean "name"?`},
		{"both letter cases", minimal + `,"Name":"b"}`, "$.Name", `$.Name: unknown field, did you mean "name"?`},
		{"long s folds to s", minimal + `,"\u017fteps":[]}`, `$["ſteps"]`, `$["ſteps"]: unknown field, did you mean "steps"?`},
		{"typing slip", minimal + `,"fallbakc":{}}`, "$.fallbakc", `$.fallbakc: unknown field, did you mean "fallback"?`},
		{"unknown field", minimal + `,"colour":1}`, "$.colour", `$.colour: unknown field`},
		{"first unknown field in order", minimal + `,"zz":1,"yy":1,"xx":1}`, "$.xx", `$.xx: unknown field`},
		{"unknown field inside", `{"name":"n","implementation":{"class":"c","Retry":true}}`, "$.implementation.Retry",
			`$.implementation.Retry: unknown field, did you mean "retry"?`},
		{"name of a hidden field", minimal + `,"Hidden":1}`, "$.Hidden", `$.Hidden: unknown field`},
		{"name of a private field", minimal + `,"private":1}`, "$.private", `$.private: unknown field`},
		{"missing field", `{"implementation":{"class":"c"}}`, "$.name", `$.name: required field is missing`},
		{"missing field inside", `{"name":"n","implementation":{}}`, "$.implementation.class", `$.implementation.class: required field is missing`},
		{"missing field in a list", minimal + `,"steps":[{"class":"c"},{}]}`, "$.steps[1].class", `$.steps[1].class: required field is missing`},
		{"null for a required field", `{"name":null,"implementation":{"class":"c"}}`, "$.name", `$.name: must be a string, is null`},
		{"null for an optional field", minimal + `,"note":null}`, "$.note", `$.note: null is refused, leave the field out`},
		{"null for an optional object", minimal + `,"fallback":null}`, "$.fallback", `$.fallback: null is refused, leave the field out`},
		{"null for a list", minimal + `,"tags":null}`, "$.tags", `$.tags: null is refused, leave the field out`},
		{"null in a list", minimal + `,"tags":["a",null]}`, "$.tags[1]", `$.tags[1]: must be a string, is null`},
		{"null in a map", minimal + `,"env":{"a b":null}}`, `$.env["a b"]`, `$.env["a b"]: must be a string, is null`},
		{"null for an id", minimal + `,"tool":null}`, "$.tool", `$.tool: null is refused, leave the field out`},
		{"number for a string", `{"name":1,"implementation":{"class":"c"}}`, "$.name", `$.name: must be a string, is a number`},
		{"string for a number", minimal + `,"ratio":"1"}`, "$.ratio", `$.ratio: must be a number, is a string`},
		{"string for an integer", minimal + `,"count":"1"}`, "$.count", `$.count: must be an integer, is a string`},
		{"fraction for an integer", minimal + `,"count":1.5}`, "$.count", `$.count: must be an integer within 2^53-1, is 1.5`},
		{"integer out of range", minimal + `,"count":9007199254740992}`, "$.count", `$.count: must be an integer within 2^53-1, is 9007199254740992`},
		{"huge integer", minimal + `,"count":1e300}`, "$.count", `$.count: must be an integer within 2^53-1, is 1e+300`},
		{"number for a boolean", minimal + `,"fallback":{"class":"c","retry":1}}`, "$.fallback.retry", `$.fallback.retry: must be a boolean, is a number`},
		{"object for a list", minimal + `,"tags":{}}`, "$.tags", `$.tags: must be an array, is an object`},
		{"list for a map", minimal + `,"env":[]}`, "$.env", `$.env: must be an object, is an array`},
		{"list for an object", `{"name":"n","implementation":[]}`, "$.implementation", `$.implementation: must be an object, is an array`},
		{"boolean at the top", `true`, "$", `$: must be an object, is a boolean`},
		{"number for an id", minimal + `,"tool":1}`, "$.tool", `$.tool: must be a string, is a number`},
		{"empty id in a list", minimal + `,"parents":[""]}`, "$.parents[0]", `$.parents[0]: must not be empty`},
		{"id of another kind", minimal + `,"tool":"` + canon.SumTask(nil).String() + `"}`, "$.tool",
			`$.tool: "` + canon.SumTask(nil).String() + `" is no tool id, want tool:b3: and 64 lower-case hex digits`},
	} {
		t.Run(c.title, func(t *testing.T) {
			f := fault.From(canon.Unmarshal([]byte(c.text), &closed{}, nesting, fault.InvalidDefinition))
			require.NotNil(t, f)
			require.Equal(t, fault.InvalidDefinition, f.Code)
			require.Equal(t, c.message, f.Message)
			require.Equal(t, c.path, f.Path)
		})
	}
}

func TestUnmarshalKeepsTheCodeOfASyntaxError(t *testing.T) {
	f := fault.From(canon.Unmarshal([]byte(minimal+`,"name":"n"}`), &closed{}, nesting, fault.InvalidDefinition))
	require.Equal(t, fault.InvalidJSON, f.Code)
	require.Equal(t, "$.name", f.Path)
}

func TestBindBlamesUsForATypeItCannotBind(t *testing.T) {
	for _, into := range []any{
		nil, closed{}, (*closed)(nil), new(chan int), new(uint8), new(error), &struct{ A string }{},
		&struct {
			A string `json:"a,string"`
		}{},
		&struct {
			A map[int]string `json:"a"`
		}{},
	} {
		err := canon.Bind(map[string]any{"a": map[string]any{}}, into, fault.InvalidDefinition)
		require.Equal(t, fault.Internal, fault.CodeOf(err), "%T: %v", into, err)
	}
}
