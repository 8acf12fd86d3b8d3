//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// exported is a request for an archive of one thing.
type exported struct {
	Name        string `json:"name"`
	Descendants bool   `json:"descendants,omitempty"`
	Settings    bool   `json:"settings,omitempty"`
}

func exportTool(ctx context.Context, r request) (string, error) {
	in, err := decode[exported](r.text)
	if err != nil {
		return "", err
	}
	id, err := canon.ParseToolID(in.Name)
	if err != nil {
		return "", err
	}
	text, err := r.engine.ExportRevision(ctx, id, archive.Options{Settings: in.Settings})
	if err != nil {
		return "", err
	}
	return encode(text)
}

func exportChat(ctx context.Context, r request) (string, error) {
	in, err := decode[exported](r.text)
	if err != nil {
		return "", err
	}
	id, err := canon.ParseTaskID(in.Name)
	if err != nil {
		return "", err
	}
	text, err := r.engine.ExportChat(ctx, id, archive.Options{Descendants: in.Descendants, Settings: in.Settings})
	if err != nil {
		return "", err
	}
	return encode(text)
}

func importArchive(ctx context.Context, r request) (string, error) {
	report, err := r.engine.Import(ctx, []byte(r.payload))
	if err != nil {
		return "", err
	}
	return encode(report)
}
