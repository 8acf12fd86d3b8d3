package core

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/storage"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Ports are all that an engine needs of its host.
type Ports struct {
	Wall      sandbox.Wall // where tool code runs
	Isolation string       // what Wall is, as records say it: browser, os, runtime, none
	Syntax    tool.Syntax  // the judge of JavaScript source
	Tools     registry.Store
	Tasks     task.Store
	Shelf     shelf.Store // what belongs to no task and no revision's identity; nil: in memory
	Clock     sandbox.Clock
	Limits    limits.Limits
	Policy    *policy.Policy // of requests; nil: no tool can fetch
	Sender    power.Sender   // nil: no tool can fetch
	Decider   grant.Decider  // asks the user; nil: what is not granted already is denied
	Vault     secret.Vault   // seals secrets; nil: there are none
	Lasting   bool           // what Vault seals opens after the engine has ended
	Random    func([]byte)   // fills with bytes that nobody can guess; nil: there are no secrets
	Tell      func(Notice)   // tells other engines over the same stores; may be nil
	OnClose   func()         // ends what the host opened for this engine; may be nil
}

// Engine is one instance of the product. It is safe for concurrent use. Close ends it.
type Engine struct {
	ports     Ports
	registry  *registry.Registry
	scopes    *task.Scopes
	known     known
	sandboxes *sandbox.Manager
	powers    *power.Powers
	grants    *grant.Book
	secrets   *secret.Book // nil: there are none
	storage   *storage.Store
	audit     *audit.Log
	auditing  tally // of what is being written into the audit
	hosted    hosted
	closed    atomic.Bool
	life      context.Context // ends with Close, for what no sandbox holds: native functions
	end       context.CancelFunc
}

// New makes an engine over its ports.
func New(p Ports) *Engine {
	if p.Shelf == nil {
		p.Shelf = new(shelf.Memory)
	}
	e := &Engine{ports: p, scopes: task.NewScopes(p.Tasks), sandboxes: sandbox.New(p.Wall, sandbox.Options{Limits: p.Limits, Clock: p.Clock})}
	e.life, e.end = context.WithCancel(context.Background())
	e.registry = registry.New(registry.Options{
		Store: p.Tools, Syntax: p.Syntax, Limits: p.Limits, Now: p.Clock.Now, Languages: []tool.Language{tool.JavaScript},
		Retired: func(id canon.ToolID) { e.announce(Notice{Retired: id}) },
		Stopped: func(id canon.ToolID) { e.announce(Notice{Stopped: id}) },
		Allowed: func(id canon.ToolID) { e.announce(Notice{Allowed: id}) },
	})
	e.empower()
	return e
}

// Install freezes and stores a definition (JSON text); activate also makes its name mean it.
func (e *Engine) Install(ctx context.Context, definition []byte, activate bool) (*tool.Revision, error) {
	if err := e.open(); err != nil {
		return nil, err
	}
	if err := e.askable(definition); err != nil {
		return nil, err
	}
	return e.registry.Install(ctx, definition, activate)
}

// Registry is the tool manager of this engine.
func (e *Engine) Registry() *registry.Registry { return e.registry }

// Tasks is the task store of this engine.
func (e *Engine) Tasks() task.Store { return e.ports.Tasks }

// Shelf is where this engine keeps what belongs to no task and no revision's identity.
func (e *Engine) Shelf() shelf.Store { return e.ports.Shelf }

// Sandboxes is the lifetime manager of this engine.
func (e *Engine) Sandboxes() *sandbox.Manager { return e.sandboxes }

// Compile pins and hashes a draft (JSON text) and stores the task. A draft that cannot be compiled stores nothing. Labels given here
// come behind the draft's own.
func (e *Engine) Compile(ctx context.Context, draft []byte, label ...string) (*task.Task, error) {
	if err := e.open(); err != nil {
		return nil, err
	}
	t, err := e.compiler().Compile(ctx, draft, label...)
	if err != nil {
		return nil, err
	}
	if d := t.Content.ToolDefinition; d["needs"] != nil {
		text, err := canon.Encode(d)
		if err == nil {
			err = e.askable(text)
		}
		if err != nil {
			return nil, fault.Wrap(fault.InvalidDraft, err, "draft: $.content.toolDefinition")
		}
	}
	if r := t.Content.ToolResult; r != nil {
		if err := protocol.CheckValue(r.Result, e.ports.Limits.Nesting); err != nil {
			return nil, fault.At(fault.InvalidDraft, "$.content.toolResult.result", "draft: $.content.toolResult.result: %s", err)
		}
	}
	if err := e.ports.Tasks.Put(ctx, t); err != nil {
		return nil, err
	}
	return t, e.scopes.Added(ctx, t)
}

// Close ends every sandbox; calls that still run, of native functions too, settle as aborted. It may be called twice.
func (e *Engine) Close() {
	if e.closed.Swap(true) {
		return
	}
	e.end()
	e.sandboxes.Close()
	e.auditing.wait()
	if e.ports.OnClose != nil {
		e.ports.OnClose()
	}
}

func (e *Engine) open() error {
	if e.closed.Load() {
		return fault.New(fault.Closed, "engine: was closed")
	}
	return nil
}

// milliseconds gives a duration as records hold it, to the microsecond.
func milliseconds(d time.Duration) float64 {
	return float64(d.Microseconds()) / 1000
}
