package tool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

func TestAToolWithALookAheadInstallsAndSaysWhatIsNotEnforced(t *testing.T) {
	r := freeze(t, `{"name":"n","description":"","implementation":{"class":"sandboxed-code","language":"javascript","code":"x"},
		"parameters":{"type":"object","properties":{"password":{"type":"string","minLength":8,"pattern":"^(?=.*\\d)"},
			"code":{"type":"string","pattern":"^\\d+$"}}},
		"returns":{"type":"string","pattern":"(a)\\1"}}`)
	require.Equal(t, []string{
		"$.parameters.properties.password.pattern: look-around is beyond RE2, not enforced",
		"$.returns.pattern: a back-reference is beyond RE2, not enforced",
	}, r.Unenforced())
	require.NoError(t, r.CheckArguments(map[string]any{"password": "no digits"}))
	require.Equal(t, fault.InvalidArguments, fault.CodeOf(r.CheckArguments(map[string]any{"password": "short"})))
	require.Equal(t, fault.InvalidArguments, fault.CodeOf(r.CheckArguments(map[string]any{"code": "\u0664"})))
	require.NoError(t, r.CheckResult("b"))
	require.Equal(t, fault.InvalidValue, fault.CodeOf(r.CheckResult(1.0)))
	require.Empty(t, freeze(t, `{"name":"n","description":"","code":"x"}`).Unenforced())
}
