package console

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
)

// Engine is what the console needs of the machine. Errors are *fault.Error.
type Engine interface {
	Authority
	// Install freezes a definition (JSON text) and, if told to, makes it the active revision of its name.
	Install(ctx context.Context, definition string, activate bool) (revision string, err error)
	// Tools lists every name: its active revision, or the newest installed one, not Active, when none is.
	Tools(ctx context.Context) ([]Tool, error)
	// History lists every installed revision of a name, newest installation first.
	History(ctx context.Context, name string) ([]Tool, error)
	// Activate makes an installed revision the active one of its name.
	Activate(ctx context.Context, name, revision string) error
	// Remove makes a name mean nothing; its revisions stay.
	Remove(ctx context.Context, name string) error
	// Erase forgets a revision that is neither active nor pinned by a task.
	Erase(ctx context.Context, revision string) error
	// Block refuses a revision from now on, Unblock takes that back.
	Block(ctx context.Context, revision, reason string) error
	Unblock(ctx context.Context, revision string) error
	// Diff lists how the revision after differs from the revision before.
	Diff(ctx context.Context, before, after string) ([]Change, error)
	// SetSettings makes values (JSON text of an object) the settings of a revision.
	SetSettings(ctx context.Context, revision, values string) error
	// Export returns an archive of a revision, without settings.
	Export(ctx context.Context, revision string) (string, error)
	// Import takes the text of an archive. Nothing becomes active by it.
	Import(ctx context.Context, text string) (Report, error)
	// Run compiles a draft for a revision, or for the active one of a name, and runs the task; cancelling ctx aborts it. There is
	// a Record for every outcome; an error means that no task ran. onLog gets each line as the tool writes it.
	Run(ctx context.Context, tool, arguments string, disposable bool, onLog func(LogLine)) (Record, error)
}

// Tool is one installed revision.
type Tool struct {
	Name        string
	Description string
	Revision    string // tool:b3:<64 hex>
	Active      bool
	Class       string // sandboxed-code, trusted-native or external-service
	Language    string // of sandboxed code
	Code        string // of sandboxed code
	Parameters  any    // decoded JSON Schema
	Definition  string // canonical JSON

	Settings any       // decoded JSON Schema, nil when the tool declares none
	Current  string    // its settings now, JSON text of an object, "" for none
	Bound    time.Time // when its name came to mean it, for the last time; zero: never
	Blocked  bool
	Reason   string // of the block
}

// Change is one difference between two revisions. Before and After are texts as they are, and other values as JSON.
type Change struct {
	Path   string // JSON path in the definition
	Kind   string // added, removed or changed
	Before string // "" where it was added
	After  string // "" where it was removed
}

// Report is what an import did.
type Report struct {
	Counts  []Count
	Refused []Line
	Notes   []Line // what older data became that is not simply the same
	More    int    // refusals and notes that are not listed
}

// Count tells what came in from what was here already.
type Count struct {
	What       string
	New, Known int
}

// Line is what a report says about one place of the text.
type Line struct {
	Place string // line 3, or item 2
	Code  string // of the error, "" for a note
	Text  string
}

// Record is how a run ended.
type Record struct {
	Outcome  string // ok, tool_error, invalid_arguments, …
	Result   string // JSON text in tagged form, "" when there is none
	Error    *Failure
	Logs     []LogLine
	Dropped  int    // lines left out between the first and the last of Logs
	Task     string // task:b3:<64 hex>, "" when no task was made
	Tool     string // the revision that ran
	Duration time.Duration
	Asks     []audit.Ask // what it asked of the world, in order
}

// Failure is an error for a reader. Path is a JSON path; Line and Column count from 1 in the author's code, 0 means unknown.
type Failure struct {
	Code    string
	Name    string // the error's class in the tool's language
	Message string
	Path    string
	Line    int
	Column  int
	Stack   string
	Cause   string // what the error says was behind it
	Thrown  string // JSON text in tagged form of a thrown value that is no error
}

// LogLine is one line that a tool wrote.
type LogLine struct {
	Level string // debug, log, info, warn or error
	Text  string
}
