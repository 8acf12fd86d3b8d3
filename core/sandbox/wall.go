package sandbox

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Wall opens empty sandboxes. Each link begins a conversation of its own in state New.
type Wall interface {
	// Open returns as soon as messages can be sent; that the place is ready is a message. The context ends when nobody
	// waits for the sandbox any more, and again at its end: a link that was returned is ended by its Close alone.
	Open(ctx context.Context, sink Sink) (Link, error)
}

// Sink takes what a place says. A wall calls it from its event handler, one call at a time, never from within Open, Send or
// Close. No method blocks.
type Sink interface {
	Receive(protocol.Envelope)
	// Lost says that the place is gone: a frame that was loaded again, a process that died. Nothing after it counts.
	Lost(reason string)
	// Refused says that the host cannot start a place, and why, in words that say what to do. From one that has started it is no
	// more than that it is lost. Nothing after it counts.
	Refused(reason string)
}

// Link is the host's end of one place. Its methods may be called from any goroutine, Close also during a Send.
type Link interface {
	// Send hands a message over in order and returns; it does not wait until the place has read it. After Close it fails.
	Send(protocol.Envelope) error
	// Close destroys the place at once, whatever runs in it. It may be called twice.
	Close()
}

// Clock is where time comes from. It never goes back: a deadline that is set by it is met, whatever a person or a network does to
// the date. The function given to AfterFunc runs in a goroutine of its own.
type Clock interface {
	Now() time.Time
	AfterFunc(d time.Duration, f func()) (stop func())
}

// SystemClock is the clock of the machine. What it says carries a monotonic reading. While the machine sleeps that may stand still
// or go on: calls end after the wake-up, with what was left of their time or at once.
type SystemClock struct{}

// Now implements Clock.
func (SystemClock) Now() time.Time { return time.Now() }

// AfterFunc implements Clock.
func (SystemClock) AfterFunc(d time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(d, f)
	return func() { timer.Stop() }
}
