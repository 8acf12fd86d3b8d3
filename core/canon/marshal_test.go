package canon_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

func marshal(t *testing.T, from any) string {
	t.Helper()
	out, err := canon.Marshal(from)
	require.NoError(t, err)
	return string(out)
}

func TestMarshalWritesAStructAsBindReadsIt(t *testing.T) {
	x := closed{
		base: base{"n", "k"}, Implementation: inner{"c", true}, Fallback: &inner{Class: "d"}, Count: -3, Ratio: 0.5,
		Tags: []string{"b", "a"}, Steps: []inner{{Class: "e"}}, Env: map[string]string{"B": "", "A": "1"},
		Args: map[string]any{"x": []any{nil}}, Schema: canon.Raw(`{"a":null}`), Tool: canon.SumTool(nil), Parents: []canon.TaskID{canon.SumTask(nil)},
	}
	text := marshal(t, x)
	require.Equal(t, `{"args":{"x":[null]},"count":-3,"env":{"A":"1","B":""},"fallback":{"class":"d"},"implementation":{"class":"c","retry":true},`+
		`"name":"n","note":"k","parents":["`+canon.SumTask(nil).String()+`"],"ratio":0.5,"schema":{"a":null},"steps":[{"class":"e"}],`+
		`"tags":["b","a"],"tool":"`+canon.SumTool(nil).String()+`"}`, text)
	require.Equal(t, text, marshal(t, &x))
	var back closed
	require.NoError(t, canon.Unmarshal([]byte(text), &back, nesting, fault.InvalidDefinition))
	require.Equal(t, x, back)
}

func TestMarshalLeavesOutWhatIsAbsent(t *testing.T) {
	empty := closed{base: base{Name: "n"}, Implementation: inner{Class: "c"}, Tags: []string{}, Env: map[string]string{}}
	require.Equal(t, `{"implementation":{"class":"c"},"name":"n"}`, marshal(t, empty))
	null := closed{base: base{Name: "n"}, Implementation: inner{Class: "c"}, Schema: canon.Raw("null")}
	require.Equal(t, `{"implementation":{"class":"c"},"name":"n","schema":null}`, marshal(t, null))
}

func TestMarshalWritesRequiredFieldsEvenWhenEmpty(t *testing.T) {
	require.Equal(t, `{"a":"","b":0,"c":false,"d":[],"e":{},"f":null,"g":[],"h":{}}`, marshal(t, struct {
		A string         `json:"a"`
		B int            `json:"b"`
		C bool           `json:"c"`
		D []string       `json:"d"`
		E map[string]int `json:"e"`
		F any            `json:"f"`
		G []any          `json:"g"`
		H map[string]any `json:"h"`
	}{}))
}

func TestMarshalPassesTreesOn(t *testing.T) {
	for _, v := range []any{nil, true, 1.5, "x", []any{nil, "a"}, map[string]any{"a": []any{}}} {
		want, err := canon.Encode(v)
		require.NoError(t, err)
		require.Equal(t, string(want), marshal(t, v))
	}
}

func TestMarshalRefusesWhatCouldNotBeReadBack(t *testing.T) {
	type node struct {
		Next *node `json:"next"`
	}
	cycle := &node{}
	cycle.Next = cycle
	type needs struct {
		Tool canon.ToolID `json:"tool"`
	}
	for _, c := range []struct {
		title, path, says string
		from              any
		code              fault.Code
	}{
		{"id that is none", "$.tool", "required value is missing", needs{}, fault.InvalidValue},
		{"pointer to nothing", "$.next", "required value is missing", node{}, fault.InvalidValue},
		{"empty raw", "$", "required value is missing", canon.Raw(nil), fault.InvalidValue},
		{"raw that is not JSON", "$", "json line 1 column 2", canon.Raw("{"), fault.InvalidValue},
		{"inexact integer", "$[1]", "integer 9007199254740993 is not exact", []int{0, 1<<53 + 1}, fault.InvalidValue},
		{"unknown Go type", "$.a", "BUG: $.a: Go type chan int has no JSON form", map[string]chan int{"a": nil}, fault.Internal},
		{"field without a tag", "$", "field A of struct { A int } needs a json tag", struct{ A int }{}, fault.Internal},
	} {
		t.Run(c.title, func(t *testing.T) {
			_, err := canon.Marshal(c.from)
			f := fault.From(err)
			require.NotNil(t, f)
			require.Equal(t, c.code, f.Code)
			require.Equal(t, c.path, f.Path)
			require.Contains(t, f.Message, c.says)
		})
	}
	_, err := canon.Marshal(cycle)
	require.ErrorContains(t, err, "cycle")
}

func TestMarshalNamedPutsTheMemberWhereTheOrderPutsIt(t *testing.T) {
	type inner struct {
		A int `json:"a"`
	}
	type outer struct {
		B inner `json:"b"`
		D int   `json:"d,omitempty"`
	}
	for name, want := range map[string]string{
		"a": `{"a":"x","b":{"a":1},"d":2}`, "c": `{"b":{"a":1},"c":"x","d":2}`, "e": `{"b":{"a":1},"d":2,"e":"x"}`,
	} {
		got, err := canon.MarshalNamed(outer{inner{1}, 2}, name, "x")
		require.NoError(t, err)
		require.Equal(t, want, string(got))
	}
	got, err := canon.MarshalNamed(&outer{}, "c", "x")
	require.NoError(t, err)
	require.Equal(t, `{"b":{"a":0},"c":"x"}`, string(got))
}
