//go:build js && wasm

package main

import (
	"context"
	"strings"
	"sync"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// api is the state behind the two exports: an engine, once opened, and the calls that can be aborted.
type api struct {
	methods map[string]method
	mark    string       // of the engine's frames, chosen by the loader
	fetch   safejs.Value // the page's, as it was before the page could change it
	done    chan struct{}
	once    sync.Once
	natives *natives

	permissions *permissions

	mu     sync.Mutex
	engine *core.Engine
	stores *browser.Stores
	opened *browser.Opened
	runs   map[int]context.CancelFunc
}

func newAPI(mark string) *api {
	done := make(chan struct{})
	return &api{mark: mark, methods: methods(), done: done, runs: map[int]context.CancelFunc{}, natives: newNatives(done), permissions: newPermissions()}
}

// request is one call from the page. listener is a JavaScript function (kind, text) or undefined.
type request struct {
	api      *api
	engine   *core.Engine
	text     string // the options, a JSON object
	payload  string // what the request is about, where that is a text of its own: a definition, a draft, a task
	listener safejs.Value
}

// call is exported: (id, request, listener?). A request is one text, since each text that crosses the border has its price:
// `<method> <options>\n<payload>`, where options are a JSON object on one line. Until it settles it can be aborted by its id.
func (a *api) call(id int, args []safejs.Value) (string, error) {
	text, err := jsbind.Text(args, 0, "request")
	if err != nil {
		return "", err
	}
	head, payload, _ := strings.Cut(text, "\n")
	name, options, _ := strings.Cut(head, " ")
	m, known := a.methods[name]
	if !known {
		return "", fault.New(fault.InvalidRequest, "method %.80q: no such method", name)
	}
	r := request{api: a, text: options, payload: payload, listener: safejs.Undefined()}
	if len(args) > 1 {
		r.listener = args[1]
	}
	ctx, release := a.begin(id, &r)
	defer release()
	if r.engine == nil && name != "open" {
		return "", fault.New(fault.Closed, "method %q: the engine is not open", name)
	}
	return m(ctx, r)
}

func (a *api) begin(id int, r *request) (context.Context, func()) {
	ctx, cancel := context.WithCancel(context.Background())
	a.mu.Lock()
	defer a.mu.Unlock()
	r.engine, a.runs[id] = a.engine, cancel
	return ctx, func() {
		cancel()
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.runs, id)
	}
}

// abort is exported: (id). A call that has settled, or was never made, is left alone.
func (a *api) abort(args []safejs.Value) {
	if len(args) == 0 || args[0].Type() != safejs.TypeNumber {
		return
	}
	id, err := args[0].Int()
	if err != nil {
		return
	}
	a.mu.Lock()
	cancel := a.runs[id]
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

// leave gives up the stores, once nothing runs that could still write to them.
func (a *api) leave() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.stores != nil {
		a.stores.Close()
	}
}

// decode binds a request's text to its closed type.
func decode[T any](text string) (T, error) {
	var in T
	err := canon.Unmarshal([]byte(text), &in, requestNesting, fault.InvalidRequest)
	return in, err
}

// requestNesting suffices for requests: what nests deeper (definitions, drafts, tasks) is their payload.
const requestNesting = 16

// encode writes an answer as JSON text.
func encode(v any) (string, error) {
	text, err := canon.Marshal(v)
	return string(text), err
}
