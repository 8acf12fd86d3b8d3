//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// sandboxView is a sandbox as a page sees it; times are RFC 3339.
type sandboxView struct {
	Revision  string `json:"revision"`
	Partition string `json:"partition"`
	Scope     string `json:"scope,omitempty"` // the node that defines a lexical tool
	Phase     string `json:"phase"`
	Calls     int    `json:"calls"`
	Queued    int    `json:"queued"`
	Since     string `json:"since"`

	Disposable bool   `json:"disposable"`
	LastUsed   string `json:"lastUsed,omitempty"`
}

func listSandboxes(_ context.Context, r request) (string, error) {
	list := r.engine.Sandboxes().List()
	out := make([]sandboxView, len(list))
	for i, s := range list {
		out[i] = sandboxView{s.Key.Revision, s.Key.Partition, s.Key.Scope, string(s.Phase), s.Calls, s.Queued, task.Stamp(s.Since), s.Disposable, ""}
		if !s.Used.IsZero() {
			out[i].LastUsed = task.Stamp(s.Used)
		}
	}
	return encode(out)
}

func countWarm(_ context.Context, r request) (string, error) {
	return encode(r.engine.Sandboxes().Warm())
}

// terminateSandbox ends the sandboxes of a revision in a partition: the one of the installed tool and those of tools in chats.
func terminateSandbox(_ context.Context, r request) (string, error) {
	in, err := decode[struct {
		Revision  string `json:"revision"`
		Partition string `json:"partition,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	r.engine.Sandboxes().TerminateAll(func(k sandbox.Key) bool { return k.Revision == in.Revision && k.Partition == in.Partition })
	return "null", nil
}

func clearSandboxes(_ context.Context, r request) (string, error) {
	r.engine.Sandboxes().Clear()
	return "null", nil
}
