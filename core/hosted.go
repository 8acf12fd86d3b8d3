package core

import (
	"context"
	"errors"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Why the context of a native function ends, but for its caller's own reasons.
var (
	errDeadline = errors.New("deadline")
	errBlocked  = errors.New("blocked")
)

// hosted are the native functions that run now: no sandbox holds them, so that the engine must know whom to tell when a revision is
// blocked. The zero value is ready to use.
type hosted struct {
	mu      sync.Mutex
	runs    map[*hostedRun]struct{}
	refused map[canon.ToolID]bool
}

type hostedRun struct {
	revision canon.ToolID
	cancel   context.CancelCauseFunc
}

// add notes a run until leave is called. One of a refused revision is cancelled at once: it was let through a moment before.
func (h *hosted) add(revision canon.ToolID, cancel context.CancelCauseFunc) (leave func()) {
	run := &hostedRun{revision, cancel}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refused[revision] {
		cancel(errBlocked)
	}
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

// refuse ends the runs of a revision and every later one, until it is allowed.
func (h *hosted) refuse(revision canon.ToolID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.refused == nil {
		h.refused = map[canon.ToolID]bool{}
	}
	h.refused[revision] = true
	for run := range h.runs {
		if run.revision == revision {
			run.cancel(errBlocked)
		}
	}
}

func (h *hosted) allow(revision canon.ToolID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.refused, revision)
}

// clear ends every run.
func (h *hosted) clear() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for run := range h.runs {
		run.cancel(nil)
	}
}
