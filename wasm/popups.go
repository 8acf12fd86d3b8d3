//go:build js && wasm

package main

import (
	"context"
	"errors"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// nativeWindow is a window that the loader was told to open. The loader says what becomes of it, by its number.
type nativeWindow struct {
	opened chan error    // buffered; the first word alone counts
	closed chan struct{} // closed when the window is
	once   sync.Once
}

// asked names a request for a window by numbers of the loader.
type asked struct {
	Run int `json:"run"`
	Ask int `json:"ask"`
}

// windowView is a window as the loader is told it.
type windowView struct {
	asked
	Window   int    `json:"window"`
	Tool     string `json:"tool"`
	Revision string `json:"revision"`
	Kind     string `json:"kind"`
	Scope    string `json:"scope"`
}

// popupAnswer is what became of a request: the address that the window may be led to, or why there is none.
type popupAnswer struct {
	URL   string      `json:"url,omitempty"`
	Error *popupError `json:"error,omitempty"`
}

type popupError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// openPopup takes the request of a function as its payload. While it waits, the loader is told to open the window.
func openPopup(ctx context.Context, r request) (string, error) {
	in, err := decode[asked](r.text)
	if err != nil {
		return "", err
	}
	call := r.api.natives.find(in.Run)
	if call == nil {
		return encode(popupAnswer{Error: &popupError{power.Aborted, "popup: its call has ended"}})
	}
	wish, err := canon.Decode([]byte(r.payload), requestNesting)
	if err != nil {
		return encode(popupAnswer{Error: &popupError{power.Invalid, "popup: " + err.Error()}})
	}
	url, err := call.Popup(ctx, wish, func(ctx context.Context, w registry.Window) (<-chan struct{}, error) {
		return r.api.natives.window(ctx, call, in, w)
	})
	var refused *registry.Refused
	if errors.As(err, &refused) {
		return encode(popupAnswer{Error: &popupError{refused.Code, refused.Message}})
	}
	if err != nil {
		return "", err
	}
	return encode(popupAnswer{URL: url})
}

// window has the loader open a window, and waits until it has.
func (n *natives) window(ctx context.Context, call *nativeCall, in asked, w registry.Window) (<-chan struct{}, error) {
	window := &nativeWindow{opened: make(chan error, 1), closed: make(chan struct{})}
	n.mu.Lock()
	n.last++
	number := n.last
	n.windows[number] = window
	n.mu.Unlock()
	forget := func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.windows, number)
	}
	call.listener.tell("window", windowView{in, number, w.Tool, call.Tool, w.Kind, w.Scope})
	select {
	case err := <-window.opened:
		if err != nil {
			forget()
			return nil, err
		}
	case <-ctx.Done():
		forget()
		return nil, ctx.Err()
	}
	go func() {
		defer forget()
		select {
		case <-window.closed:
		case <-n.over:
		}
	}()
	return window.closed, nil
}

// tellWindow passes on what became of a window: opened, failed or closed. What comes for one that is not waited for has no effect.
func tellWindow(_ context.Context, r request) (string, error) {
	in, err := decode[struct {
		Window  int    `json:"window"`
		State   string `json:"state"`
		Code    string `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	n := r.api.natives
	n.mu.Lock()
	window := n.windows[in.Window]
	n.mu.Unlock()
	if window == nil {
		return "null", nil
	}
	var failed error
	switch in.State {
	case "opened":
	case "failed":
		failed = power.Fail(in.Code, in.Message)
	case "closed":
		window.once.Do(func() { close(window.closed) })
		return "null", nil
	default:
		return "", fault.New(fault.InvalidRequest, "window: %.20q is no state of one", in.State)
	}
	select {
	case window.opened <- failed:
	default: // it was said before
	}
	return "null", nil
}
