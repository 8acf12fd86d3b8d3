package registrytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// set gives a revision settings; the empty text: none.
func set(t *testing.T, s registry.Store, revision canon.ToolID, text string, at time.Time) registry.Setting {
	setting := registry.Setting{Revision: revision, At: at}
	if text != "" {
		setting.ID = canon.SumSettings([]byte(text))
	}
	require.NoError(t, s.PutSettings(t.Context(), registry.Keep(setting, []byte(text))))
	return setting
}

func settings(t *testing.T, open func(*testing.T) registry.Store) {
	dark, light := canon.SumSettings([]byte(`"dark"`)), canon.SumSettings([]byte(`"light"`))
	current := func(t *testing.T, s registry.Store, revision canon.ToolID) registry.Setting {
		got, err := s.Current(t.Context(), revision)
		require.NoError(t, err)
		return got
	}
	history := func(t *testing.T, s registry.Store, revision canon.ToolID) []registry.Setting {
		list, err := s.SettingsHistory(t.Context(), revision)
		require.NoError(t, err)
		return list
	}
	t.Run("settings come back byte for byte", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		bytes := []byte(`"dark"`)
		require.NoError(t, s.PutSettings(ctx, registry.Keep(registry.Setting{Revision: one, ID: dark, At: noon}, bytes)))
		bytes[1] = 'X' // the caller's slice is the caller's
		got, err := s.Settings(ctx, dark)
		require.NoError(t, err)
		require.Equal(t, `"dark"`, string(got))
		got[1] = 'Y'
		got, err = s.Settings(ctx, dark)
		require.NoError(t, err)
		require.Equal(t, `"dark"`, string(got), "what was handed out is a copy")
	})
	t.Run("settings under an id that is not their hash are refused", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		err := s.PutSettings(ctx, registry.Keep(registry.Setting{Revision: one, ID: dark, At: noon}, []byte(`"light"`)))
		require.Equal(t, fault.Corrupt, fault.CodeOf(err))
		require.ErrorContains(t, err, dark.String())
		require.Equal(t, fault.Corrupt, fault.CodeOf(s.PutSettings(ctx, registry.Keep(registry.Setting{Revision: one, ID: dark, At: noon}, nil))))
		require.Equal(t, fault.Corrupt, fault.CodeOf(s.PutSettings(ctx, registry.Keep(registry.Setting{Revision: one, At: noon}, []byte(`"light"`)))))
		_, err = s.Settings(ctx, dark)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		require.Zero(t, current(t, s, one))
		require.Empty(t, history(t, s, one))
	})
	t.Run("several settings are one change: all in their order, or none", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		set(t, s, one, `"light"`, noon)
		late := noon.Add(time.Second)
		err := s.PutSettings(ctx, registry.Keep(registry.Setting{Revision: one, ID: dark, At: late}, []byte(`"dark"`)),
			registry.Keep(registry.Setting{Revision: one, ID: light, At: late}, []byte(`"other"`)))
		require.Equal(t, fault.Corrupt, fault.CodeOf(err))
		require.Len(t, history(t, s, one), 1)
		require.NoError(t, s.PutSettings(ctx, registry.Keep(registry.Setting{Revision: one, ID: dark, At: late}, []byte(`"dark"`)),
			registry.Keep(registry.Setting{Revision: one, ID: light, At: late}, []byte(`"light"`))))
		require.Equal(t, light, current(t, s, one).ID)
		require.Len(t, history(t, s, one), 3)
	})
	t.Run("settings that were never put are not found", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		set(t, s, one, "", noon) // neither is "none"
		for _, id := range []canon.SettingsID{dark, {}} {
			_, err := s.Settings(ctx, id)
			require.Equal(t, fault.NotFound, fault.CodeOf(err))
		}
	})
	t.Run("a revision has the settings that were put last, and each one it ever had is kept", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		require.Zero(t, current(t, s, one))
		require.Empty(t, history(t, s, one))
		// What is last is told by order and not by the clock. The same settings again are another row with the same id.
		want := []registry.Setting{set(t, s, one, `"dark"`, noon), set(t, s, one, `"light"`, noon.Add(-1)), set(t, s, one, `"dark"`, noon),
			set(t, s, one, `"dark"`, noon.Add(1))}
		other := set(t, s, two, `"light"`, noon)
		require.Equal(t, []canon.SettingsID{dark, light, dark, dark}, []canon.SettingsID{want[0].ID, want[1].ID, want[2].ID, want[3].ID})
		require.Equal(t, want[3], current(t, s, one))
		require.Equal(t, want, history(t, s, one))
		require.Equal(t, other, current(t, s, two), "the other revision has its own")
		require.Equal(t, []registry.Setting{other}, history(t, s, two))
		for _, id := range []canon.SettingsID{dark, light} {
			_, err := s.Settings(ctx, id)
			require.NoError(t, err)
		}
	})
	t.Run("settings that are taken away are no longer current, and are kept", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		first, none := set(t, s, one, `"dark"`, noon), set(t, s, one, "", noon.Add(1))
		require.True(t, none.ID.IsZero())
		require.Equal(t, none, current(t, s, one))
		require.Equal(t, []registry.Setting{first, none}, history(t, s, one))
		_, err := s.Settings(ctx, dark)
		require.NoError(t, err)
	})
	t.Run("settings are erased with their revision, and not another revision's", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "one")
		set(t, s, one, `"dark"`, noon)
		set(t, s, one, `"light"`, noon)
		other := set(t, s, two, `"light"`, noon)
		require.NoError(t, s.Erase(ctx, one))
		require.Zero(t, current(t, s, one))
		require.Empty(t, history(t, s, one))
		_, err := s.Settings(ctx, dark)
		require.Equal(t, fault.NotFound, fault.CodeOf(err))
		require.Equal(t, other, current(t, s, two))
		got, err := s.Settings(ctx, light)
		require.NoError(t, err, "the other revision has the same settings")
		require.Equal(t, `"light"`, string(got))
	})
	t.Run("settings stay where their revision may not be erased", func(t *testing.T) {
		s, ctx := open(t), t.Context()
		put(t, s, "a", "one")
		bind(t, s, "a", one, noon)
		want := set(t, s, one, `"dark"`, noon)
		require.Equal(t, fault.Conflict, fault.CodeOf(s.Erase(ctx, one)))
		require.Equal(t, want, current(t, s, one))
		_, err := s.Settings(ctx, dark)
		require.NoError(t, err)
	})
}
