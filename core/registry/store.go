package registry

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Store keeps revisions, bindings, settings and blocks. registrytest is its contract. Every implementation holds law 1 at its own
// door, on the way in and on the way out. Each method is one change: whole or not at all.
type Store interface {
	// PutRevision keeps bytes under their id. Putting the same id again changes nothing. Bytes that hash to another id are corrupt.
	PutRevision(ctx context.Context, id canon.ToolID, name string, bytes []byte) error
	// Revision returns the bytes kept under id, hashed again: else not_found, or corrupt with the id.
	Revision(ctx context.Context, id canon.ToolID) ([]byte, error)
	// Revisions lists the ids installed under a name, oldest first; none is no error.
	Revisions(ctx context.Context, name string) ([]canon.ToolID, error)
	// Installed lists the ids of all revisions, oldest first.
	Installed(ctx context.Context) ([]canon.ToolID, error)

	// Bind appends a binding to the history of its name, if before (zero: none) is still what the name means: else conflict.
	// A binding to the zero revision makes the name mean nothing.
	Bind(ctx context.Context, b Binding, before canon.ToolID) error
	// Bindings returns the history of a name, oldest first; none is no error.
	Bindings(ctx context.Context, name string) ([]Binding, error)
	// Active returns the latest binding of a name, the zero Binding where there is none. It does not read the history.
	Active(ctx context.Context, name string) (Binding, error)
	// Bound returns the latest binding of every name that was ever bound, sorted by name.
	Bound(ctx context.Context) ([]Binding, error)

	// PutSettings keeps settings (bytes that hash to their id, else corrupt), in one change and in that order; the last ones of a
	// revision are its current ones. The zero id, with no bytes, makes the revision have none.
	PutSettings(ctx context.Context, list ...Kept) error
	// Settings returns the bytes kept under id, hashed again: else not_found, or corrupt with the id.
	Settings(ctx context.Context, id canon.SettingsID) ([]byte, error)
	// Current returns the settings that a revision has now, the zero Setting where it has none and never had.
	Current(ctx context.Context, revision canon.ToolID) (Setting, error)
	// SettingsHistory returns all that a revision ever had, oldest first; none is no error.
	SettingsHistory(ctx context.Context, revision canon.ToolID) ([]Setting, error)

	// Block refuses a revision from now on, whether or not it is installed. Blocking it again changes the reason.
	Block(ctx context.Context, b Block) error
	// Unblock takes the refusal back. What is not blocked is no error.
	Unblock(ctx context.Context, id canon.ToolID) error
	// Blocked returns the block of a revision, the zero Block where there is none.
	Blocked(ctx context.Context, id canon.ToolID) (Block, error)
	// Blocks lists all blocks, by revision.
	Blocks(ctx context.Context) ([]Block, error)

	// Erase forgets a revision, its settings, and every binding to it; a block stays. The active revision of a name is conflict, and
	// so is one that a task is pinned to, where the store keeps tasks too; where it does not, callers ask the tasks first. What is
	// not here is no error.
	Erase(ctx context.Context, id canon.ToolID) error
	// Clear forgets everything, blocks too.
	Clear(ctx context.Context) error
}

// Binding says that a name meant this revision from then on; the zero revision: nothing.
type Binding struct {
	Name     string       `json:"name"`
	Revision canon.ToolID `json:"revision"`
	At       time.Time    `json:"at"`
}

// Setting says that a revision had these settings from then on; the zero id: none.
type Setting struct {
	Revision canon.ToolID     `json:"revision"`
	ID       canon.SettingsID `json:"id"`
	At       time.Time        `json:"at"`
}

// Kept is a setting with its bytes.
type Kept struct {
	Setting
	Bytes []byte
}

// Keep puts a setting and its bytes together.
func Keep(s Setting, bytes []byte) Kept { return Kept{s, bytes} }

// Block refuses a revision, also to tasks that are pinned to it.
type Block struct {
	Revision canon.ToolID `json:"revision"`
	Reason   string       `json:"reason"`
	At       time.Time    `json:"at"`
}

// Proven returns nil when bytes hash to id: else corrupt.
func Proven(id canon.ToolID, bytes []byte) error {
	if canon.SumTool(bytes) != id {
		return fault.New(fault.Corrupt, "revision %s: its bytes hash to another id", id)
	}
	return nil
}

// ProvenSettings returns nil when bytes hash to id, or when there are none and id is zero: else corrupt.
func ProvenSettings(id canon.SettingsID, bytes []byte) error {
	if id.IsZero() && len(bytes) == 0 {
		return nil
	}
	if canon.SumSettings(bytes) != id {
		return fault.New(fault.Corrupt, "settings %s: their bytes hash to another id", id)
	}
	return nil
}

// Missing is the error of a revision that is not in the store.
func Missing(id canon.ToolID) error {
	return fault.New(fault.NotFound, "revision %s: not installed here", id)
}

// MissingSettings is the error of settings that are not in the store.
func MissingSettings(id canon.SettingsID) error {
	return fault.New(fault.NotFound, "settings %s: not here; files do not carry settings, so set them here and compile anew", id)
}

// Moved is the error of a binding whose name has meant something else in the meantime.
func Moved(name string) error {
	return fault.New(fault.Conflict, "tool %q: was bound by somebody else in the meantime; look at it and try again", name)
}

// StillActive is the error of erasing what a name means now.
func StillActive(id canon.ToolID, name string) error {
	return fault.New(fault.Conflict, "revision %s: is the active one of %q; activate another one or remove the name first", id, name)
}

// StillPinned is the error of erasing what a task is pinned to.
func StillPinned(id canon.ToolID) error {
	return fault.New(fault.Conflict, "revision %s: a task is pinned to it; erase the task first", id)
}
