package console_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// twoVersions makes a second version of uppercase the active one and returns both.
func twoVersions(s *stage) (first, second console.Tool) {
	first = s.Desk().Tool
	s.do(func() { s.Edit(first); s.Form.Description = "second" })
	s.do(s.InstallTool)
	return first, s.Desk().Tool
}

func TestAVersionSaysSinceWhenItIsActive(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		twoVersions(s)
		history := s.Desk().History
		require.Regexp(t, `^active since \d{4}-\d\d-\d\d \d\d:\d\d$`, history[0].When())
		require.Regexp(t, `^made active \d{4}-`, history[1].When())
		require.Equal(t, "never active", new(console.Tool).When())
	})
}

func TestAVersionIsComparedWithTheActiveOneUntilThatChanges(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		first, second := twoVersions(s)
		s.do(func() { s.Compare(first.Revision) })
		require.Equal(t, &console.Comparison{Before: second.Revision, After: first.Revision, Changes: []console.Change{
			{Path: "$.description", Kind: "changed", Before: second.Revision, After: first.Revision}}}, s.Desk().Versions.Comparison)
		require.Equal(t, "comparison-heading", s.focus[len(s.focus)-1])
		s.do(func() { s.Activate(first.Revision) })
		require.Nil(t, s.Desk().Versions.Comparison, "it would compare with what is not active any more")
		s.do(func() { s.Compare(second.Revision) })
		s.do(s.EndComparison)
		require.Nil(t, s.Desk().Versions.Comparison)
	})
}

func TestABlockAsksForAReasonAndIsTakenBack(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		revision := s.Desk().Tool.Revision
		s.do(func() { s.Ask(console.Block, revision) })
		require.Equal(t, "block-reason", s.focus[len(s.focus)-1])
		s.do(s.Unask)
		require.False(t, s.Desk().Tool.Blocked)
		s.do(func() { s.Ask(console.Block, revision); s.Desk().Versions.Reason = "leaks" })
		s.do(s.Answer)
		require.True(t, s.Desk().Tool.Blocked)
		require.Equal(t, "leaks", s.Desk().Tool.Reason)
		require.Contains(t, s.Desk().Kind(), "blocked")
		require.Empty(t, s.Desk().Versions.Asking)
		s.do(func() { s.Unblock(revision) })
		require.False(t, s.Desk().Tool.Blocked)
	})
}

func TestWhoWentOnToAnotherToolIsNotLedBack(t *testing.T) {
	for title, act := range map[string]func(s *stage, revision string){
		"a change":     func(s *stage, revision string) { s.Ask(console.Block, revision); s.Answer() },
		"a comparison": func(s *stage, revision string) { s.Compare(revision) },
		"a refusal":    func(s *stage, revision string) { s.Ask(console.Erase, revision); s.Answer() },
	} {
		t.Run(title, func(t *testing.T) {
			onStage(t, func(t *testing.T, s *stage) {
				first, _ := twoVersions(s)
				s.engine.pinned = map[string]bool{first.Revision: true}
				s.do(func() { act(s, first.Revision); s.Select("add") })
				require.Empty(t, s.Trouble)
				require.True(t, s.Showing("add"))
				require.Empty(t, s.Note)
				require.Equal(t, "tool-heading", s.focus[len(s.focus)-1])
			})
		})
	}
}

func TestARemovedNameKeepsItsVersions(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		first, second := twoVersions(s)
		s.do(s.RemoveName)
		require.Equal(t, "uppercase", s.Desk().Tool.Name)
		require.False(t, s.Desk().Tool.Active)
		require.Len(t, s.Desk().History, 2)
		require.Contains(t, s.Note, "can be activated again")
		s.do(func() { s.Activate(first.Revision) })
		require.Equal(t, first.Revision, s.Desk().Tool.Revision)
		require.NotEqual(t, second.Revision, s.Desk().ActiveRevision())
	})
}

func TestAVersionIsErasedAfterAWordAndAPinnedOneSaysWhyNot(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		first, _ := twoVersions(s)
		s.engine.pinned = map[string]bool{first.Revision: true}
		s.do(func() { s.Ask(console.Erase, first.Revision) })
		require.Len(t, s.Desk().History, 2)
		s.do(s.Answer)
		require.Contains(t, s.Desk().Versions.Problem.Message, "a task is pinned to it")
		require.Equal(t, "versions-problem", s.focus[len(s.focus)-1])
		require.Len(t, s.Desk().History, 2)
		s.engine.pinned = nil
		s.do(s.Answer)
		require.Len(t, s.Desk().History, 1)
		require.Nil(t, s.Desk().Versions.Problem)
		require.Empty(t, s.Desk().Versions.Asking)
	})
}

func TestAToolWhoseLastVersionIsErasedIsGone(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		for _, name := range []string{"uppercase", "add", "weather"} {
			s.do(func() { s.Select(name) })
			s.do(s.RemoveName)
			s.do(func() { s.Ask(console.Erase, s.Desk().Tool.Revision) })
			s.do(s.Answer)
			require.NotContains(t, s.names(), name)
		}
		require.Nil(t, s.Desk())
		require.Equal(t, console.ShowInstall, s.View, "where there is nothing, something can be installed")
		s.do(s.InstallTool)
		require.True(t, s.Showing("word_count"))
		s.do(func() { s.Start("") })
		require.Equal(t, []string{"word_count"}, s.names(), "an erased example does not come back")
	})
}
