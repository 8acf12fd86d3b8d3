package registry

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Store keeps revisions and bindings. registrytest is its contract. Every implementation holds law 1 at its own door, on the way
// in and on the way out. Each method is one change: whole or not at all.
type Store interface {
	// PutRevision keeps bytes under their id. Putting the same id again changes nothing. Bytes that hash to another id are corrupt.
	PutRevision(ctx context.Context, id canon.ToolID, name string, bytes []byte) error
	// Revision returns the bytes kept under id, hashed again: else not_found, or corrupt with the id.
	Revision(ctx context.Context, id canon.ToolID) ([]byte, error)
	// Revisions lists the ids installed under a name, oldest first; none is no error.
	Revisions(ctx context.Context, name string) ([]canon.ToolID, error)
	// Bind appends a binding to the history of its name.
	Bind(ctx context.Context, b Binding) error
	// Bindings returns the history of a name, oldest first; none is no error.
	Bindings(ctx context.Context, name string) ([]Binding, error)
	// Names lists all names that were ever bound, sorted.
	Names(ctx context.Context) ([]string, error)
	// Erase forgets a revision and every binding to it. The active revision of a name is conflict, and so is one that a task is
	// pinned to, where the store keeps tasks too; where it does not, callers ask the tasks first. What is not here is no error.
	Erase(ctx context.Context, id canon.ToolID) error
	// Clear forgets everything.
	Clear(ctx context.Context) error
}

// Proven returns nil when bytes hash to id: else corrupt.
func Proven(id canon.ToolID, bytes []byte) error {
	if canon.SumTool(bytes) != id {
		return fault.New(fault.Corrupt, "revision %s: its bytes hash to another id", id)
	}
	return nil
}

// Missing is the error of a revision that is not in the store.
func Missing(id canon.ToolID) error {
	return fault.New(fault.NotFound, "revision %s: not installed here", id)
}

// StillActive is the error of erasing what a name means now.
func StillActive(id canon.ToolID, name string) error {
	return fault.New(fault.Conflict, "revision %s: is the active one of %q; activate another one first", id, name)
}

// StillPinned is the error of erasing what a task is pinned to.
func StillPinned(id canon.ToolID) error {
	return fault.New(fault.Conflict, "revision %s: a task is pinned to it; erase the task first", id)
}

// Binding says that a name meant this revision from then on.
type Binding struct {
	Name     string       `json:"name"`
	Revision canon.ToolID `json:"revision"`
	At       time.Time    `json:"at"`
}
