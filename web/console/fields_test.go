package console_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// withSchema shows a tool with these parameters.
func withSchema(t *testing.T, schema string, act func(t *testing.T, s *stage, a *console.Values)) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Form.Name, s.Form.Parameters = "tool", schema })
		s.do(s.InstallTool)
		require.Nil(t, s.Form.Problem)
		act(t, s, &s.Desk().Arguments)
	})
}

func TestAParameterGetsTheControlOfItsType(t *testing.T) {
	for schema, want := range map[string]console.Kind{
		`{"type":"string"}`:              console.Text,
		`{"type":"number"}`:              console.Number,
		`{"type":"integer"}`:             console.Integer,
		`{"type":"boolean"}`:             console.Choice,
		`{"enum":["a","b"]}`:             console.Choice,
		`{"type":"string","enum":["a"]}`: console.Choice,
		`{"const":1}`:                    console.Choice,
		`{"type":"array"}`:               console.JSON,
		`{"type":"object"}`:              console.JSON,
		`{"type":["string","null"]}`:     console.JSON,
		`{"anyOf":[{"type":"string"}]}`:  console.JSON,
		`true`:                           console.JSON,
		`{"$ref":"#/properties/other"}`:  console.JSON,
	} {
		t.Run(schema, func(t *testing.T) {
			withSchema(t, `{"type":"object","properties":{"p":`+schema+`,"other":{}}}`, func(t *testing.T, _ *stage, a *console.Values) {
				require.Equal(t, want, a.Fields[1].Kind)
			})
		})
	}
}

func TestRequiredParametersComeFirstInTheirOrder(t *testing.T) {
	schema := `{"type":"object","properties":{"a":{},"z":{},"m":{},"b":{}},"required":["z","m","gone"]}`
	withSchema(t, schema, func(t *testing.T, _ *stage, a *console.Values) {
		var names []string
		for _, f := range a.Fields {
			names = append(names, f.Name)
		}
		require.Equal(t, []string{"z", "m", "a", "b"}, names)
		require.True(t, a.Fields[1].Required)
		require.False(t, a.Fields[2].Required)
	})
}

func TestTheFormSendsWhatIsTyped(t *testing.T) {
	for _, row := range []struct{ title, schema, typed, want string }{
		{"a text with quotes and markup", `{"type":"string"}`, `"<b>&`, `{"p":"\"<b>&"}`},
		{"an empty optional text is left out", `{"type":"string"}`, ``, `{}`},
		{"a text that looks like a number", `{"type":"string"}`, `1`, `{"p":"1"}`},
		{"a number as it is written", `{"type":"number"}`, ` 1.50e3 `, `{"p":1.50e3}`},
		{"an integer", `{"type":"integer"}`, `-7`, `{"p":-7}`},
		{"an empty number is left out", `{"type":"number"}`, ` `, `{}`},
		{"a boolean", `{"type":"boolean"}`, `true`, `{"p":true}`},
		{"a choice of null", `{"enum":[null,1]}`, `null`, `{"p":null}`},
		{"JSON", `{"type":"array"}`, "[1,\n2]", "{\"p\":[1,\n2]}"},
	} {
		t.Run(row.title, func(t *testing.T) {
			withSchema(t, `{"type":"object","properties":{"p":`+row.schema+`}}`, func(t *testing.T, s *stage, a *console.Values) {
				s.do(func() { a.SetField(0, row.typed) })
				s.do(s.Run)
				require.Equal(t, []string{s.Desk().Tool.Revision + " " + row.want + " false"}, s.engine.ran)
			})
		})
	}
}

func TestAnEmptyRequiredTextIsSentAndAnyOtherEmptyRequiredFieldIsAskedFor(t *testing.T) {
	schema := `{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"number"}},"required":["s","n"]}`
	withSchema(t, schema, func(t *testing.T, s *stage, a *console.Values) {
		s.do(s.Run)
		require.Empty(t, s.engine.ran)
		require.Equal(t, "n needs a value", a.Fields[1].Problem)
		s.do(func() { a.SetField(1, "0") })
		s.do(s.Run)
		require.Contains(t, s.engine.ran[0], `{"s":"","n":0}`)
	})
}

