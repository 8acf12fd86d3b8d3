package sandboxtest

import (
	"context"
	"errors"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Script reacts to one message of the host. It runs in the place's own goroutine, one message at a time.
type Script func(p *Place, m protocol.Message)

// Tool is a script that gets ready and answers pings by itself, and leaves the calls to the function.
func Tool(call func(p *Place, c *protocol.Call)) Script {
	return func(p *Place, m protocol.Message) {
		switch m := m.(type) {
		case *protocol.Start:
			p.Say(&protocol.Ready{Version: protocol.Version})
		case *protocol.Ping:
			p.Say(&protocol.Pong{Seq: m.Seq})
		case *protocol.Call:
			call(p, m)
		}
	}
}

// Wall opens places that follow a script.
type Wall struct {
	script Script
	codec  *protocol.Codec

	mu       sync.Mutex
	refusal  error
	places   []*Place
	breaches []error
}

// New makes a wall.
func New(script Script) *Wall {
	return &Wall{script: script, codec: protocol.NewCodec(limits.Default().Nesting)}
}

// Refuse makes every later Open fail with this error, nil lets it succeed again.
func (w *Wall) Refuse(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.refusal = err
}

// Open implements sandbox.Wall.
func (w *Wall) Open(_ context.Context, sink sandbox.Sink) (sandbox.Link, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.refusal != nil {
		return nil, w.refusal
	}
	p := &Place{Number: len(w.places) + 1, wall: w, sink: sink, conversation: protocol.NewConversation(), answered: map[[2]int]bool{},
		news: make(chan struct{}, 1), gone: make(chan struct{})}
	w.places = append(w.places, p)
	go p.live()
	return p, nil
}

// Opened is the number of places so far.
func (w *Wall) Opened() int { return len(w.Places()) }

// Live is the number of places that were not closed.
func (w *Wall) Live() int {
	live := 0
	for _, p := range w.Places() {
		if !p.Closed() {
			live++
		}
	}
	return live
}

// Places are all places so far, in the order of opening.
func (w *Wall) Places() []*Place {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]*Place(nil), w.places...)
}

// Breaches is what the host did that the protocol or the port forbids.
func (w *Wall) Breaches() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return errors.Join(w.breaches...)
}

func (w *Wall) accuse(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.breaches = append(w.breaches, err)
}
