package registry

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Store keeps revisions and bindings. registrytest is its contract.
type Store interface {
	// PutRevision keeps bytes under their id. Putting the same id again changes nothing.
	PutRevision(ctx context.Context, id canon.ToolID, name string, bytes []byte) error
	// Revision returns the bytes kept under id, else not_found. It promises nothing about them: callers hash again.
	Revision(ctx context.Context, id canon.ToolID) ([]byte, error)
	// Revisions lists the ids installed under a name, oldest first; none is no error.
	Revisions(ctx context.Context, name string) ([]canon.ToolID, error)
	// Bind appends a binding to the history of its name.
	Bind(ctx context.Context, b Binding) error
	// Bindings returns the history of a name, oldest first; none is no error.
	Bindings(ctx context.Context, name string) ([]Binding, error)
	// Names lists all names that were ever bound, sorted.
	Names(ctx context.Context) ([]string, error)
}

// Binding says that a name meant this revision from then on.
type Binding struct {
	Name     string       `json:"name"`
	Revision canon.ToolID `json:"revision"`
	At       time.Time    `json:"at"`
}
