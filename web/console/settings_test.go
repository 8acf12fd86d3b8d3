package console_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// configurable installs a tool that wants a unit and may have a limit.
func configurable(t *testing.T, s *stage) {
	t.Helper()
	s.do(func() {
		s.ShowInstall()
		s.Form.Raw = true
		s.Form.Definition = `{"name":"weather","description":"","parameters":{"type":"object","additionalProperties":false},"code":"() => 1",
			"settings":{"type":"object","properties":{"unit":{"type":"string"},"limit":{"type":"integer"}},"required":["unit"]}}`
	})
	s.do(s.InstallTool)
	require.Nil(t, s.Form.Problem)
	require.Equal(t, "weather", s.Desk().Tool.Name)
}

func TestOnlyAToolThatDeclaresSettingsHasTheirCard(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		require.False(t, s.Desk().Configurable())
		require.False(t, s.Desk().Unset())
		configurable(t, s)
		require.True(t, s.Desk().Configurable())
		require.True(t, s.Desk().Unset())
	})
}

func TestSavedSettingsAreShownAndStayWithTheirVersion(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		configurable(t, s)
		first := s.Desk().Tool.Revision
		require.Equal(t, []string{"setting-0", "setting-1"}, []string{s.Desk().Settings.Values.Fields[0].ID, s.Desk().Settings.Values.Fields[1].ID})
		s.do(func() { s.Desk().Settings.Values.SetField(0, "C") })
		s.do(s.SaveSettings)
		require.Equal(t, `{"unit":"C"}`, s.Desk().Tool.Current)
		require.False(t, s.Desk().Unset())
		require.Equal(t, "weather: settings saved for version "+console.Short(first), s.announced[len(s.announced)-1])

		s.do(func() { s.Edit(s.Desk().Tool) })
		s.do(func() {
			s.Form.Definition = `{"description":"second",` + s.Form.Definition[len("{\n  \"description\": \"\","):]
		})
		s.do(s.InstallTool)
		require.NotEqual(t, first, s.Desk().Tool.Revision)
		require.True(t, s.Desk().Unset(), "a new version starts without")
		require.Empty(t, s.Desk().Settings.Values.Fields[0].Value)

		s.do(func() { s.Activate(first) })
		require.Equal(t, "C", s.Desk().Settings.Values.Fields[0].Value)
	})
}

func TestARunWithoutRequiredSettingsLeadsToTheirCard(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		configurable(t, s)
		refusal := fault.At(fault.InvalidSettings, "$.unit", "settings of \"weather\": $.unit: is required")
		s.engine.run = func(context.Context, string, func(console.LogLine)) (console.Record, error) {
			return console.Record{}, refusal
		}
		s.do(s.Run)
		require.Equal(t, "invalid_settings", s.Desk().Run.Record.Outcome)
		require.Equal(t, refusal.Message, s.Desk().Settings.Values.Fields[0].Problem)
		require.Equal(t, "setting-0", s.focus[len(s.focus)-1])
		require.Empty(t, s.revealed)
		require.Contains(t, s.Desk().Run.Record.Error.Advice(), "Settings")

		refusal = fault.At(fault.InvalidSettings, "$", "settings: unit is missing")
		s.do(s.Run)
		require.Equal(t, refusal.Message, s.Desk().Settings.Values.Fields[0].Problem, "what is missing is shown where it belongs")

		s.do(func() { s.Desk().Settings.Values.SetField(0, "C") })
		s.do(s.SaveSettings)
		refusal = fault.At(fault.InvalidSettings, "$", "settings: too few")
		s.do(s.Run)
		require.Empty(t, s.Desk().Settings.Values.Fields[0].Problem, "an older problem is gone")
		require.Equal(t, refusal.Message, s.Desk().Settings.Values.Problem)
		require.Equal(t, "settings-heading", s.focus[len(s.focus)-1])
	})
}

func TestRefusedSettingsAreNotSavedAndSayWhichIsWrong(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		configurable(t, s)
		values := &s.Desk().Settings.Values
		s.engine.settings = func(string) error { return fault.At(fault.InvalidSettings, "$.unit", "unit is odd") }
		s.do(s.SaveSettings)
		require.Equal(t, "unit is odd", values.Fields[0].Problem)
		require.True(t, s.Desk().Unset())
		require.False(t, s.Desk().Settings.Busy)

		s.engine.settings = func(string) error { t.Error("a mistyped number reached the engine"); return nil }
		s.do(func() { values.SetField(1, "many") })
		s.do(s.SaveSettings)
		require.Equal(t, "setting-1", s.focus[len(s.focus)-1])

		s.engine.settings = func(string) error { panic("settings") }
		s.do(func() { values.SetField(1, "3") })
		s.do(s.SaveSettings)
		require.Equal(t, "engine: internal fault: settings", s.Trouble)
		require.False(t, s.Desk().Settings.Busy)
	})
}

func TestSettingsThatWereSavedElsewhereAreShownAfterLoading(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		configurable(t, s)
		s.do(func() { s.Desk().Settings.Values.SetField(1, "7") })
		s.do(func() { s.Start("") })
		require.Equal(t, "7", s.Desk().Settings.Values.Fields[1].Value, "what is typed stays as long as nothing was saved")
		require.NoError(t, s.engine.SetSettings(t.Context(), s.Desk().Tool.Revision, `{"unit":"F"}`))
		s.do(func() { s.Start("") })
		require.Equal(t, "F", s.Desk().Settings.Values.Fields[0].Value)
	})
}

func TestSettingsThatTheFormCannotHoldAreShownAsJSON(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		configurable(t, s)
		values := &s.Desk().Settings.Values
		s.do(values.ShowRaw)
		s.do(func() { values.SetText(`{"unit":["C"]}`) })
		s.do(s.SaveSettings) // the fake takes anything
		require.True(t, s.Desk().Settings.Values.Raw)
		require.JSONEq(t, `{"unit":["C"]}`, s.Desk().Settings.Values.Text)
		require.Empty(t, s.Desk().Settings.Values.Problem)
	})
}
