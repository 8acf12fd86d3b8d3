//go:build js && wasm

package sandboxhost

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// A frame whose script the page's policy blocks is silent: its violation events are its own, and nobody runs there who could tell
// of them. So when a frame that has loaded says nothing for a moment, the page is asked what its policy is, by doing what that
// policy would refuse. Silence alone proves nothing on a busy machine, and ends a start only where what is found explains it.
const (
	silence   = 400 * time.Millisecond // of a loaded frame, until it is asked why
	pageGrace = 4 * time.Second        // more, until a served page is given up without a reason that could be found
)

// start is what is known of the start of one frame.
type start struct {
	here  bool // the frame's script has the port
	word  word // its first
	scope jsbind.Scope

	mu      sync.Mutex
	holding bool                // nothing is said to the frame yet
	held    []protocol.Envelope // what is to be said to it
	stood   func()              // called with the supervisor's first sign of life
}

// hold keeps a message back, as long as it is not known who would read it.
func (s *start) hold(e protocol.Envelope) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.holding {
		s.held = append(s.held, e)
	}
	return s.holding
}

// release says what was held back, in its order.
func (l *link) release() error {
	s := &l.start
	s.mu.Lock()
	defer s.mu.Unlock()
	held := s.held
	s.holding, s.held = false, nil
	for _, e := range held {
		if err := l.post(e); err != nil {
			return err
		}
	}
	return nil
}

// shown is called when the frame has loaded and has been given its port.
func (s *start) shown(l *link, sink sandbox.Sink) {
	ctx, cancel := context.WithCancel(context.Background())
	timer := time.AfterFunc(silence, func() { l.explain(ctx, sink) })
	s.scope.Defer(func() { timer.Stop(); cancel() })
	l.scope.Defer(s.scope.Close)
}

// said takes a word of the frame's script.
func (l *link) said(w word, sink sandbox.Sink) {
	switch {
	case w.Frame == wordRefused:
		whose := "the page's"
		if l.wall.page != "" {
			whose = "the sandbox page's own"
		}
		reason := Blocked(whose, Obstacles(w.Violated, l.wall.hash))
		if reason == "" {
			reason = w.Reason + "; this browser is not supported, or something in it keeps workers from starting"
		}
		sink.Refused(reason)
	case l.start.here:
		sink.Lost("the frame spoke twice")
	default:
		l.start.here, l.start.word = true, w
		l.start.scope.Close()
		if !l.admits(sink) {
			return
		}
		if err := l.release(); err != nil {
			sink.Lost("the frame was told nothing: " + err.Error())
		}
	}
}

// admits tells whether a served page is the one of this version, in an opaque frame. A frame whose text we gave is.
func (l *link) admits(sink sandbox.Sink) bool {
	page, w := l.wall.page, l.start.word
	switch {
	case page == "":
		return true
	case !l.start.here || w.Policy != FramePolicy(l.wall.hash) && guarded("frame-version"):
		sink.Refused("the page " + page + " is of another version; serve the sandbox.html that was built with this engine")
		return false
	case w.Origin != "null" && guarded("frame-opaque"):
		sink.Refused("the page " + page + " has the origin " + w.Origin + " and not an opaque one, so it is not sandboxed; nothing is run in it")
		return false
	}
	return true
}

// heedFramePolicy listens for the word that the page's policy admits no frame of that address.
func (l *link) heedFramePolicy(sink sandbox.Sink) error {
	l.scope.Defer(l.start.scope.Close)
	return l.start.scope.Listen(l.wall.document, "securitypolicyviolation", func(event safejs.Value) {
		v := l.wall.violation(event)
		if v.enforced && v.directive == "frame-src" && v.uri != "" && strings.HasPrefix(l.wall.page, v.uri) {
			l.start.scope.Close()
			sink.Refused("the page's policy blocks it: frame-src does not admit " + l.wall.page + "; add that address to the page's frame-src")
		}
	})
}

// explain looks for what keeps a frame silent. It runs in a goroutine of its own.
func (l *link) explain(ctx context.Context, sink sandbox.Sink) {
	if page := l.wall.page; page != "" {
		reason := l.wall.explainPage(ctx)
		if reason == "" {
			select {
			case <-time.After(pageGrace):
				reason = "the page " + page + " took no port: it is not sandbox.html, or headers that it is sent with keep its script from running"
			case <-ctx.Done():
			}
		}
		if reason != "" && ctx.Err() == nil {
			sink.Refused(reason)
		}
		return
	}
	if reason := Blocked("the page's", Obstacles(l.wall.policies(ctx), l.wall.hash)); reason != "" && ctx.Err() == nil {
		sink.Refused(reason)
	}
}

// explainPage fetches the page that should have been in the frame, and says what is wrong with it; the empty text where the page
// may not read it or it is as it should be.
func (w *Wall) explainPage(ctx context.Context) string {
	promise, err := w.fetch.Invoke(w.page, map[string]any{"credentials": "omit", "referrerPolicy": "no-referrer", "cache": "no-store"})
	if err != nil {
		return ""
	}
	response, err := jsbind.Await(ctx, promise)
	if err != nil {
		return ""
	}
	status, err := w.reflect.Call("get", response, "status")
	if err != nil {
		return ""
	}
	if code, err := status.Int(); err != nil || code != 200 {
		return fmt.Sprintf("the page %s is answered with status %d; put sandbox.html, which the build makes, at that address", w.page, code)
	}
	if promise, err = response.Call("text"); err != nil {
		return ""
	}
	value, err := jsbind.Await(ctx, promise)
	if err != nil {
		return ""
	}
	text, err := value.String()
	switch {
	case err != nil:
		return ""
	case strings.Contains(text, FramePolicy(w.hash)):
		return "" // it is the right one: headers may keep it out, or it is slow
	case strings.Contains(text, "<title>sandbox</title>"):
		return "the page " + w.page + " is of another version; serve the sandbox.html that was built with this engine"
	}
	return "the page " + w.page + " is not sandbox.html; put that file, which the build makes, at that address"
}
