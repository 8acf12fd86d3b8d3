package console_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func TestTheAddressKeepsTheSelection(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		require.Empty(t, s.visited, "a first look makes no step to go back from")
		s.do(func() { s.Select("add") })
		require.Equal(t, []string{"add"}, s.visited)
		require.Equal(t, []string{"tool-heading"}, s.focus)
		s.Revisit("")
		require.True(t, s.Showing("uppercase"), "the first address names no tool")
		s.Revisit("add")
		require.True(t, s.Showing("add"))
		s.Revisit("gone")
		require.True(t, s.Showing("add"))
		require.Len(t, s.visited, 1, "going back makes no step")
		s.do(func() { s.Start("uppercase") })
		require.True(t, s.Showing("uppercase"))
		s.do(func() { s.Start("gone") })
		require.Contains(t, s.Trouble, "tool gone: is not here")
		require.True(t, s.Showing("uppercase"))
	})
}

func TestANoteGoesAwayWithTheNextAction(t *testing.T) {
	for title, action := range map[string]func(s *stage){
		"run":     func(s *stage) { s.Run() },
		"select":  func(s *stage) { s.Select("add") },
		"edit":    func(s *stage) { s.Edit(s.Desk().Tool) },
		"ask":     func(s *stage) { s.Ask(console.Block, s.Desk().Tool.Revision) },
		"compare": func(s *stage) { s.Compare(s.Desk().Tool.Revision) },
		"save":    func(s *stage) { s.SaveSettings() },
	} {
		t.Run(title, func(t *testing.T) {
			onStage(t, func(t *testing.T, s *stage) {
				s.do(s.InstallTool)
				require.NotEmpty(t, s.Note)
				s.do(func() { action(s) })
				require.Empty(t, s.Note)
			})
		})
	}
}

func TestARunRevealsItsOutcomeUnlessThePersonWentOn(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(s.Run)
		require.Equal(t, []string{"outcome-heading"}, s.revealed)
		s.engine.run = func(context.Context, string, func(console.LogLine)) (console.Record, error) {
			time.Sleep(time.Second)
			return console.Record{Outcome: "ok"}, nil
		}
		s.do(s.Run)
		s.do(func() { s.Desk().Arguments.SetField(0, "typed on") })
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Len(t, s.revealed, 1, "who types is not led away")
		s.do(s.Run)
		s.do(func() { s.Select("add") })
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Len(t, s.revealed, 1, "another tool is shown")
	})
}
