//go:build js && wasm

package sandboxhost

import (
	"time"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// A browser does not tell a page that the process of a frame has died, of too much memory for instance. So the host posts a bare
// number now and then, and the supervisor, whom no tool keeps busy, posts it back.
const (
	beatEvery  = 2 * time.Second
	missedBeat = 2 // unanswered numbers that mean death
)

// heartbeat watches one link from the first sign of life on. Until then a place may take its time: its start has a limit of its own.
type heartbeat struct {
	timer *time.Timer // nil: there was no sign of life
	sent  int
	heard int
}

// call posts the first number, which waits in the port until the supervisor stands: so a place is watched also while nobody has
// anything to say to it.
func (b *heartbeat) call(port safejs.Value) error {
	b.sent++
	_, err := port.Call("postMessage", b.sent)
	return err
}

// watch starts the heartbeat, once; it ends with the link.
func (l *link) watch(sink sandbox.Sink) {
	b := &l.beat
	if b.timer != nil {
		return
	}
	b.timer = time.AfterFunc(beatEvery, func() {
		if b.sent-b.heard >= missedBeat {
			sink.Lost("its process has died, or was out of memory")
			return
		}
		if b.call(l.port) == nil {
			b.timer.Reset(beatEvery)
		}
	})
	l.scope.Defer(func() { b.timer.Stop() })
}

// pulse takes a number that came back.
func (l *link) pulse(number int) {
	if number > l.beat.heard && number <= l.beat.sent {
		l.beat.heard = number
	}
}
