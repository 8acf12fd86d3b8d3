//go:build js && wasm

package main

import (
	"context"
	"sync"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// api is the state behind the two exports: an engine, once opened, and the calls that can be aborted.
type api struct {
	methods map[string]method
	done    chan struct{}
	once    sync.Once

	mu     sync.Mutex
	engine *core.Engine
	runs   map[int]context.CancelFunc
}

func newAPI() *api {
	return &api{methods: methods(), done: make(chan struct{}), runs: map[int]context.CancelFunc{}}
}

// request is one call from the page. listener is a JavaScript function (kind, text) or undefined.
type request struct {
	api      *api
	engine   *core.Engine
	text     string
	listener safejs.Value
}

// call is exported: (method, text, run?, listener?). A run that is not 0 can be aborted by that number until it settles.
func (a *api) call(args []safejs.Value) (string, error) {
	name, err := jsbind.Text(args, 0, "method")
	if err != nil {
		return "", err
	}
	m, known := a.methods[name]
	if !known {
		return "", fault.New(fault.InvalidRequest, "method %.80q: no such method", name)
	}
	r := request{api: a, listener: safejs.Undefined()}
	if r.text, err = jsbind.Text(args, 1, name); err != nil {
		return "", err
	}
	if len(args) > 3 {
		r.listener = args[3]
	}
	a.mu.Lock()
	r.engine = a.engine
	a.mu.Unlock()
	if r.engine == nil && name != "open" {
		return "", fault.New(fault.Closed, "method %q: the engine is not open", name)
	}
	ctx, release := a.abortable(args)
	defer release()
	return m(ctx, r)
}

func (a *api) abortable(args []safejs.Value) (context.Context, func()) {
	if len(args) < 3 || args[2].Type() != safejs.TypeNumber {
		return context.Background(), func() {}
	}
	run, err := args[2].Int()
	if err != nil || run == 0 {
		return context.Background(), func() {}
	}
	ctx, cancel := context.WithCancel(context.Background())
	a.mu.Lock()
	a.runs[run] = cancel
	a.mu.Unlock()
	return ctx, func() {
		cancel()
		a.mu.Lock()
		delete(a.runs, run)
		a.mu.Unlock()
	}
}

// abort is exported: (run). A run that has settled, or was never made, is left alone.
func (a *api) abort(args []safejs.Value) {
	if len(args) == 0 || args[0].Type() != safejs.TypeNumber {
		return
	}
	run, err := args[0].Int()
	if err != nil {
		return
	}
	a.mu.Lock()
	cancel := a.runs[run]
	a.mu.Unlock()
	if cancel != nil {
		cancel()
	}
}

// close ends the engine and lets main return.
func (a *api) close() {
	a.mu.Lock()
	engine := a.engine
	a.engine = nil
	a.mu.Unlock()
	if engine != nil {
		engine.Close()
	}
	a.once.Do(func() { close(a.done) })
}

// decode binds a request's text to its closed type.
func decode[T any](text string) (T, error) {
	var in T
	err := canon.Unmarshal([]byte(text), &in, requestNesting, fault.InvalidRequest)
	return in, err
}

// requestNesting suffices for requests: what nests deeper (definitions, drafts, tasks) travels in them as text.
const requestNesting = 16

// encode writes an answer as JSON text.
func encode(v any) (string, error) {
	tree, err := canon.Tree(v)
	if err != nil {
		return "", err
	}
	text, err := canon.Encode(tree)
	return string(text), err
}
