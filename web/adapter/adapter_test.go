package adapter

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

var _ console.Engine = (*Engine)(nil)

// noWall opens no sandbox.
type noWall struct{}

func (noWall) Open(context.Context, sandbox.Sink) (sandbox.Link, error) {
	return nil, errors.New("there is no wall here")
}

type anySyntax struct{}

func (anySyntax) Check(_ context.Context, source string) (tool.Verdict, error) {
	if source == "bad" {
		err := fault.At(fault.InvalidCode, "$.implementation.code", "code: is bad")
		err.Line, err.Column = 1, 2
		return tool.Verdict{}, err
	}
	return tool.Verdict{Form: "expression", Program: "return " + source}, nil
}

func open(t *testing.T) *Engine {
	e := core.New(core.Ports{
		Wall: noWall{}, Syntax: anySyntax{}, Tools: new(registry.Memory), Tasks: new(task.Memory),
		Clock: sandbox.SystemClock{}, Limits: limits.Default(),
	})
	t.Cleanup(e.Close)
	return New(e)
}

func definition(name, description string) string {
	return `{"name":"` + name + `","description":"` + description + `","code":"() => 1","parameters":{"type":"object",` +
		`"properties":{"n":{"type":"number"}}}}`
}

func TestToolsAreListedWithTheirActiveRevision(t *testing.T) {
	e := open(t)
	first, err := e.Install(t.Context(), definition("b", "one"), true)
	require.NoError(t, err)
	second, err := e.Install(t.Context(), definition("b", "two"), false)
	require.NoError(t, err)
	only, err := e.Install(t.Context(), definition("a", "waits"), false)
	require.NoError(t, err)

	tools, err := e.Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, tools, 2)
	require.Equal(t, only, tools[0].Revision)
	require.False(t, tools[0].Active, "a name that is installed and not active is not hidden")
	require.Equal(t, first, tools[1].Revision)
	require.True(t, tools[1].Active)
	require.Equal(t, "() => 1", tools[1].Code)
	require.Contains(t, tools[1].Definition, `"name":"b"`)

	history, err := e.History(t.Context(), "b")
	require.NoError(t, err)
	require.Equal(t, []string{second, first}, []string{history[0].Revision, history[1].Revision}, "newest first")
	require.NoError(t, e.Activate(t.Context(), "b", second))
	history, err = e.History(t.Context(), "b")
	require.NoError(t, err)
	require.True(t, history[0].Active)
	require.False(t, history[1].Active)
	require.NoError(t, e.Activate(t.Context(), "a", only))
	tools, err = e.Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, tools, 2, "a name is listed once")
}

func TestErrorsKeepCodeAndPlace(t *testing.T) {
	e := open(t)
	revision, err := e.Install(t.Context(), definition("a", ""), true)
	require.NoError(t, err)
	_, err = e.Install(t.Context(), `{"name":"a","description":"","code":"bad"}`, true)
	require.Equal(t, fault.InvalidCode, fault.CodeOf(err))
	require.Equal(t, 2, fault.From(err).Column)
	for _, row := range []struct {
		tool, arguments string
		code            fault.Code
		path            string
	}{
		{"gone", "{}", fault.NotFound, ""},
		{revision, `{"n":"x"}`, fault.InvalidArguments, "$.n"},
		{revision, `{"n":1,"n":2}`, fault.InvalidJSON, "$.n"},
		{revision, `{}, "tool": "x"`, fault.InvalidJSON, "$"},
		{revision, `[]`, fault.InvalidArguments, "$.content.functionCall.arguments"},
	} {
		_, err := e.Run(t.Context(), row.tool, row.arguments, false, nil)
		require.Equal(t, row.code, fault.CodeOf(err), row.arguments)
		require.Equal(t, row.path, fault.From(err).Path, row.arguments)
	}
	require.Error(t, e.Activate(t.Context(), "a", "no id"))
}

func TestARunThatFindsNoSandboxStillHasARecord(t *testing.T) {
	e := open(t)
	revision, err := e.Install(t.Context(), definition("a", ""), true)
	require.NoError(t, err)
	record, err := e.Run(t.Context(), "a", `{"n":1}`, true, func(console.LogLine) {})
	require.NoError(t, err)
	require.NotEqual(t, "ok", record.Outcome)
	require.Equal(t, revision, record.Tool)
	require.Contains(t, record.Task, "task:b3:")
	require.NotEmpty(t, record.Error.Message)
}

func TestARecordIsShownWhole(t *testing.T) {
	record, err := recordOf(&task.Record{Outcome: task.OK, Result: map[string]any{"$t": "undefined"}, DurationMs: 1.5,
		Logs: []task.LogLine{{Level: "warn", Text: "x"}}, Dropped: 2})
	require.NoError(t, err)
	require.Equal(t, console.Record{Outcome: "ok", Result: `{"$t":"undefined"}`, Duration: 1500 * time.Microsecond,
		Logs: []console.LogLine{{Level: "warn", Text: "x"}}, Dropped: 2}, record)

	record, err = recordOf(&task.Record{Outcome: task.ToolError, Error: &task.Failure{Code: task.ToolError, Name: "TypeError",
		Message: "m", Path: "$.p", Line: 3, Column: 4, Stack: "s", Cause: "c", Value: []any{1.0}}})
	require.NoError(t, err)
	require.Empty(t, record.Result)
	require.Equal(t, &console.Failure{Code: "tool_error", Name: "TypeError", Message: "m", Path: "$.p", Line: 3, Column: 4, Stack: "s",
		Cause: "c", Thrown: "[1]"}, record.Error)
}

