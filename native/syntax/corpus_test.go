package syntax

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/dop251/goja/ast"
	"github.com/dop251/goja/parser"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

type row struct {
	Name   string
	Source string
	Form   string
	Error  *struct {
		Message string
		Line    int
		Column  int
	}
}

func corpus(t testing.TB) []row {
	text, err := os.ReadFile("../../sandboxhost/bootstrap/testdata/forms.json")
	require.NoError(t, err)
	var rows []row
	require.NoError(t, json.Unmarshal(text, &rows))
	require.Greater(t, len(rows), 60)
	return rows
}

func opened(t testing.TB) *Checker {
	c, err := New()
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c
}

func refusal(t testing.TB, err error) *fault.Error {
	var refused *fault.Error
	require.ErrorAs(t, err, &refused)
	return refused
}

func TestNativeVerdictIsTheOneOfTheCorpus(t *testing.T) {
	c := opened(t)
	for _, row := range corpus(t) {
		t.Run(row.Name, func(t *testing.T) {
			verdict, err := c.Check(t.Context(), row.Source)
			if row.Error == nil {
				require.NoError(t, err)
				require.Equal(t, row.Form, verdict.Form)
				requireOneCall(t, verdict.Program)
				return
			}
			refused := refusal(t, err)
			require.Equal(t, fault.InvalidCode, refused.Code)
			require.Equal(t, row.Error.Message, refused.Message)
			require.Equal(t, [2]int{row.Error.Line, row.Error.Column}, [2]int{refused.Line, refused.Column}, "line and column")
		})
	}
}

// requireOneCall reads the script that an engine gets with another parser than the checker's. What that parser does not
// know yet it cannot judge; it says whether it judged.
func requireOneCall(t testing.TB, program string) bool {
	script, err := parser.ParseFile(nil, "", "__taskyon(async () => {\n"+program+"\n})", 0, parser.WithDisableSourceMaps)
	if err != nil {
		return false
	}
	require.Len(t, script.Body, 1, "statements of the script around %q", program)
	statement, ok := script.Body[0].(*ast.ExpressionStatement)
	require.True(t, ok)
	call, ok := statement.Expression.(*ast.CallExpression)
	require.True(t, ok)
	require.Len(t, call.ArgumentList, 1)
	require.IsType(t, &ast.ArrowFunctionLiteral{}, call.ArgumentList[0])
	return true
}

func TestSecondParserSeesWhatLeavesTheWrapper(t *testing.T) {
	require.True(t, requireOneCall(t, "return ((a) => a.x)"))
	script, err := parser.ParseFile(nil, "", "__taskyon(async () => {\n}); (() => {\n})", 0, parser.WithDisableSourceMaps)
	require.NoError(t, err)
	require.Len(t, script.Body, 2)
}

func FuzzCheck(f *testing.F) {
	for _, row := range corpus(f) {
		if len(row.Source) < 500 {
			f.Add(row.Source)
		}
	}
	c := opened(f)
	f.Fuzz(func(t *testing.T, source string) {
		verdict, err := c.Check(t.Context(), source)
		if err == nil {
			requireOneCall(t, verdict.Program)
			return
		}
		refused := refusal(t, err)
		require.Equal(t, fault.InvalidCode, refused.Code, refused.Message)
		require.NotEmpty(t, refused.Message)
		require.Equal(t, refused.Line == 0, refused.Column == 0)
	})
}
