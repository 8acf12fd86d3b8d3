//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// blockView is a block as a page sees it; at is RFC 3339.
type blockView struct {
	Revision canon.ToolID `json:"revision"`
	Reason   string       `json:"reason"`
	At       string       `json:"at"`
}

func blockTool(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Revision canon.ToolID `json:"revision"`
		Reason   string       `json:"reason,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Registry().Block(ctx, in.Revision, in.Reason)
}

func unblockTool(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Registry().Unblock(ctx, id)
}

func listBlocks(ctx context.Context, r request) (string, error) {
	list, err := r.engine.Registry().Blocks(ctx)
	if err != nil {
		return "", err
	}
	out := make([]blockView, len(list))
	for i, b := range list {
		out[i] = blockView{b.Revision, b.Reason, task.Stamp(b.At)}
	}
	return encode(out)
}
