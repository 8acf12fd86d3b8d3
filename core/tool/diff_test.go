package tool_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

func TestADiffNamesEachPlaceWhereTwoRevisionsDiffer(t *testing.T) {
	freeze := func(text string) *tool.Revision {
		d, err := tool.Read([]byte(text), limits.Default())
		require.NoError(t, err)
		r, err := tool.Freeze(d)
		require.NoError(t, err)
		return r
	}
	one := freeze(`{"name":"a","description":"x","code":"1","parameters":{"type":"object","properties":{"odd key":{"type":"string"},"n":{"type":"number"}}},"needs":{"storage":true}}`)
	two := freeze(`{"name":"a","description":"y","code":"1","parameters":{"type":"object","properties":{"odd key":{"type":"string","enum":["a",1]},"m":true}},"limits":{"timeoutMs":5}}`)
	changes, err := tool.Diff(one, two)
	require.NoError(t, err)
	require.Equal(t, []tool.Change{
		{Path: "$.description", Kind: tool.Changed, Before: "x", After: "y"},
		{Path: "$.limits", Kind: tool.Added, After: map[string]any{"timeoutMs": 5.0}},
		{Path: "$.needs", Kind: tool.Removed, Before: map[string]any{"storage": true}},
		{Path: "$.parameters.properties.m", Kind: tool.Added, After: true},
		{Path: "$.parameters.properties.n", Kind: tool.Removed, Before: map[string]any{"type": "number"}},
		{Path: `$.parameters.properties["odd key"].enum`, Kind: tool.Added, After: []any{"a", 1.0}},
	}, changes)
	same, err := tool.Diff(one, one)
	require.NoError(t, err)
	require.Equal(t, []tool.Change{}, same)
}
