//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// revisionView is a revision as a page sees it.
type revisionView struct {
	ID         canon.ToolID    `json:"id"`
	Name       string          `json:"name"`
	Definition tool.Definition `json:"definition"`
	Unenforced []string        `json:"unenforced,omitempty"` // what its schemas ask and no check does
	Blocked    *string         `json:"blocked,omitempty"`    // why, where it is
}

// bindingView is a binding as a page sees it; at is RFC 3339. The id is null where the name was removed.
type bindingView struct {
	Name   string `json:"name"`
	ID     any    `json:"id"`
	At     string `json:"at"`
	Active bool   `json:"active"`
}

func viewOf(b registry.Binding, last bool) bindingView {
	return bindingView{b.Name, orNull(b.Revision), task.Stamp(b.At), last && !b.Revision.IsZero()}
}

// orNull gives an id as a page sees it: null for none.
func orNull[K canon.Kind](id canon.Digest[K]) any {
	if id.IsZero() {
		return nil
	}
	return id
}

func installTool(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Activate bool `json:"activate"`
	}](r.text)
	if err != nil {
		return "", err
	}
	return r.revision(ctx)(r.engine.Install(ctx, []byte(r.payload), in.Activate))
}

func lookupTool(ctx context.Context, r request) (string, error) {
	in, err := decode[named](r.text)
	if err != nil {
		return "", err
	}
	return r.revision(ctx)(r.engine.Registry().Lookup(ctx, in.Name))
}

// revision answers with a revision, or with why there is none.
func (r request) revision(ctx context.Context) func(*tool.Revision, error) (string, error) {
	return func(revision *tool.Revision, err error) (string, error) {
		if err != nil {
			return "", err
		}
		view := revisionView{revision.ID(), revision.Name(), revision.Definition(), revision.Unenforced(), nil}
		block, err := r.engine.Registry().Blocked(ctx, revision.ID())
		if err != nil {
			return "", err
		}
		if !block.Revision.IsZero() {
			view.Blocked = &block.Reason
		}
		return encode(view)
	}
}

func listTools(ctx context.Context, r request) (string, error) {
	list, err := r.engine.Registry().List(ctx)
	if err != nil {
		return "", err
	}
	out := make([]bindingView, len(list))
	for i, b := range list {
		out[i] = viewOf(b, true)
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
		out[i] = viewOf(b, i == len(list)-1)
	}
	return encode(out)
}

func activateTool(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return r.revision(ctx)(r.engine.Registry().Activate(ctx, id))
}

func toolRevisions(ctx context.Context, r request) (string, error) {
	in, err := decode[named](r.text)
	if err != nil {
		return "", err
	}
	ids, err := r.engine.Registry().Revisions(ctx, in.Name)
	if err != nil {
		return "", err
	}
	return encode(ids)
}

func removeTool(ctx context.Context, r request) (string, error) {
	in, err := decode[named](r.text)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Registry().Remove(ctx, in.Name)
}
