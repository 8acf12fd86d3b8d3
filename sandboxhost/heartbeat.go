//go:build js && wasm

package sandboxhost

import (
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// A browser does not tell a page that the process of a frame has died, of too much memory for instance. So the host posts a bare
// number now and then, and the supervisor, whom no tool keeps busy, posts it back.
const (
	beatEvery  = 2 * time.Second
	missedBeat = 2 // unanswered numbers that mean death
)

// heartbeat watches one link from its first message on.
type heartbeat struct {
	timer *time.Timer
	sent  int
	heard int
}

// watch starts the heartbeat, once; it ends with the link.
func (l *link) watch(sink sandbox.Sink) {
	if l.beat != nil {
		return
	}
	b := &heartbeat{}
	l.beat = b
	b.timer = time.AfterFunc(beatEvery, func() {
		if b.sent-b.heard >= missedBeat {
			sink.Lost("its process has died, or was out of memory")
			return
		}
		b.sent++
		if _, err := l.port.Call("postMessage", b.sent); err == nil {
			b.timer.Reset(beatEvery)
		}
	})
	l.scope.Defer(func() { b.timer.Stop() })
}

// pulse takes a number that came back.
func (l *link) pulse(number int) {
	if l.beat != nil && number > l.beat.heard && number <= l.beat.sent {
		l.beat.heard = number
	}
}