func TestVersionsAreBlockedComparedRemovedAndErased(t *testing.T) {
	e := open(t)
	first, err := e.Install(t.Context(), definition("a", "one"), true)
	require.NoError(t, err)
	second, err := e.Install(t.Context(), definition("a", "two"), true)
	require.NoError(t, err)

	changes, err := e.Diff(t.Context(), first, second)
	require.NoError(t, err)
	require.Equal(t, []console.Change{{Path: "$.description", Kind: "changed", Before: "one", After: "two"}}, changes)

	require.NoError(t, e.Block(t.Context(), first, "leaks"))
	history, err := e.History(t.Context(), "a")
	require.NoError(t, err)
	require.True(t, history[1].Blocked)
	require.Equal(t, "leaks", history[1].Reason)
	require.False(t, history[1].Bound.IsZero(), "it was active once")
	require.Equal(t, fault.Denied, fault.CodeOf(e.Activate(t.Context(), "a", first)))
	require.NoError(t, e.Unblock(t.Context(), first))

	require.Equal(t, fault.Conflict, fault.CodeOf(e.Erase(t.Context(), second)), "it is active")
	_, err = e.Run(t.Context(), first, `{"n":1}`, false, func(console.LogLine) {})
	require.NoError(t, err)
	require.ErrorContains(t, e.Erase(t.Context(), first), "a task is pinned to it")
	require.NoError(t, e.Remove(t.Context(), "a"))
	require.NoError(t, e.Erase(t.Context(), second))
	history, err = e.History(t.Context(), "a")
	require.NoError(t, err)
	require.Len(t, history, 1)
	require.False(t, history[0].Active)
	for _, act := range []func(id string) error{
		func(id string) error { return e.Erase(t.Context(), id) }, func(id string) error { return e.Block(t.Context(), id, "") },
		func(id string) error { return e.Unblock(t.Context(), id) }, func(id string) error { return e.SetSettings(t.Context(), id, "{}") },
		func(id string) error { _, err := e.Export(t.Context(), id); return err },
		func(id string) error { _, err := e.Diff(t.Context(), first, id); return err },
	} {
		require.Error(t, act("no id"))
	}
}

func TestAChangeShowsTextAsTextAndKeepsOtherValuesApart(t *testing.T) {
	for want, change := range map[console.Change]tool.Change{
		{Path: "$", Kind: "changed", Before: "() =>\n1", After: "2"}: {Path: "$", Kind: tool.Changed, Before: "() =>\n1", After: "2"},
		{Path: "$", Kind: "changed", Before: "1", After: `"1"`}:      {Path: "$", Kind: tool.Changed, Before: 1.0, After: "1"},
		{Path: "$", Kind: "added", After: "a\nb"}:                    {Path: "$", Kind: tool.Added, After: "a\nb"},
		{Path: "$", Kind: "added", After: `"a"`}:                     {Path: "$", Kind: tool.Added, After: "a"},
		{Path: "$", Kind: "removed", Before: "[\n  1\n]"}:            {Path: "$", Kind: tool.Removed, Before: []any{1.0}},
		{Path: "$", Kind: "added", After: "null"}:                    {Path: "$", Kind: tool.Added},
	} {
		got, err := changeOf(change)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
}

func TestSettingsAreKeptForOneRevision(t *testing.T) {
	e := open(t)
	text := `{"name":"s","description":"","code":"() => 1","settings":{"type":"object","properties":{"unit":{"enum":["C","F"]}},` +
		`"required":["unit"]}}`
	revision, err := e.Install(t.Context(), text, true)
	require.NoError(t, err)
	_, err = e.Run(t.Context(), revision, `{}`, false, func(console.LogLine) {})
	require.Equal(t, fault.InvalidSettings, fault.CodeOf(err))
	require.Equal(t, fault.InvalidSettings, fault.CodeOf(e.SetSettings(t.Context(), revision, `{"unit":"K"}`)))
	require.NoError(t, e.SetSettings(t.Context(), revision, ` {"unit":"C"}`))
	history, err := e.History(t.Context(), "s")
	require.NoError(t, err)
	require.Equal(t, `{"unit":"C"}`, history[0].Current)
	require.NotNil(t, history[0].Settings)
	_, err = e.Run(t.Context(), revision, `{}`, false, func(console.LogLine) {})
	require.NoError(t, err)
}

func TestAToolTravelsAsAFile(t *testing.T) {
	from, to := open(t), open(t)
	revision, err := from.Install(t.Context(), definition("a", "one"), true)
	require.NoError(t, err)
	text, err := from.Export(t.Context(), revision)
	require.NoError(t, err)
	report, err := to.Import(t.Context(), text+"{\"no\":1}\n")
	require.NoError(t, err)
	require.Equal(t, console.Count{What: "revisions", New: 1}, report.Counts[0])
	require.Len(t, report.Refused, 1)
	require.Equal(t, "line 3", report.Refused[0].Place)
	require.NotEmpty(t, report.Refused[0].Code)
	tools, err := to.Tools(t.Context())
	require.NoError(t, err)
	require.Equal(t, revision, tools[0].Revision)
	require.False(t, tools[0].Active, "nothing becomes active by it")
	_, err = to.Import(t.Context(), "no archive")
	require.Error(t, err)
}
