package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func TestAChatMovesToAnotherEngineAndItsCallsRunThereAsTheyAre(t *testing.T) {
	author, other := open(t, echo()), open(t, echo())
	ports := author.ports(echo())
	ports.Isolation = "browser" // a word that a record may say elsewhere
	author.Engine = core.New(ports)
	t.Cleanup(author.Close)
	author.install(t, "a", "one", "")
	compiled, text := author.compile(t, "a", `{"n":1}`)
	_, err := author.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	author.install(t, "a", "two", "")
	other.install(t, "a", "three", "")

	exported, err := author.ExportChat(t.Context(), compiled.ID, archive.Options{Descendants: true})
	require.NoError(t, err)
	report, err := other.Import(t.Context(), []byte(exported))
	require.NoError(t, err)
	require.Empty(t, report.Refused)
	require.Equal(t, []archive.Count{{New: 1}, {New: 1}, {New: 1}}, []archive.Count{report.Revisions, report.Tasks, report.Records})
	active, err := other.Registry().Lookup(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, "three", active.Definition().Implementation.Code, "the name means what it meant")
	record, err := other.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.OK, record.Outcome)
	require.Equal(t, "one", record.Result.(map[string]any)["program"])

	require.NoError(t, other.Registry().Block(t.Context(), compiled.Content.FunctionCall.Tool, ""))
	report, err = other.Import(t.Context(), []byte(exported))
	require.NoError(t, err)
	require.Equal(t, fault.Denied, report.Refused[0].Code)
	record, err = other.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.Denied, record.Outcome)
}

func TestARevisionMovesToAnotherEngine(t *testing.T) {
	author, other := open(t, echo()), open(t, echo())
	revision := author.install(t, "a", "one", "")
	exported, err := author.ExportRevision(t.Context(), revision.ID(), archive.Options{})
	require.NoError(t, err)
	_, err = other.Import(t.Context(), []byte(exported))
	require.NoError(t, err)
	_, err = other.Registry().Lookup(t.Context(), "a")
	require.Equal(t, fault.NotFound, fault.CodeOf(err), "it is installed and means nothing yet")
	_, err = other.Registry().Activate(t.Context(), revision.ID())
	require.NoError(t, err)
	text, err := other.ExportRevision(t.Context(), canon.SumTool([]byte("x")), archive.Options{})
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Empty(t, text, "no part of an archive")
}

func TestAClosedEngineNeitherExportsNorImports(t *testing.T) {
	f := open(t, echo())
	f.Close()
	_, err := f.ExportChat(t.Context(), canon.TaskID{}, archive.Options{})
	require.Equal(t, fault.Closed, fault.CodeOf(err))
	_, err = f.ExportRevision(t.Context(), canon.ToolID{}, archive.Options{})
	require.Equal(t, fault.Closed, fault.CodeOf(err))
	_, err = f.Import(t.Context(), []byte(`{}`))
	require.Equal(t, fault.Closed, fault.CodeOf(err))
}
