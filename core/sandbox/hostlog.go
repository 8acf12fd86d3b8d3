package sandbox

import (
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// HostLog keeps what a function of the host logs in one call, within the bounds that a sandbox has. It is for one goroutine at a time.
type HostLog struct{ logs logs }

// NewHostLog makes an empty one.
func NewHostLog(l limits.Limits) *HostLog {
	return &HostLog{logs{lines: l.LogLines, bytes: l.LogBytes, live: true}}
}

// Add takes a line, and gives it back for whoever listens, nil once the budget of the stream is spent.
func (h *HostLog) Add(line protocol.Line) *protocol.Log {
	return h.logs.add(&protocol.Log{Lines: []protocol.Line{line}})
}

// Kept gives the first and last lines, and how many were left out between them.
func (h *HostLog) Kept() ([]protocol.Line, int) { return h.logs.kept() }
