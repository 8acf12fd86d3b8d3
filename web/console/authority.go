package console

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

// Authority is what the console needs of the machine about what tools may do. Errors are *fault.Error.
type Authority interface {
	// Forecast lists what a definition (JSON text) will ask for and what it may do without asking.
	Forecast(definition string) ([]grant.Forecast, error)
	// Access lists what one revision may do and what is kept for it; with an error as much of it as can be read.
	Access(ctx context.Context, revision string) (Access, error)
	// Waiting is how many questions wait behind the one that is shown.
	Waiting() int
	// Revoke ends a grant.
	Revoke(ctx context.Context, grant string) error
	// Plan says what would be carried over between two revisions of a tool; Carry does it, if the plan with that id still holds.
	Plan(ctx context.Context, from, to string) (grant.Plan, error)
	Carry(ctx context.Context, plan, from, to string) error
	// SetSecret keeps a value under a name that the revision declares, for these origins.
	SetSecret(ctx context.Context, revision, name, value string, origins []string) error
	ForgetSecret(ctx context.Context, revision, name string) error
	// ClearStorage forgets all that a revision has stored.
	ClearStorage(ctx context.Context, revision string) error
	// Audit lists the newest asks of all tools, the newest first, at most so many; decision "" chooses all.
	Audit(ctx context.Context, decision string, most int) ([]Audited, error)
}

// Access is what a revision may do, and what is kept for it.
type Access struct {
	Forecast []grant.Forecast
	Grants   []grant.Grant // those that stand
	Earlier  []Earlier     // other revisions of the tool with grants that stand
	Secrets  []Secret      // those that it declares, and any other that is kept
	Unsealed string        // why no secret can be kept here, "" where it can
	Lasting  bool          // secrets are still there when the page was closed
	Stored   []Stored
	Damaged  string // why what is stored cannot be read, "" where it can
	Bytes    int    // of all that is stored
}

// Earlier is another revision of a tool whose grants could be carried over.
type Earlier struct {
	Revision string
	Grants   int
}

// Secret is what may be known of a secret.
type Secret struct {
	Name    string
	Origins []string  // who may have it
	At      time.Time // when it was set; zero: it is not
}

// Stored is one value that a tool has stored.
type Stored struct {
	Key   string
	Value string // JSON text in tagged form
	Bytes int
}

// Audited is one row of the audit.
type Audited struct {
	audit.Row
	Name string // of the tool, "" when its revision is not here any more
}
