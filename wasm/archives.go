//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// exported is a request for an archive of one thing.
type exported struct {
	Revision    canon.ToolID `json:"revision,omitempty"`
	Task        canon.TaskID `json:"task,omitempty"`
	Descendants bool         `json:"descendants,omitempty"`
}

func exportTool(ctx context.Context, r request) (string, error) {
	in, err := decode[exported](r.text)
	if err != nil {
		return "", err
	}
	text, err := r.engine.ExportRevision(ctx, in.Revision, archive.Options{})
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
	text, err := r.engine.ExportChat(ctx, in.Task, archive.Options{Descendants: in.Descendants})
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
