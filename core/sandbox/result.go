package sandbox

import (
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Outcome says how a call ended. The set is closed.
type Outcome string

const (
	OK               Outcome = "ok"
	ToolError        Outcome = "tool_error"        // the tool threw
	InvalidArguments Outcome = "invalid_arguments" // the arguments cannot travel
	InvalidResult    Outcome = "invalid_result"    // the result cannot travel, or is too large
	Timeout          Outcome = "timeout"           // running time or total time passed
	Aborted          Outcome = "aborted"           // the caller, or whoever ended the sandbox, gave the call up
	Denied           Outcome = "denied"            // policy refused the revision or the call
	Crashed          Outcome = "crashed"           // the place died, did not start, or broke the protocol
	Flooded          Outcome = "flooded"           // the tool sent more than a place may
	Unavailable      Outcome = "unavailable"       // no sandbox could be had
)

// Words lists the closed set.
func (Outcome) Words() []string {
	return []string{"ok", "tool_error", "invalid_arguments", "invalid_result", "timeout", "aborted", "denied", "crashed", "flooded",
		"unavailable"}
}

// Result is how one call went.
type Result struct {
	Outcome Outcome
	Value   protocol.Value   // the decoded tagged tree, with outcome ok
	Thrown  *protocol.Thrown // with tool_error, and with invalid_result when the tool's side found it
	Message string           // for a person, with every outcome but ok
	Line    int              // of the author's code, from 1; 0: unknown
	Column  int
	Started bool // the tool's code may have begun to run

	Logs    []protocol.Line // first and last lines within the limits
	Dropped int             // lines left out between them
	Asks    []AskRecord     // every ask of the call, in order

	StartedAt time.Time     // when the call was sent; of a call that was not, when Run was entered
	Queued    time.Duration // waiting for its turn
	Starting  time.Duration // waiting for a new sandbox to be ready
	Duration  time.Duration // from StartedAt to the end, for a call that was sent
}

// Reason says in one line why a call did not end ok.
func (r Result) Reason() string {
	if r.Thrown != nil && r.Thrown.Name != "" {
		return r.Thrown.Name + ": " + r.Message
	}
	return r.Message
}
