//go:build js && wasm

package sandboxhost

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// Wall opens opaque frames in the page. It implements sandbox.Wall.
type Wall struct {
	window   safejs.Value
	document safejs.Value
	reflect  safejs.Value
	channel  safejs.Value // the MessageChannel class
	array    safejs.Value // the Uint8Array class
	buffers  safejs.Value // the ArrayBuffer class
	fetch    safejs.Value // asks why a page gave no sandbox, nothing else
	text     string       // of the frame's document
	hash     string       // the CSP source of its script
	mark     string
	page     string
}

// Options say how frames are made. A frame without an address inherits the policy of the page it stands in; one that shows a page
// has that page's own, where the page that shows it cannot have what the other needs.
type Options struct {
	// Mark is on every frame: by it the page can take away the frames of an engine that has died.
	Mark string
	// Page is the absolute address of sandbox.html, of this very version. None: the frame's text is given in place (srcdoc).
	Page string
}

// New captures what the wall needs of the page, so that code that patches the page's globals later changes nothing.
func New(o Options) (*Wall, error) {
	text, hash := script()
	w := &Wall{mark: o.Mark, page: o.Page, hash: hash, text: document(FramePolicy(hash), text)}
	for name, into := range map[string]*safejs.Value{"window": &w.window, "document": &w.document, "Reflect": &w.reflect, "MessageChannel": &w.channel,
		"Uint8Array": &w.array, "ArrayBuffer": &w.buffers, "fetch": &w.fetch} {
		value, err := safejs.Global().Get(name)
		if err == nil && value.IsUndefined() {
			err = fault.New(fault.Unavailable, "page: has no %s", name)
		}
		if err != nil {
			return nil, err
		}
		*into = value
	}
	return w, nil
}

// Open puts a frame into the page. Messages sent before its script runs wait in the port.
func (w *Wall) Open(_ context.Context, sink sandbox.Sink) (sandbox.Link, error) {
	l := &link{wall: w, start: start{holding: w.page != "" && guarded("frame-hold")}}
	if err := l.open(sink); err != nil {
		l.Close()
		if f := fault.From(err); f.Code == fault.Unavailable {
			return nil, f
		}
		return nil, fault.Wrap(fault.Unavailable, err, "open frame")
	}
	return l, nil
}

// link is one frame with the host's end of its port.
type link struct {
	wall  *Wall
	scope jsbind.Scope
	port  safejs.Value
	beat  heartbeat
	start start
}

func (l *link) open(sink sandbox.Sink) error {
	channel, err := l.wall.channel.New()
	if err != nil {
		return err
	}
	if l.port, err = channel.Get("port1"); err != nil {
		return err
	}
	l.scope.Defer(func() { _, _ = l.port.Call("close") })
	theirs, err := channel.Get("port2")
	if err != nil {
		return err
	}
	receive, err := l.scope.Func(func(args []safejs.Value) any {
		if number, ok := numberIn(args); ok {
			l.pulse(number)
			l.watch(sink)
		} else if e, ok := l.wall.envelope(args); ok {
			l.watch(sink)
			if l.admits(sink) {
				sink.Receive(e)
			}
		} else if w, ok := wordIn(args); ok && !l.beat.alive {
			l.said(w, sink)
		} else {
			sink.Lost("a message has no envelope")
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := l.port.Set("onmessage", receive); err != nil {
		return err
	}
	if err := l.mount(theirs, sink); err != nil {
		return err
	}
	if err := l.await(sink); err != nil {
		return err
	}
	return l.heedFreezing(sink)
}

// attributes of every frame. `hidden` and `inert` keep it out of sight and focus; `allow` empty grants no feature.
var attributes = [...][2]string{
	{"sandbox", "allow-scripts"}, {"allow", ""}, {"referrerpolicy", "no-referrer"}, {"hidden", ""}, {"inert", ""},
	{"aria-hidden", "true"}, {"tabindex", "-1"},
}

func (l *link) mount(theirs safejs.Value, sink sandbox.Sink) error {
	frame, err := l.wall.document.Call("createElement", "iframe")
	if err != nil {
		return err
	}
	for _, a := range attributes {
		if !guarded("frame-" + a[0]) {
			continue
		}
		if _, err := frame.Call("setAttribute", a[0], a[1]); err != nil {
			return err
		}
	}
	if _, err := frame.Call("setAttribute", "data-taskyon", l.wall.mark); err != nil {
		return err
	}
	// A frame loads once. Whatever a second load brought is not ours, even if it is the same window.
	loads := 0
	if err := l.scope.Listen(frame, "load", func(safejs.Value) {
		if loads++; loads > 1 {
			if guarded("frame-load") {
				sink.Lost("the frame was loaded again")
			}
		} else if err := l.hand(frame, theirs); err != nil {
			sink.Lost("the frame took no port: " + err.Error())
		} else {
			l.start.shown(l, sink)
		}
	}); err != nil {
		return err
	}
	if err := l.show(frame, sink); err != nil {
		return err
	}
	parent, err := l.wall.document.Get("body")
	if err != nil {
		return err
	}
	if parent.IsNull() {
		if parent, err = l.wall.document.Get("documentElement"); err != nil {
			return err
		}
	}
	if _, err := parent.Call("appendChild", frame); err != nil {
		return err
	}
	if guarded("frame-removal") {
		l.scope.Defer(func() { _, _ = frame.Call("remove") })
	}
	return nil
}

// show says what the frame is to show.
func (l *link) show(frame safejs.Value, sink sandbox.Sink) error {
	if page := l.wall.page; page != "" {
		if err := l.heedFramePolicy(sink); err != nil {
			return err
		}
		_, err := frame.Call("setAttribute", "src", page)
		return err
	}
	if _, err := frame.Call("setAttribute", "srcdoc", l.wall.text); err != nil {
		// Nothing but Trusted Types refuses a text here.
		return fault.New(fault.Unavailable, "%s", Blocked("the page's", read("require-trusted-types-for 'script'").obstacles("")))
	}
	return nil
}

// hand gives the frame its port. The frame's origin is opaque, so no target origin but "*" can reach it; the window is the
// one this frame element shows, which has loaded once.
func (l *link) hand(frame, port safejs.Value) error {
	window, err := frame.Get("contentWindow")
	if err != nil {
		return err
	}
	_, err = window.Call("postMessage", "taskyon", "*", []any{safejs.Unsafe(port)})
	return err
}

// Close removes the frame and with it every worker in it. It may be called twice.
func (l *link) Close() { l.scope.Close() }
