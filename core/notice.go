package core

import (
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Notice is what engines over the same stores, as in several tabs, tell each other: a store says what is true, and a notice that
// something which an engine holds in memory is not any more. Losing one costs memory or a moment, never a law: a block, a binding
// and a parent are read from the store each time.
type Notice struct {
	Retired canon.ToolID `json:"retired,omitempty"` // is not the active revision of its name any more
	Stopped canon.ToolID `json:"stopped,omitempty"` // may not run any more
	Erased  bool         `json:"erased,omitempty"`  // something was erased: what is remembered may be gone
	Cleared bool         `json:"cleared,omitempty"` // everything was
}

// Hear does what a notice of another engine asks for.
func (e *Engine) Hear(n Notice) {
	if !n.Retired.IsZero() {
		e.sandboxes.Retire(n.Retired.String())
	}
	if !n.Stopped.IsZero() {
		e.sandboxes.Stop(func(k sandbox.Key) bool { return k.Revision == n.Stopped.String() })
		e.hosted.stop(n.Stopped, errBlocked)
	}
	if n.Erased || n.Cleared {
		e.scopes.Forget()
		e.registry.Forget()
	}
	if n.Cleared {
		e.sandboxes.Clear()
	}
}

// announce does what a notice says here and tells the others.
func (e *Engine) announce(n Notice) {
	e.Hear(n)
	if e.ports.Tell != nil {
		e.ports.Tell(n)
	}
}
