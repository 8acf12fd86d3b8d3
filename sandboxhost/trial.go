//go:build js && wasm

package sandboxhost

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Trial is what came of opening one frame, in which nothing ran.
type Trial struct {
	Frame  bool          // its script ran and took its port, in an opaque frame of this version
	Worker bool          // a worker of its stands
	Crypto bool          // it has Web Crypto for tools
	Took   time.Duration // until the worker stood
	Reason string        // why not
}

// Try opens a frame, sees how far it comes, and takes it away.
func (w *Wall) Try(ctx context.Context) Trial {
	began := time.Now()
	sink := make(trialSink, 8)
	l := &link{wall: w} // nothing is said to it
	defer l.Close()
	stood := make(chan struct{}, 1)
	l.start.stood = func() { stood <- struct{}{} }
	if err := l.open(sink); err != nil {
		return Trial{Reason: err.Error()}
	}
	t := Trial{}
	select {
	case <-stood:
		t.Worker, t.Took = true, time.Since(began)
	case t.Reason = <-sink:
	case <-ctx.Done():
		t.Reason = "it gave no sign of life in time"
	}
	t.Frame, t.Crypto = l.start.here, l.start.word.Crypto
	return t
}

// Hash is the Content-Security-Policy source that names the script of frames, `sha256-…`.
func (w *Wall) Hash() string { return w.hash }

// Page is the address of the page that frames show; none: their text is given in place.
func (w *Wall) Page() string { return w.page }

// Obstacles finds out, by trying, what in the policy of this page keeps frames without an address from starting.
func (w *Wall) Obstacles(ctx context.Context) []Obstacle {
	return Obstacles(w.policies(ctx), w.hash)
}

// trialSink keeps the reasons of an end.
type trialSink chan string

var _ sandbox.Sink = trialSink(nil)

// Receive implements sandbox.Sink: nothing was said, so nothing is answered.
func (trialSink) Receive(protocol.Envelope) {}

// Lost implements sandbox.Sink.
func (s trialSink) Lost(reason string) { s.Refused(reason) }

// Refused implements sandbox.Sink.
func (s trialSink) Refused(reason string) {
	select {
	case s <- reason:
	default:
	}
}
