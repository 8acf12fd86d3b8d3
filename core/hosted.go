package core

import (
	"context"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// hosted are the native functions that run now: no sandbox holds them, so that the engine must know whom to tell when a revision is
// blocked. The zero value is ready to use.
type hosted struct {
	mu   sync.Mutex
	runs map[*hostedRun]struct{}
}

type hostedRun struct {
	revision canon.ToolID
	cancel   context.CancelCauseFunc
}

// add notes a run until leave is called.
func (h *hosted) add(revision canon.ToolID, cancel context.CancelCauseFunc) (leave func()) {
	run := &hostedRun{revision, cancel}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.runs == nil {
		h.runs = map[*hostedRun]struct{}{}
	}
	h.runs[run] = struct{}{}
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		delete(h.runs, run)
	}
}

// stop ends the runs of a revision for a reason.
func (h *hosted) stop(revision canon.ToolID, reason error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for run := range h.runs {
		if run.revision == revision {
			run.cancel(reason)
		}
	}
}
