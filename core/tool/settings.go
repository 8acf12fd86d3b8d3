package tool

import (
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Settings are what a user chose for one revision, frozen under the hash of their bytes (context string
// `taskyon 2026 settings v1`). They name their revision, so that no other one can be given them by mistake.
type Settings struct {
	ID       canon.SettingsID
	Revision canon.ToolID
	Values   map[string]any // shared: read only
	bytes    string
}

// settingsForm is what is hashed.
type settingsForm struct {
	Tool   canon.ToolID   `json:"tool"`
	Values map[string]any `json:"values"`
}

// settingsNesting leaves room for the values' own 64 levels.
const settingsNesting = 64 + 2

// FreezeSettings checks values (a decoded object) against the settings schema of r and freezes them: else invalid_settings.
func FreezeSettings(r *Revision, values any) (*Settings, error) {
	object, ok := values.(map[string]any)
	if !ok {
		return nil, fault.At(fault.InvalidSettings, "$", "settings of %q: want an object", r.Name())
	}
	s := &Settings{Revision: r.id, Values: object}
	bytes, err := canon.Marshal(settingsForm{r.id, object})
	if err != nil {
		return nil, fault.Wrap(fault.InvalidSettings, err, "settings of %q", r.Name())
	}
	s.ID, s.bytes = canon.SumSettings(bytes), string(bytes)
	return s, r.CheckSettings(s)
}

// ThawSettings reads settings back from a store or a network: their bytes must hash to the id, else corrupt.
func ThawSettings(id canon.SettingsID, bytes []byte) (*Settings, error) {
	if canon.SumSettings(bytes) != id {
		return nil, fault.New(fault.Corrupt, "settings %s: stored bytes hash to another id", id)
	}
	var form settingsForm
	if err := canon.Unmarshal(bytes, &form, settingsNesting, fault.Corrupt); err != nil {
		return nil, &fault.Error{Code: fault.Corrupt, Message: "settings " + id.String() + ": " + err.Error()}
	}
	if normal, err := canon.Marshal(form); err != nil || string(normal) != string(bytes) {
		return nil, fault.New(fault.Corrupt, "settings %s: their bytes are not in canonical form", id)
	}
	return &Settings{ID: id, Revision: form.Tool, Values: form.Values, bytes: string(bytes)}, nil
}

// Bytes are the RFC 8785 bytes of `{tool, values}`, as text.
func (s *Settings) Bytes() string { return s.bytes }

// CheckSettings checks settings, nil for none, against the settings schema: else invalid_settings with the path. They must be of
// this revision. None are judged as the empty object.
func (r *Revision) CheckSettings(s *Settings) error {
	values := map[string]any{}
	if s != nil {
		if s.Revision != r.id {
			return fault.New(fault.InvalidSettings, "settings %s: are of revision %s, not of %s", s.ID, s.Revision, r.id)
		}
		values = s.Values
	}
	if r.settings == nil {
		if len(values) > 0 {
			return fault.New(fault.InvalidSettings, "settings of %q: the tool declares none", r.Name())
		}
		return nil
	}
	if err := r.settings.Check(values, fault.InvalidSettings); err != nil {
		if s == nil {
			return fault.Wrap(fault.InvalidSettings, err, "settings of %q: set them for this revision first", r.Name())
		}
		return fault.Wrap(fault.InvalidSettings, err, "settings of %q", r.Name())
	}
	return nil
}
