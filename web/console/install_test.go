package console_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func TestTheExampleInTheFormInstallsAndIsShown(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(s.ShowInstall)
		s.do(s.InstallTool)
		require.Nil(t, s.Form.Problem)
		require.True(t, s.Showing("word_count"))
		require.True(t, s.Desk().Tool.Active)
		require.Contains(t, s.Note, "word_count: installed as "+console.Short(s.Desk().Tool.Revision)+" and active")
		require.Equal(t, []string{"install-heading", "tool-heading"}, s.focus)
	})
}

func TestASecondVersionWaitsUntilItIsActivated(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		first := s.Desk().Tool
		s.do(func() { s.Edit(first) })
		require.Equal(t, first.Code, s.Form.Code)
		s.do(func() { s.Form.Description, s.Form.Activate = "second", false })
		s.do(s.InstallTool)
		require.Equal(t, first.Revision, s.Desk().Tool.Revision)
		require.Contains(t, s.Note, "not active yet")
		require.Len(t, s.Desk().History, 2)
		second := s.Desk().History[0]
		require.False(t, second.Active)
		s.do(func() { s.Activate(second.Revision) })
		require.Equal(t, second.Revision, s.Desk().Tool.Revision)
		s.do(func() { s.Activate(first.Revision) })
		require.Equal(t, first.Revision, s.Desk().Tool.Revision, "an older version can come back")
		require.True(t, s.Desk().History[1].Active)
	})
}

func TestAFirstVersionThatIsNotActiveIsStillShown(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Form.Activate = false })
		s.do(s.InstallTool)
		require.Equal(t, "word_count", s.Desk().Tool.Name)
		require.Equal(t, "sandboxed code, javascript, not active", s.Desk().Kind())
	})
}

func TestTypedArgumentsSurviveANewVersion(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Desk().Arguments.SetField(0, "mine") })
		s.do(func() { s.Edit(s.Desk().Tool); s.Form.Description = "second" })
		s.do(s.InstallTool)
		require.Equal(t, "mine", s.Desk().Arguments.Fields[0].Value)
	})
}

func TestAnInstallErrorNamesPartPlaceAndWhatToDo(t *testing.T) {
	syntax := func(string) error {
		err := fault.At(fault.InvalidCode, "$.implementation.code", "code: unexpected token")
		err.Line, err.Column = 2, 10
		return err
	}
	for _, row := range []struct {
		title         string
		form          func(*console.InstallForm)
		engine        func(string) error
		part, code    string
		place, holder string
	}{
		{"a bad name", func(f *console.InstallForm) { f.Name = "no spaces" }, nil,
			"name", "invalid_definition", "at $.name", ""},
		{"parameters that are no JSON", func(f *console.InstallForm) { f.Parameters = "{\n  \"type\": \"object\",\n}" }, nil,
			"parameters", "invalid_json", "line 3, column 1, at $.parameters", "3 | }\n    ^"},
		{"parameters that are no object schema", func(f *console.InstallForm) { f.Parameters = `{"type":"string"}` }, nil,
			"parameters", "invalid_schema", "at $.parameters.type", ""},
		{"a syntax error", func(f *console.InstallForm) { f.Code = "(a) => {\n\treturn a !\n}" }, syntax,
			"code", "invalid_code", "line 2, column 10, at $.implementation.code", "2 |  return a !\n             ^"},
		{"a definition that is no JSON", func(f *console.InstallForm) { f.Raw, f.Definition = true, "{" }, nil,
			"definition", "invalid_json", "line 1, column 2, at $", "1 | {\n     ^"},
		{"a syntax error in a definition", func(f *console.InstallForm) {
			f.Raw, f.Definition = true, `{"name":"n","description":"","code":"(a) => {\n return a !\n}"}`
		}, syntax, "definition", "invalid_code", "line 2, column 10, at $.implementation.code", "2 |  return a !\n             ^"},
	} {
		t.Run(row.title, func(t *testing.T) {
			onStage(t, func(t *testing.T, s *stage) {
				s.engine.install = row.engine
				s.do(func() { row.form(s.Form) })
				s.do(s.InstallTool)
				require.NotNil(t, s.Form.Problem)
				require.Equal(t, row.code, s.Form.Problem.Code)
				require.True(t, s.Form.Wrong(row.part), s.Form.Problem.Part)
				require.Equal(t, row.place, s.Form.Problem.Place())
				require.Equal(t, row.holder, s.Form.Problem.Excerpt)
				require.NotEmpty(t, s.Form.Problem.Advice())
				require.Contains(t, s.focus, "install-problem")
				require.False(t, s.Form.Busy)
			})
		})
	}
}

func TestTheFormAndItsJSONSayTheSame(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		before := *s.Form
		s.do(s.Form.ShowRaw)
		require.Contains(t, s.Form.Definition, `"language": "javascript"`)
		s.do(func() { s.Form.Definition = strings.Replace(s.Form.Definition, "word_count", "counter", 1) })
		s.do(s.Form.ShowForm)
		require.Equal(t, "counter", s.Form.Name)
		require.Equal(t, before.Code, s.Form.Code)
	})
}

