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
	missedBeat = 3 // unanswered numbers that mean death

	// firstBeat bounds the wait for the first sign of life. A call is not kept waiting for it, since its start has a shorter limit;
	// a warm place, for which nobody waits, may not stand there dead.
	firstBeat = 20 * time.Second
)

// heartbeat watches one link.
type heartbeat struct {
	timer *time.Timer
	alive bool // there was a sign of life
	sent  int
	heard int
}

func (b *heartbeat) call(port safejs.Value) error {
	b.sent++
	_, err := port.Call("postMessage", b.sent)
	return err
}

// await posts the first number, which waits in the port until the supervisor stands: so a place is watched also while nobody has
// anything to say to it.
func (l *link) await(sink sandbox.Sink) error {
	l.beat.timer = time.AfterFunc(firstBeat, func() { sink.Lost("it gave no sign of life") })
	l.scope.Defer(func() { l.beat.timer.Stop() })
	return l.beat.call(l.port)
}

// watch starts the heartbeat with the first sign of life; it ends with the link.
func (l *link) watch(sink sandbox.Sink) {
	b := &l.beat
	if b.alive {
		return
	}
	b.alive = true
	if l.start.stood != nil {
		l.start.stood()
	}
	b.timer.Stop()
	b.timer = time.AfterFunc(beatEvery, func() {
		if b.sent-b.heard >= missedBeat {
			sink.Lost("its process has died, or was out of memory")
			return
		}
		if b.call(l.port) == nil {
			b.timer.Reset(beatEvery)
		}
	})
}

// pulse takes a number that came back.
func (l *link) pulse(number int) {
	if number > l.beat.heard && number <= l.beat.sent {
		l.beat.heard = number
	}
}
