//go:build js && wasm

package main

import (
	"context"
	"sync"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
)

// natives are the calls of a page's functions that are open, by number. Go never calls such a function for its result: it tells the
// loader of a call, and of its end by deadline or abort; the loader runs the function and settles the call by its number. What
// comes for a number that is not open any more has no effect.
type natives struct {
	mu      sync.Mutex
	last    int
	open    map[int]*nativeCall
	windows map[int]*nativeWindow
	over    <-chan struct{} // closed when the program ends
}

type nativeCall struct {
	registry.NativeCall
	listener request        // who is told of this call
	settled  chan nativeEnd // buffered: the loader is not made to wait
}

type nativeEnd struct {
	value any
	err   error
}

func newNatives(over <-chan struct{}) *natives {
	return &natives{over: over, open: map[int]*nativeCall{}, windows: map[int]*nativeWindow{}}
}

// callView is a call as the loader is told it; args are in tagged form, settings plain.
type callView struct {
	Run      int    `json:"run"`
	Task     string `json:"task"`
	Tool     string `json:"tool"`
	Args     any    `json:"args"`
	Settings any    `json:"settings"`
}

// runView names a call.
type runView struct {
	Run int `json:"run"`
}

func registerNative(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Activate bool `json:"activate"`
	}](r.text)
	if err != nil {
		return "", err
	}
	if r.listener.Type() != safejs.TypeFunction {
		return "", fault.New(fault.InvalidRequest, "register: want a listener")
	}
	return r.revision(ctx)(r.engine.Registry().RegisterNative(ctx, []byte(r.payload), r.api.natives.function(r.listener), in.Activate))
}

// function is the native function behind a listener.
func (n *natives) function(listener safejs.Value) registry.Native {
	r := request{listener: listener}
	return func(ctx context.Context, call registry.NativeCall) (any, error) {
		run, settled := n.begin(call, r)
		defer n.end(run)
		r.tell("call", callView{run, call.Task, call.Tool, call.Args, call.Settings})
		select {
		case end := <-settled:
			return end.value, end.err
		case <-ctx.Done():
			r.tell("abort", runView{run})
			return nil, ctx.Err()
		}
	}
}

func (n *natives) begin(call registry.NativeCall, listener request) (run int, settled <-chan nativeEnd) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.last++
	c := &nativeCall{call, listener, make(chan nativeEnd, 1)}
	n.open[n.last] = c
	return n.last, c.settled
}

func (n *natives) end(run int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.open, run)
}

// find returns an open call, nil for one that has ended.
func (n *natives) find(run int) *nativeCall {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.open[run]
}

// tellNative passes on what a function said: log lines, which have a level, and progress.
func tellNative(_ context.Context, r request) (string, error) {
	in, err := decode[struct {
		Run    int `json:"run"`
		Events []struct {
			Level    string  `json:"level,omitempty"`
			Text     string  `json:"text,omitempty"`
			Fraction float64 `json:"fraction,omitempty"`
		} `json:"events"`
	}](r.text)
	if err != nil {
		return "", err
	}
	call := r.api.natives.find(in.Run)
	if call == nil {
		return "null", nil
	}
	for _, e := range in.Events {
		if e.Level == "" {
			call.Progress(e.Fraction, e.Text)
		} else {
			call.Log(e.Level, e.Text)
		}
	}
	return "null", nil
}

// nativeError is how a function failed: with an error, or with a result that cannot travel, which has a path.
type nativeError struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Stack   string `json:"stack,omitempty"`
	Path    string `json:"path,omitempty"`
}

// settleNative ends a call. The payload is its result, or what was thrown where that is no error and can travel, in tagged form.
func settleNative(_ context.Context, r request) (string, error) {
	in, err := decode[struct {
		Run   int          `json:"run"`
		Error *nativeError `json:"error,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	call := r.api.natives.find(in.Run)
	if call == nil {
		return "null", nil
	}
	var value any
	if r.payload != "" {
		if value, err = canon.Decode([]byte(r.payload), valueNesting); err == nil {
			err = protocol.CheckValue(value, valueNesting)
		}
	}
	end := nativeEnd{value, err}
	if in.Error != nil {
		end = nativeEnd{err: in.Error.thrown(value, err)}
	}
	select {
	case call.settled <- end:
	default: // it was settled before
	}
	return "null", nil
}

func (e *nativeError) thrown(value any, unreadable error) error {
	if e.Path != "" {
		return fault.At(fault.InvalidValue, e.Path, "%s", e.Message)
	}
	if unreadable != nil {
		value = nil
	}
	return &registry.Thrown{Name: e.Name, Message: e.Message, Stack: e.Stack, Value: value}
}

// valueNesting leaves room for the tags of a value, up to three levels for each of its own; the engine judges those.
const valueNesting = 3*64 + 16
