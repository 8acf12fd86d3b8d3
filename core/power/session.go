package power

import (
	"context"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/core/storage"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Ports are what powers need of their engine and their host. A nil one makes its capability unavailable.
type Ports struct {
	Policy   *policy.Policy
	Sender   Sender
	Grants   *grant.Book
	Secrets  *secret.Book
	Storage  *storage.Store
	Compiler *task.Compiler
	Depth    func(ctx context.Context, t *task.Task) (int, error) // how many calls stand above a task in one row
	Limits   limits.Limits
	Life     context.Context // ends with the engine
}

// Call is the call on whose behalf a capability is used.
type Call struct {
	Task      *task.Task
	Revision  *tool.Revision
	Node      canon.TaskID // that defines a lexical tool
	Partition string
}

// Powers answer the asks of an engine's calls. They are safe for concurrent use.
type Powers struct {
	ports Ports

	mu      sync.Mutex
	windows int // open, or about to be
}

// New makes the powers of an engine.
func New(p Ports) *Powers {
	if p.Life == nil {
		p.Life = context.Background()
	}
	return &Powers{ports: p}
}

// Session is the powers of one call.
type Session struct {
	*Powers
	call    Call
	busy    chan struct{} // requests under way
	storing chan struct{} // storage asks under way
	asked   grant.Call
	secrets *secret.Call // nil: there are none here

	mu       sync.Mutex
	requests int
	deep     sync.Mutex
	depth    int // of calls above one another, 0: not read yet
	subtasks []*task.Task
	bytes    int // of subtasks

	window bool // under the lock of Powers: one is open, or about to be
}

// Open begins the session of a call.
func (p *Powers) Open(c Call) *Session {
	atOnce := max(p.ports.Limits.FetchAtOnce, 1)
	s := &Session{Powers: p, call: c, busy: make(chan struct{}, atOnce), storing: make(chan struct{}, atOnce)}
	if names := s.needs().Secrets; p.ports.Secrets != nil && len(names) > 0 {
		s.secrets = p.ports.Secrets.For(secret.Caller{Revision: c.Revision.ID(), Declared: names, Lexical: !c.Node.IsZero()})
	}
	return s
}

// Placeholders are what the tool gets in the place of its secrets, by their names; nil for none.
func (s *Session) Placeholders() map[string]string {
	if s.secrets == nil {
		return nil
	}
	return s.secrets.Placeholders()
}

// Answer answers one ask; it is a sandbox's power.
func (s *Session) Answer(ctx context.Context, ask sandbox.Ask) sandbox.Answer {
	var value protocol.Value
	var err error
	switch ask.Capability {
	case protocol.CapabilityFetch:
		return s.fetch(ctx, ask)
	case protocol.CapabilityStorage:
		value, err = s.storage(ctx, ask)
	case protocol.CapabilitySubtasks:
		value, err = s.createSubtasks(ctx, ask)
	case protocol.CapabilityResolve:
		value, err = s.resolve(ctx, ask)
	default:
		err = unavailable(string(ask.Capability))
	}
	if err != nil {
		return refuse(ask, err)
	}
	return sandbox.Answer{Answer: protocol.Answer{Value: value}}
}

func (s *Session) storage(ctx context.Context, ask sandbox.Ask) (protocol.Value, error) {
	if s.ports.Storage == nil {
		return nil, unavailable("storage")
	}
	area, err := s.ports.Storage.For(storage.Place{Revision: s.call.Revision.ID(), Partition: s.call.Partition, Node: s.call.Node}, s.needs().Storage)
	if err != nil {
		return nil, err
	}
	// Each may read all that is stored: together they must not fill the host's memory.
	select {
	case s.storing <- struct{}{}:
		defer func() { <-s.storing }()
		return area.Answer(ctx, ask.Params)
	case <-ctx.Done():
		return nil, fault.New(fault.Aborted, "storage: was given up")
	}
}

// needs are those that the tool declares.
func (s *Session) needs() tool.Needs { return s.call.Revision.Definition().Declared() }

func unavailable(what string) error {
	return fault.New(fault.Denied, "%s: is not available here", what)
}
