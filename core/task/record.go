package task

import (
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Outcome is how a run ended.
type Outcome string

const (
	OK               Outcome = "ok"
	ToolError        Outcome = "tool_error"        // the tool threw
	InvalidArguments Outcome = "invalid_arguments" // the arguments break the schema; nothing ran
	InvalidResult    Outcome = "invalid_result"    // the result cannot travel or breaks the schema
	Timeout          Outcome = "timeout"           // a deadline passed
	Aborted          Outcome = "aborted"           // the caller gave up
	Denied           Outcome = "denied"            // policy said no
	Crashed          Outcome = "crashed"           // the sandbox broke
	Flooded          Outcome = "flooded"           // the tool sent too much
	Unavailable      Outcome = "unavailable"       // this host cannot run the revision
)

// Known tells whether the word is one of the closed set.
func (o Outcome) Known() bool {
	switch o {
	case OK, ToolError, InvalidArguments, InvalidResult, Timeout, Aborted, Denied, Crashed, Flooded, Unavailable:
		return true
	}
	return false
}

// Record is what happened when a task ran: one for every run, whatever the outcome. Times are milliseconds.
type Record struct {
	Task       canon.TaskID   `json:"task"`
	Tool       canon.ToolID   `json:"tool"`
	Outcome    Outcome        `json:"outcome"`
	Result     any            `json:"result"`          // in tagged form; present when ok
	Error      *Failure       `json:"error,omitempty"` // present when not ok
	Logs       []LogLine      `json:"logs,omitempty"`
	Dropped    int            `json:"dropped,omitempty"`  // log lines left out between head and tail
	Asks       []AskRecord    `json:"asks,omitempty"`     // in order
	Subtasks   []canon.TaskID `json:"subtasks,omitempty"` // made by the call, which ended ok; the host runs them
	Started    bool           `json:"started"`            // whether code may have begun to run
	Isolation  string         `json:"isolation"`          // what held the code: browser, os, runtime, none; empty: nothing ran
	StartedAt  string         `json:"startedAt"`          // RFC 3339, UTC
	DurationMs float64        `json:"durationMs"`         // running time
	QueuedMs   float64        `json:"queuedMs"`           // waiting for the sandbox, its start included
}

// JSON is the record's canonical text.
func (r *Record) JSON() (string, error) {
	text, err := canon.Marshal(r)
	return string(text), err
}

// Failure is why a run did not end ok. Line and column are the author's, from 1.
type Failure struct {
	Code    Outcome `json:"code"`
	Name    string  `json:"name,omitempty"`
	Message string  `json:"message"`
	Path    string  `json:"path,omitempty"`
	Line    int     `json:"line,omitempty"`
	Column  int     `json:"column,omitempty"`
	Stack   string  `json:"stack,omitempty"`
	Cause   string  `json:"cause,omitempty"`
	Value   any     `json:"value,omitempty"` // a thrown value that is no Error, in tagged form
}

// Reason says in one line why a run did not end ok.
func (f *Failure) Reason() string {
	if f.Name == "" {
		return f.Message
	}
	return f.Name + ": " + f.Message
}

// LogLine is one line that the tool logged.
type LogLine struct {
	Level string `json:"level"`
	Text  string `json:"text"`
}

// Decision is what became of an ask.
type Decision string

const (
	AskAllowed   Decision = "allowed"   // was permitted and answered
	AskDenied    Decision = "denied"    // was not permitted, so nothing was done
	AskFailed    Decision = "failed"    // was permitted, and failed
	AskWithdrawn Decision = "withdrawn" // the tool gave it up
	AskOpen      Decision = "open"      // had no answer when its call ended
)

// Known tells whether the word is one of the closed set.
func (d Decision) Known() bool {
	switch d {
	case AskAllowed, AskDenied, AskFailed, AskWithdrawn, AskOpen:
		return true
	}
	return false
}

// AskRecord is what is kept of one ask of a capability.
type AskRecord struct {
	Capability string   `json:"capability"`
	Decision   Decision `json:"decision"`
	Reason     string   `json:"reason,omitempty"` // code of a denial or failure
	Scope      string   `json:"scope,omitempty"`  // what it was about: an origin, a name
	Class      string   `json:"class,omitempty"`  // read or write
	Sent       bool     `json:"sent"`             // something has left for the outside
	BytesOut   int      `json:"bytesOut,omitempty"`
	BytesIn    int      `json:"bytesIn,omitempty"`
	DurationMs float64  `json:"durationMs"`
}

// Stamp formats a time for StartedAt.
func Stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

// Admit is law 2: a record belongs to an executable task and names the very revision that the task is pinned to.
func Admit(t Sealed, r *Record) error {
	switch {
	case t.ID != r.Task:
		return fault.New(fault.Conflict, "record: is of task %s, not of %s", r.Task, t.ID)
	case !t.Executable:
		return fault.New(fault.InvalidTask, "record: task %s is not executable", t.ID)
	case r.Tool.IsZero():
		return fault.New(fault.InvalidTask, "record: of executable task %s names no tool revision", t.ID)
	case r.Tool != t.Pin:
		return fault.New(fault.Conflict, "record: names revision %s, task %s is pinned to %s", r.Tool, t.ID, t.Pin)
	}
	return nil
}
