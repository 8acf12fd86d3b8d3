package power

import (
	"context"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Ports are what powers need of their engine and their host. A nil one makes its capability unavailable.
type Ports struct {
	Policy   *policy.Policy
	Sender   Sender
	Grants   Grants
	Compiler *task.Compiler
	Depth    func(ctx context.Context, t *task.Task) (int, error) // how many calls stand above a task in one row
	Limits   limits.Limits
}

// Grants is the user's will about one call's tool.
type Grants interface {
	Granted(ctx context.Context, c Call, want policy.Want, note func(reason string)) (bool, error)
}

// Call is the call on whose behalf a capability is used.
type Call struct {
	Task      *task.Task
	Revision  *tool.Revision
	Node      canon.TaskID // that defines a lexical tool
	Partition string
	Secrets   Secrets // nil: it has none
	Storage   Storage // nil: it has none
}

// Secrets are those of one call.
type Secrets interface {
	// Fill gives a header as it is sent to an origin: placeholders replaced. Anything that may not be sent there is an error.
	Fill(h policy.Header, origin string) (string, error)
	// Misplaced tells whether a text holds a placeholder where none may stand.
	Misplaced(text string) error
	// Clean takes from a text what must not come back; CleanBody does so for a body, piece by piece.
	Clean(text string) string
	CleanBody(sandbox.Body) sandbox.Body
}

// Storage is what one call may keep.
type Storage interface {
	Answer(ctx context.Context, params protocol.Value) (protocol.Value, error)
}

// Powers answer the asks of an engine's calls. They are safe for concurrent use.
type Powers struct{ ports Ports }

// New makes the powers of an engine.
func New(p Ports) *Powers { return &Powers{p} }

// Session is the powers of one call.
type Session struct {
	*Powers
	call Call
	busy chan struct{} // requests under way

	mu       sync.Mutex
	requests int
	subtasks []*task.Task
	bytes    int // of subtasks
}

// Open begins the session of a call.
func (p *Powers) Open(c Call) *Session {
	return &Session{Powers: p, call: c, busy: make(chan struct{}, max(p.ports.Limits.FetchAtOnce, 1))}
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
	if !needs(s.call.Revision).Storage {
		return nil, fault.New(fault.Denied, "storage: the tool does not declare it; its author adds \"storage\": true to needs")
	}
	if s.call.Storage == nil {
		return nil, unavailable("storage")
	}
	return s.call.Storage.Answer(ctx, ask.Params)
}

func needs(r *tool.Revision) tool.Needs {
	if n := r.Definition().Needs; n != nil {
		return *n
	}
	return tool.Needs{}
}

func unavailable(what string) error {
	return fault.New(fault.Denied, "%s: is not available here", what)
}
