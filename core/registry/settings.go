package registry

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// SetSettings checks values (a JSON object) against the settings schema of an installed revision, freezes and keeps them, and makes
// them the ones that later tasks are pinned to. Errors: not_found, invalid_json, invalid_settings. A new revision of the tool does
// not inherit them: set them for it after looking.
func (r *Registry) SetSettings(ctx context.Context, id canon.ToolID, values []byte) (*tool.Settings, error) {
	revision, err := r.Revision(ctx, id)
	if err != nil {
		return nil, err
	}
	if len(values) > r.o.Limits.DefinitionBytes {
		return nil, fault.New(fault.TooLarge, "settings: %d bytes, at most %d", len(values), r.o.Limits.DefinitionBytes)
	}
	tree, err := canon.Decode(values, r.o.Limits.Nesting)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidJSON, err, "settings")
	}
	settings, err := tool.FreezeSettings(revision, tree)
	if err != nil {
		return nil, err
	}
	return settings, r.put(ctx, Setting{Revision: id, ID: settings.ID}, settings.Bytes())
}

// RemoveSettings makes a revision have no settings. Tasks that are pinned to earlier ones keep them.
func (r *Registry) RemoveSettings(ctx context.Context, id canon.ToolID) error {
	current, err := r.o.Store.Current(ctx, id)
	if err != nil || current.ID.IsZero() {
		return err
	}
	return r.put(ctx, Setting{Revision: id}, "")
}

func (r *Registry) put(ctx context.Context, s Setting, bytes string) error {
	current, err := r.o.Store.Current(ctx, s.Revision)
	if err != nil || current.ID == s.ID {
		return err
	}
	s.At = r.o.Now()
	return r.o.Store.PutSettings(ctx, Keep(s, []byte(bytes)))
}

// Settings returns settings by id, hashed again; else not_found or corrupt.
func (r *Registry) Settings(ctx context.Context, id canon.SettingsID) (*tool.Settings, error) {
	r.mu.Lock()
	known, reads := r.settings[id], r.reads
	r.mu.Unlock()
	if known != nil {
		return known, nil
	}
	bytes, err := r.o.Store.Settings(ctx, id)
	if err != nil {
		return nil, err
	}
	settings, err := tool.ThawSettings(id, bytes)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if reads == r.reads {
		remember(r.settings, id, settings)
	}
	return settings, nil
}

// Current returns the settings that a revision has now, nil for none.
func (r *Registry) Current(ctx context.Context, id canon.ToolID) (*tool.Settings, error) {
	current, err := r.o.Store.Current(ctx, id)
	if err != nil || current.ID.IsZero() {
		return nil, err
	}
	return r.Settings(ctx, current.ID)
}

// SettingsHistory returns all settings that a revision ever had, oldest first; the zero id stands for none.
func (r *Registry) SettingsHistory(ctx context.Context, id canon.ToolID) ([]Setting, error) {
	return r.o.Store.SettingsHistory(ctx, id)
}
