package archive_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

var write = flag.Bool("write", false, "write what a new golden file would hold; never for a file that was published")

func golden(t *testing.T, name, text string) string {
	if *write {
		require.NoError(t, os.WriteFile("testdata/"+name, []byte(text), 0o644))
	}
	kept, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	return string(kept)
}

func TestAnArchiveOfTheFirstVersionStaysReadable(t *testing.T) {
	author := open(t)
	root, last := author.story()
	text := author.export(root.ID, archive.Options{Descendants: true})
	kept := golden(t, "chat.jsonl", text)
	require.Equal(t, kept, text)

	reader := open(t)
	report := reader.take(kept)
	require.Empty(t, report.Refused)
	require.Equal(t, archive.Count{New: 2}, report.Revisions, "the lexical one is in its node and is not installed")
	require.Equal(t, archive.Count{New: 10}, report.Tasks)
	require.Equal(t, archive.Count{New: 2}, report.Records)
	reader.inert()
	require.Equal(t, []int{1, 0, 1}, []int{reader.store.imports, reader.store.puts, reader.store.gets}, "all tasks come in by one change, and only the root is asked for")
	require.Equal(t, text, reader.export(root.ID, archive.Options{Descendants: true}), "an archive of the archive is the archive")
	lineage, err := reader.Tasks.Lineage(t.Context(), last.ID)
	require.NoError(t, err)
	require.Len(t, lineage, 9)
}

func TestImportingAgainChangesNothing(t *testing.T) {
	author, reader := open(t), open(t)
	root, _ := author.story()
	text := author.export(root.ID, archive.Options{Descendants: true})
	reader.take(text)
	again := reader.take(text)
	require.Equal(t, archive.Count{Known: 2}, again.Revisions)
	require.Equal(t, archive.Count{Known: 10}, again.Tasks)
	require.Equal(t, archive.Count{Known: 2}, again.Records)
	require.Empty(t, again.Refused)
	require.Equal(t, text, reader.export(root.ID, archive.Options{Descendants: true}))
	require.Equal(t, 1, reader.store.imports)
	twice := open(t).take(text + text[strings.Index(text, "\n")+1:])
	require.Equal(t, archive.Count{New: 10, Known: 10}, twice.Tasks, "nor does a line that is given twice")
	require.Equal(t, archive.Count{New: 2, Known: 2}, twice.Records)
}

func TestAChatIsExportedWithWhatLedToItAndOnRequestWithWhatFollowed(t *testing.T) {
	author := open(t)
	_, last := author.story()
	lineage, err := author.Tasks.Lineage(t.Context(), last.ID)
	require.NoError(t, err)
	middle := lineage[5]
	require.Equal(t, 6, strings.Count(author.export(middle.ID, archive.Options{}), `"kind":"task"`))
	require.Equal(t, 10, strings.Count(author.export(middle.ID, archive.Options{Descendants: true}), `"kind":"task"`))
	require.NotContains(t, author.export(last.ID, archive.Options{}), "another way")
	require.Equal(t, fault.NotFound, fault.CodeOf(author.Chat(t.Context(), canon.SumTask([]byte("x")), archive.Options{}, new(strings.Builder))))
}

func TestARevisionIsExportedAloneAndNotActivated(t *testing.T) {
	author, reader := open(t), open(t)
	revision := author.install(definition("sum", "(a) => a.n"), true)
	var text strings.Builder
	require.NoError(t, author.Revision(t.Context(), revision.ID(), archive.Options{}, &text))
	require.Equal(t, archive.Count{New: 1}, reader.take(text.String()).Revisions)
	reader.inert()
	got, err := reader.Registry.Revision(t.Context(), revision.ID())
	require.NoError(t, err)
	require.Equal(t, revision.Bytes(), got.Bytes())
	require.Equal(t, fault.NotFound, fault.CodeOf(author.Revision(t.Context(), canon.SumTool([]byte("x")), archive.Options{}, &text)))
}

func TestAnExportThatNoImportWouldTakeIsRefused(t *testing.T) {
	author := open(t)
	root, _ := author.story()
	size := len(author.export(root.ID, archive.Options{Descendants: true}))
	author.Limits.ArchiveBytes = size
	text := author.export(root.ID, archive.Options{Descendants: true})
	reader := open(t)
	reader.Limits.ArchiveBytes = size
	require.Empty(t, reader.take(text).Refused)
	_, err := reader.Import(t.Context(), []byte(text+" "))
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
	author.Limits.ArchiveBytes = size - 1
	err = author.Chat(t.Context(), root.ID, archive.Options{Descendants: true}, new(strings.Builder))
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
}

func TestNoSettingsTravelAndNoFileChoosesThemForAToolThatIsHere(t *testing.T) {
	text := strings.Replace(definition("set", "(a) => a.n"), `"description":""`, `"description":"","settings":{"type":"object","properties":{"key":{"type":"string"}}}`, 1)
	author, reader := open(t), open(t)
	revision := author.install(text, true)
	pinned, err := author.Registry.SetSettings(t.Context(), revision.ID(), []byte(`{"key":"private"}`))
	require.NoError(t, err)
	call := author.call(canon.TaskID{}, "set")
	require.Equal(t, pinned.ID, call.Content.FunctionCall.Settings)
	exported := author.export(call.ID, archive.Options{Descendants: true})
	require.NotContains(t, exported, "private")
	require.Empty(t, reader.take(exported).Refused, "the task comes in")
	_, err = reader.Registry.Settings(t.Context(), pinned.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))

	line := `{"id":"` + pinned.ID.String() + `","kind":"settings","tool":"` + revision.ID().String() + `","values":{"key":"private"}}` + "\n"
	report := reader.take(exported + line)
	require.Equal(t, []string{"4 invalid_request"}, told(report))
	require.Contains(t, report.Refused[0].Message, "not carried")
	_, err = reader.Registry.Settings(t.Context(), pinned.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	current, err := reader.Registry.Current(t.Context(), revision.ID())
	require.NoError(t, err)
	require.Nil(t, current)
}

func TestAStoreThatDoesNotAnswerEndsTheImport(t *testing.T) {
	author, reader := open(t), open(t)
	root, _ := author.story()
	text := author.export(root.ID, archive.Options{})
	broken := errors.New("the disk is gone")
	reader.store.fails = broken
	_, err := reader.Import(t.Context(), []byte(text))
	require.ErrorIs(t, err, broken)
	reader.store.fails, reader.store.failsToGet = nil, broken
	_, err = reader.Import(t.Context(), []byte(text))
	require.ErrorIs(t, err, broken, "it is not the file's fault")
	reader.store.failsToGet = nil
	report := reader.take(text)
	require.Equal(t, archive.Count{New: 1}, report.Tasks)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = open(t).Import(ctx, []byte(text))
	require.ErrorIs(t, err, context.Canceled)
}

func TestAnImportedTaskIsWhatTheStoreGivesOut(t *testing.T) {
	author, reader := open(t), open(t)
	root, last := author.story()
	reader.take(author.export(root.ID, archive.Options{Descendants: true}))
	want, err := author.Tasks.Lineage(t.Context(), last.ID)
	require.NoError(t, err)
	got, err := reader.Tasks.Lineage(t.Context(), last.ID)
	require.NoError(t, err)
	require.Equal(t, want, got)
	call := want[5]
	require.Equal(t, author.records(call.ID), reader.records(call.ID))
	require.Equal(t, task.OK, reader.records(call.ID)[0].Outcome)
}
