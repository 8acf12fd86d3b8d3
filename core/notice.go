package core

import (
	"context"
	"fmt"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Notice is what engines over the same stores, as in several tabs, tell each other: a store says what is true, and a notice that
// something which an engine holds in memory is not any more. Losing one costs memory or a moment, never a law: a block, a binding
// and a parent are read from the store each time.
type Notice struct {
	Retired canon.ToolID `json:"retired,omitempty"` // is not the active revision of its name any more
	Stopped canon.ToolID `json:"stopped,omitempty"` // may not run any more
	Allowed canon.ToolID `json:"allowed,omitempty"` // may run again
	Erased  bool         `json:"erased,omitempty"`  // something was erased: what is remembered may be gone
	Cleared bool         `json:"cleared,omitempty"` // everything was
}

// Hear does what a notice of another engine asks for.
func (e *Engine) Hear(n Notice) {
	if !n.Retired.IsZero() {
		e.sandboxes.Retire(n.Retired.String())
		if n.Erased {
			e.grants.Forget(n.Retired)
		}
	}
	if !n.Stopped.IsZero() {
		e.sandboxes.Refuse(n.Stopped.String(), fmt.Sprintf("revision %s: is blocked here", n.Stopped))
		e.hosted.refuse(n.Stopped)
	}
	if !n.Allowed.IsZero() {
		e.sandboxes.Allow(n.Allowed.String())
		e.hosted.allow(n.Allowed)
	}
	if n.Erased || n.Cleared {
		e.scopes.Forget()
		e.known.clear()
		e.registry.Forget()
		e.sweep(context.Background())
	}
	if n.Cleared {
		e.sandboxes.Clear()
		e.grants.Forget(canon.ToolID{})
		e.hosted.clear()
	}
}

// sweep ends the sandboxes of lexical tools whose nodes are gone, with all that waits for them, and what they were allowed.
func (e *Engine) sweep(ctx context.Context) {
	gone := map[string]bool{}
	for _, box := range e.sandboxes.List() {
		if node, err := canon.ParseTaskID(box.Key.Scope); err == nil {
			gone[box.Key.Scope] = e.gone(ctx, node)
		}
	}
	e.sandboxes.Stop(func(k sandbox.Key) bool { return gone[k.Scope] },
		sandbox.Result{Outcome: sandbox.Aborted, Message: "sandboxes: the chat that defines the tool was erased"})
	e.grants.ForgetNodes(func(node canon.TaskID) bool { return e.gone(ctx, node) })
}

// announce does what a notice says here and tells the others.
func (e *Engine) announce(n Notice) {
	e.Hear(n)
	if e.ports.Tell != nil {
		e.ports.Tell(n)
	}
}