func TestADefinitionThatTheFieldsCannotHoldStaysJSON(t *testing.T) {
	for title, definition := range map[string]string{
		"needs":       `{"name":"n","description":"","parameters":{"type":"object"},"code":"() => 1","needs":{"storage":true}}`,
		"python":      `{"name":"n","description":"","implementation":{"class":"sandboxed-code","language":"python","code":"1"}}`,
		"no JSON":     `{"name":`,
		"an odd type": `{"name":1,"description":"","parameters":{"type":"object"},"code":"() => 1"}`,
	} {
		t.Run(title, func(t *testing.T) {
			onStage(t, func(t *testing.T, s *stage) {
				s.do(func() { s.Form.Raw, s.Form.Definition = true, definition })
				s.do(s.Form.ShowForm)
				require.True(t, s.Form.Raw)
				require.NotNil(t, s.Form.Problem)
				require.Equal(t, definition, s.Form.Definition)
			})
		})
	}
}

func TestEditingAToolWithNeedsOpensItsJSON(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() {
			s.Form.Raw = true
			s.Form.Definition = `{"name":"n","description":"","parameters":{"type":"object"},"implementation":` +
				`{"class":"sandboxed-code","language":"javascript","code":"() => 1"},"needs":{"storage":true}}`
		})
		s.do(s.InstallTool)
		s.do(func() { s.Edit(s.Desk().Tool) })
		require.True(t, s.Form.Raw)
		require.Contains(t, s.Form.Definition, "storage")
	})
}

func TestFieldsThatMakeNoDefinitionStayFields(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Form.Parameters = "{" })
		s.do(s.Form.ShowRaw)
		require.False(t, s.Form.Raw)
		require.True(t, s.Form.Wrong("parameters"))
	})
}

func TestInstallingTheActiveRevisionAgainSaysThatItIsActive(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(s.InstallTool)
		s.do(func() { s.Edit(s.Desk().Tool); s.Form.Activate = false })
		s.do(s.InstallTool)
		require.Contains(t, s.Note, "and active")
		require.Len(t, s.Desk().History, 1)
	})
}

func TestANewVersionAndAToolOfOnesOwnHaveSeparateDrafts(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Edit(s.Desk().Tool); s.Form.Description = "half done" })
		require.Equal(t, "uppercase", s.Form.Of)
		s.do(s.ShowInstall)
		require.Empty(t, s.Form.Of)
		require.Equal(t, "word_count", s.Form.Name, "one click replaces no other tool")
		s.do(func() { s.Edit(s.Desk().Tool) })
		require.Equal(t, "half done", s.Form.Description, "a draft stays as it was left")
		s.do(s.Cancel)
		require.True(t, s.Showing("uppercase"))
		s.do(func() { s.Edit(s.Desk().Tool) })
		require.Equal(t, s.Desk().Tool.Description, s.Form.Description, "a cancelled draft is gone")
	})
}

func TestADraftOfAnOlderVersionMakesRoomForTheNewOne(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		first, second := twoVersions(s)
		s.do(func() { s.Edit(second); s.Form.Description = "third" })
		s.do(func() { s.Edit(first) })
		require.Equal(t, first.Description, s.Form.Description)
	})
}

func TestTheFormIsEmptyAfterAnInstallation(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(s.InstallTool)
		s.do(s.ShowInstall)
		require.Empty(t, s.Form.Name)
		require.Empty(t, s.Form.Code)
		require.True(t, s.Form.Activate)
		s.do(func() { s.Form.Name = "uppercase" })
		require.True(t, s.Taken())
		s.do(s.InstallTool)
		require.NotNil(t, s.Form.Problem)
		require.Equal(t, "Not installed", s.Form.Problem.Title)
		require.Equal(t, "uppercase", s.Form.Name, "a refused form keeps its text")
	})
}

func TestANewVersionCannotBecomeAnotherTool(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Edit(s.Desk().Tool); s.Form.Name = "add" })
		s.do(s.InstallTool)
		require.True(t, s.Form.Wrong("name"))
		s.do(func() { s.Form.Name = "uppercase"; s.Form.ShowRaw() })
		s.do(func() { s.Form.Definition = strings.Replace(s.Form.Definition, `"uppercase"`, `"add"`, 1) })
		s.do(s.InstallTool)
		require.Contains(t, s.Form.Problem.Message, `a new version of "uppercase"`)
		require.Equal(t, []string{"add", "uppercase", "weather"}, s.names())
	})
}

func TestTextThatTheFormCannotShowIsNotSaidToBeAFailedInstallation(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Form.Raw, s.Form.Definition = true, `{"name": }` })
		s.do(s.Form.ShowForm)
		require.Equal(t, "The form cannot show this", s.Form.Problem.Title)
		require.Equal(t, "invalid_json", s.Form.Problem.Code)
	})
}
