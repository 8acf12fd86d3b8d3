//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

func toolManifest(ctx context.Context, r request) (string, error) {
	in, err := decode[named](r.text)
	if err != nil {
		return "", err
	}
	m, err := r.engine.Registry().Manifest(ctx, in.Name)
	if err != nil {
		return "", err
	}
	return encode(m)
}

func toolManifests(ctx context.Context, r request) (string, error) {
	list, err := r.engine.Registry().Manifests(ctx)
	if err != nil {
		return "", err
	}
	return encode(list)
}

// diffTools lists how one installed revision differs from another.
func diffTools(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Before canon.ToolID `json:"before"`
		After  canon.ToolID `json:"after"`
	}](r.text)
	if err != nil {
		return "", err
	}
	before, err := r.engine.Registry().Revision(ctx, in.Before)
	if err != nil {
		return "", err
	}
	after, err := r.engine.Registry().Revision(ctx, in.After)
	if err != nil {
		return "", err
	}
	changes, err := tool.Diff(before, after)
	if err != nil {
		return "", err
	}
	return encode(changes)
}
