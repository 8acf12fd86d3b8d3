//go:build js && wasm

package store

import (
	"context"
	"unicode/utf8"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// PutSettings implements registry.Store. Each row has its own values, so that they can go with their revision.
func (k *Tools) PutSettings(ctx context.Context, list ...registry.Kept) error {
	for _, s := range list {
		if err := registry.ProvenSettings(s.ID, s.Bytes); err != nil {
			return err
		}
		if !utf8.Valid(s.Bytes) {
			return fault.New(fault.InvalidSettings, "settings %s: are not UTF-8", s.ID)
		}
	}
	return k.s.transact(ctx, "readwrite", "keep settings", []any{settings}, func(t *transaction) {
		for _, s := range list {
			t.request(object{store: settings}, "add", nil,
				map[string]any{"revision": s.Revision.String(), "id": s.ID.String(), "values": string(s.Bytes), "at": written(s.At)})
		}
	})
}

// Settings implements registry.Store.
func (k *Tools) Settings(ctx context.Context, id canon.SettingsID) ([]byte, error) {
	if id.IsZero() {
		return nil, registry.MissingSettings(id) // the zero id of a setting is no settings
	}
	var found safejs.Value
	err := k.s.transact(ctx, "readonly", "read settings", []any{settings}, func(t *transaction) {
		t.request(settingsByID, "get", func(result safejs.Value) { found = result }, id.String())
	})
	if err != nil {
		return nil, err
	}
	if found.IsUndefined() {
		return nil, registry.MissingSettings(id)
	}
	bytes := []byte(row{found}.text("values"))
	if err := registry.ProvenSettings(id, bytes); err != nil {
		return nil, err
	}
	return bytes, nil
}

// Current implements registry.Store.
func (k *Tools) Current(ctx context.Context, revision canon.ToolID) (registry.Setting, error) {
	var found row
	err := k.s.transact(ctx, "readonly", "read settings", []any{settings}, func(t *transaction) {
		t.last(settingsByRevision, k.s.only(revision.String()), func(r row, _ safejs.Value) { found = r })
	})
	if err != nil || found.js.IsUndefined() {
		return registry.Setting{}, err
	}
	return settingOf(revision, found)
}

// SettingsHistory implements registry.Store.
func (k *Tools) SettingsHistory(ctx context.Context, revision canon.ToolID) ([]registry.Setting, error) {
	found, err := k.all(ctx, "read settings", settingsByRevision, revision.String())
	if err != nil {
		return nil, err
	}
	list := make([]registry.Setting, len(found))
	for i, r := range found {
		if list[i], err = settingOf(revision, r); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func settingOf(revision canon.ToolID, r row) (registry.Setting, error) {
	s := registry.Setting{Revision: revision}
	unreadable := s.ID.UnmarshalText([]byte(r.text("id")))
	at, undated := r.at()
	if unreadable != nil || undated != nil {
		return registry.Setting{}, fault.New(fault.Corrupt, "revision %s: its settings %.80q at %.40q are none", revision, r.text("id"), r.text("at"))
	}
	s.At = at
	return s, nil
}