func TestWhatIsNoNumberAndNoJSONIsSaidSo(t *testing.T) {
	for schema, typed := range map[string][]string{
		`{"type":"number"}`: {"x", "1,5", "NaN", "0x10", "true", `"1"`, "+1", "1 2"},
		`{"type":"array"}`:  {"[", "text", "[1,]"},
	} {
		for _, text := range typed {
			withSchema(t, `{"type":"object","properties":{"p":`+schema+`}}`, func(t *testing.T, s *stage, a *console.Values) {
				s.do(func() { a.SetField(0, text) })
				s.do(s.Run)
				require.Empty(t, s.engine.ran, text)
				require.NotEmpty(t, a.Fields[0].Problem)
			})
		}
	}
}

func TestDefaultsAndExamplesAreFilledIn(t *testing.T) {
	schema := `{"type":"object","properties":{"a":{"type":"string","default":"d","examples":["e"]},"b":{"type":"number","examples":[2]},
		"c":{"type":"boolean"},"d":{"type":"array","default":[1]}},"required":["a","b","c"]}`
	withSchema(t, schema, func(t *testing.T, _ *stage, a *console.Values) {
		require.Equal(t, "d", a.Fields[0].Value)
		require.Equal(t, "2", a.Fields[1].Value)
		require.Equal(t, "false", a.Fields[2].Value, "a required choice starts with the first")
		require.JSONEq(t, "[1]", a.Fields[3].Value)
	})
}

func TestFormAndJSONTurnIntoEachOtherWithoutLoss(t *testing.T) {
	schema := `{"type":"object","properties":{"s":{"type":"string"},"n":{"type":"number"},"c":{"enum":["a",2]}}}`
	withSchema(t, schema, func(t *testing.T, s *stage, a *console.Values) {
		text := `{"s":"x\ny","n":1e2,"c":2,"more":{"deep":[1]},"also":null}`
		s.do(a.ShowRaw)
		s.do(func() { a.SetText(text) })
		s.do(a.ShowForm)
		require.False(t, a.Raw, a.Problem)
		require.Equal(t, "also, more", a.Extra())
		s.do(s.Run)
		s.do(a.ShowRaw)
		require.JSONEq(t, text, a.Text)
		require.True(t, json.Valid([]byte(a.Text)))
	})
}

func TestJSONThatTheFormCannotShowStaysJSON(t *testing.T) {
	for title, text := range map[string]string{
		"no JSON": `{`, "no object": `[]`, "null": `null`, "no text": `{"s":1}`, "no choice": `{"c":"z"}`,
	} {
		t.Run(title, func(t *testing.T) {
			schema := `{"type":"object","properties":{"s":{"type":"string"},"c":{"enum":["a"]}}}`
			withSchema(t, schema, func(t *testing.T, s *stage, a *console.Values) {
				s.do(a.ShowRaw)
				s.do(func() { a.SetText(text) })
				s.do(a.ShowForm)
				require.True(t, a.Raw)
				require.NotEmpty(t, a.Problem)
				s.do(s.Run)
				require.Contains(t, s.engine.ran[0], text, "the engine is the judge of JSON text")
			})
		})
	}
}

func TestAToolWithoutDeclaredParametersIsAskedForJSON(t *testing.T) {
	withSchema(t, `{"type":"object"}`, func(t *testing.T, _ *stage, a *console.Values) {
		require.True(t, a.Raw)
		require.Equal(t, "{}", a.Text)
	})
	withSchema(t, `{"type":"object","additionalProperties":false}`, func(t *testing.T, s *stage, a *console.Values) {
		require.False(t, a.Raw)
		s.do(s.Run)
		require.Contains(t, s.engine.ran[0], " {} ")
	})
}
