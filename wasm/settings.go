//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// settingsView is settings as a page sees them.
type settingsView struct {
	ID     canon.SettingsID `json:"id"`
	Tool   canon.ToolID     `json:"tool"`
	Values map[string]any   `json:"values"`
}

// settingView is one row of the settings that a revision had; at is RFC 3339. The id is null where they were removed.
type settingView struct {
	Tool   canon.ToolID `json:"tool"`
	ID     any          `json:"id"`
	At     string       `json:"at"`
	Active bool         `json:"active"`
}

// settingsText answers with settings, null for none.
func settingsText(s *tool.Settings, err error) (string, error) {
	if err != nil || s == nil {
		return "null", err
	}
	return encode(settingsView{s.ID, s.Revision, s.Values})
}

func setSettings(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return settingsText(r.engine.Registry().SetSettings(ctx, id, []byte(r.payload)))
}

func currentSettings(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return settingsText(r.engine.Registry().Current(ctx, id))
}

func lookupSettings(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Settings canon.SettingsID `json:"settings"`
	}](r.text)
	if err != nil {
		return "", err
	}
	return settingsText(r.engine.Registry().Settings(ctx, in.Settings))
}

func settingsHistory(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	list, err := r.engine.Registry().SettingsHistory(ctx, id)
	if err != nil {
		return "", err
	}
	out := make([]settingView, len(list))
	for i, s := range list {
		out[i] = settingView{s.Revision, orNull(s.ID), task.Stamp(s.At), i == len(list)-1 && !s.ID.IsZero()}
	}
	return encode(out)
}

func removeSettings(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Registry().RemoveSettings(ctx, id)
}
