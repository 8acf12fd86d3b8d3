package sandbox

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Key names a retained sandbox.
type Key struct {
	Revision  string // the id of the tool's revision, never its name
	Partition string // keeps retained state apart, for instance by account or chat
	Scope     string // the task node that defines a lexical tool, empty for an installed one
}

// Code is what a new sandbox is started with.
type Code struct {
	Name     string // the tool's name, for messages and stacks
	Language string // javascript or python
	Program  string // as protocol.Start has it
}

// Request is one call.
type Request struct {
	Key        Key
	Name       string                              // the tool's, for messages; empty: the code's, else the revision
	Code       func(context.Context) (Code, error) // asked only when a new sandbox is started
	Args       protocol.Value                      // in tagged form
	Context    protocol.Context
	Timeout    time.Duration // running time; 0: the limit's
	Wall       time.Duration // total time from the start of the code, waits included; 0: the limit's
	Disposable bool          // a fresh sandbox for this call alone

	// OnLog and OnProgress are called in order by the goroutine of Run, never after it returned. While one blocks, Run cannot
	// return. Lines stream until the call's log budget is spent; the kept rest comes at the end, with the number left out.
	OnLog      func(*protocol.Log)
	OnProgress func(*protocol.Progress)

	// Ended is told the asks of a call that has ended, before Run returns and before Close does. It must return at once.
	Ended func([]AskRecord)

	// Power answers an ask, in a goroutine of its own, with a context that ends with the ask or the call. An answer that
	// comes later has no effect. A nil Power denies everything.
	Power func(context.Context, Ask) Answer
}

// Ask is one use of a capability, with the bodies that came with it.
type Ask struct {
	*protocol.Ask
	Blobs [][]byte

	entry *askEntry // nil: nobody keeps a record
}

// Answer settles an ask. Its ids are filled in by the sandbox. An Error wins over a Value, and over a Body.
type Answer struct {
	protocol.Answer
	Blobs [][]byte
	Body  Body // what follows the value, at the pace of the tool; nil for nothing
}

// Body gives a body piece by piece. Whoever reads it closes it, once, also when its ask or its call has ended meanwhile.
type Body interface {
	// Read gives the next piece, of any size, and io.EOF when there is none. Any other error ends the body for the tool with its
	// code and message. The context ends with the ask.
	Read(ctx context.Context) ([]byte, error)
	Close()
}
