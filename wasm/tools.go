//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// revisionView is a revision as a page sees it.
type revisionView struct {
	ID         canon.ToolID    `json:"id"`
	Name       string          `json:"name"`
	Definition tool.Definition `json:"definition"`
	Unenforced []string        `json:"unenforced,omitempty"` // what its schemas ask and no check does
}

// bindingView is a binding as a page sees it; at is RFC 3339.
type bindingView struct {
	Name   string       `json:"name"`
	ID     canon.ToolID `json:"id"`
	At     string       `json:"at"`
	Active bool         `json:"active"`
}

func installTool(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Activate bool `json:"activate"`
	}](r.text)
	if err != nil {
		return "", err
	}
	return revisionText(r.engine.Install(ctx, []byte(r.payload), in.Activate))
}

func lookupTool(ctx context.Context, r request) (string, error) {
	in, err := decode[named](r.text)
	if err != nil {
		return "", err
	}
	return revisionText(r.engine.Registry().Lookup(ctx, in.Name))
}

func revisionText(revision *tool.Revision, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return encode(revisionView{revision.ID(), revision.Name(), revision.Definition(), revision.Unenforced()})
}

func listTools(ctx context.Context, r request) (string, error) {
	list, err := r.engine.Registry().List(ctx)
	if err != nil {
		return "", err
	}
	out := make([]bindingView, len(list))
	for i, b := range list {
		out[i] = bindingView{b.Name, b.Revision, task.Stamp(b.At), true}
	}
	return encode(out)
}

func toolHistory(ctx context.Context, r request) (string, error) {
	in, err := decode[named](r.text)
	if err != nil {
		return "", err
	}
	list, err := r.engine.Registry().History(ctx, in.Name)
	if err != nil {
		return "", err
	}
	out := make([]bindingView, len(list))
	for i, b := range list {
		out[i] = bindingView{b.Name, b.Revision, task.Stamp(b.At), i == len(list)-1}
	}
	return encode(out)
}

func activateTool(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return revisionText(r.engine.Registry().Activate(ctx, id))
}
