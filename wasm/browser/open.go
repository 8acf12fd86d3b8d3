//go:build js && wasm

package browser

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
)

// Options are what a page chooses when it opens an engine.
type Options struct {
	Mark    string         // what the engine's frames carry as data-taskyon
	Stores  *Stores        // nil: in memory; the caller closes them after the engine
	Limits  *limits.Limits // nil: the documented ones
	Page    string         // the absolute address of sandbox.html; none: frames without an address
	Fetch   safejs.Value   // the page's fetch, as it was; undefined: the present one
	Proxy   *Proxy         // nil: the page asks by itself
	Decider grant.Decider  // asks the user; nil: what is not granted already is denied
}

// Proxy is a fetch proxy that an application runs.
type Proxy struct {
	URL   string // https, or of this machine
	Token string
}

// Opened is an engine with what it was built from.
type Opened struct {
	*core.Engine
	wall   *sandboxhost.Wall
	stores *Stores
}

// Open makes an engine in this page. The caller closes it.
func Open(o Options) (*Opened, error) {
	tools, tasks, kept := registry.Store(new(registry.Memory)), task.Store(new(task.Memory)), shelf.Store(new(shelf.Memory))
	if o.Stores != nil {
		tools, tasks, kept = o.Stores.Tools, o.Stores.Tasks, o.Stores.Shelf
	}
	l := limits.Default()
	if o.Limits != nil {
		l = *o.Limits
	}
	switchable()
	requests, err := openRequests(o, l)
	if err != nil {
		return nil, err
	}
	wall, err := sandboxhost.New(sandboxhost.Options{Mark: o.Mark, Page: o.Page})
	if err != nil {
		return nil, err
	}
	syntax := newChecker(wall, l)
	vault, lasting := o.Stores.vault()
	var others *peers
	if o.Stores != nil && o.Stores.Kind == InIndexedDB {
		others = meetPeers()
	}
	engine := core.New(core.Ports{
		Wall:      wall,
		Isolation: "browser",
		Syntax:    syntax,
		Tools:     tools,
		Tasks:     tasks,
		Shelf:     kept,
		Clock:     sandbox.SystemClock{},
		Limits:    l,
		Policy:    requests.policy,
		Decider:   o.Decider,
		Vault:     vault,
		Lasting:   lasting,
		Random:    random,
		Sender:    requests.sender,
		Tell:      others.tell,
		OnClose: func() {
			others.close()
			syntax.Close()
		},
	})
	if err := others.hear(engine); err != nil {
		engine.Close()
		return nil, err
	}
	return &Opened{engine, wall, o.Stores}, nil
}
