package console_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func TestAToolIsExportedAsAFileOfItsName(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(s.Export)
		require.Equal(t, []string{"uppercase.taskyon.jsonl: archive of " + s.Desk().Tool.Revision}, s.saved)
		require.Contains(t, s.Note, "uppercase.taskyon.jsonl")
	})
}

func TestAnImportShowsWhatCameInAndWhatWasRefused(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.chosen = func() (string, string, error) { return "tools.jsonl", "the text", nil }
		s.engine.imports = func(text string) (console.Report, error) {
			require.Equal(t, "the text", text)
			_, err := s.engine.Install(t.Context(), `{"name":"imported","description":"","code":"() => 1"}`, false)
			return console.Report{Counts: []console.Count{{What: "revisions", New: 1}, {What: "tasks", Known: 2}},
				Refused: []console.Line{{Place: "line 3", Code: "corrupt", Text: "hashes to another id"}}}, err
		}
		s.do(s.ImportFile)
		require.Equal(t, console.ShowImport, s.View)
		require.Equal(t, "tools.jsonl", s.Import.File)
		require.Equal(t, "revisions: 1 new, 1 refused", s.Import.Summary())
		require.Equal(t, "line 3", s.Import.Report.Refused[0].Place)
		require.Contains(t, s.names(), "imported")
		require.Equal(t, "import-heading", s.focus[len(s.focus)-1])
		s.do(s.BackToTool)
		require.True(t, s.Showing("uppercase"))
	})
}

func TestAFileThatIsNoArchiveSaysWhyNothingCameIn(t *testing.T) {
	for title, row := range map[string]struct {
		read, take error
	}{
		"not readable": {read: errors.New("disk is gone")},
		"no archive":   {take: fault.New(fault.InvalidJSON, "archive: is no JSON")},
	} {
		t.Run(title, func(t *testing.T) {
			onStage(t, func(t *testing.T, s *stage) {
				s.chosen = func() (string, string, error) { return "f", "x", row.read }
				s.engine.imports = func(string) (console.Report, error) { return console.Report{}, row.take }
				s.do(s.ImportFile)
				require.NotNil(t, s.Import.Problem)
				require.Contains(t, s.Import.Summary(), "nothing was imported")
				require.False(t, s.Import.Busy)
			})
		})
	}
	onStage(t, func(t *testing.T, s *stage) {
		s.chosen = func() (string, string, error) { panic("import") }
		s.do(s.ImportFile)
		require.Equal(t, "engine: internal fault: import", s.Trouble)
		require.False(t, s.Import.Busy, "another file can be chosen")
	})
}
