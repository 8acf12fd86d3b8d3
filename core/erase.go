package core

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// EraseChat forgets a task, its descendants and all their records, ends the sandboxes of tools that were defined there, and forgets what
// these have stored and were allowed. Where it fails in the middle, erasing the same chat again does the rest.
func (e *Engine) EraseChat(ctx context.Context, id canon.TaskID) error {
	if err := e.ports.Tasks.Erase(ctx, id); err != nil {
		return err
	}
	e.announce(Notice{Erased: true})
	places, err := e.storage.Nodes(ctx)
	for _, at := range places {
		if err == nil && e.gone(ctx, at.Node) {
			err = e.storage.Forget(ctx, at.Revision, at.Node)
		}
	}
	return err
}

// gone tells whether a node is not in the store any more.
func (e *Engine) gone(ctx context.Context, node canon.TaskID) bool {
	_, err := e.ports.Tasks.Get(ctx, node)
	return fault.CodeOf(err) == fault.NotFound
}

// shelves are the rooms of the shelf whose keys go on with a revision. What they keep for it goes with it.
func shelves() []string { return []string{"grant", "secret", "storage"} }

// EraseTool forgets a revision that is not active and that no task is pinned to, with its settings and all that is kept for it on the
// shelf, and ends its sandboxes. Where it fails in the middle, erasing the same revision again does the rest.
func (e *Engine) EraseTool(ctx context.Context, id canon.ToolID) error {
	pinned, err := e.ports.Tasks.Pins(ctx, id)
	if err != nil {
		return err
	}
	if pinned {
		return registry.StillPinned(id)
	}
	if err := e.registry.Erase(ctx, id); err != nil {
		return err
	}
	e.announce(Notice{Retired: id, Erased: true})
	defer e.grants.Forget(id)
	for _, room := range shelves() { // after its sandboxes: what still runs could put something
		if err := e.ports.Shelf.Clear(ctx, shelf.Under(room, id.String())); err != nil {
			return err
		}
	}
	return nil
}

// EraseUnpinned forgets every revision that is neither active nor pinned by a task, and returns them.
func (e *Engine) EraseUnpinned(ctx context.Context) ([]canon.ToolID, error) {
	ids, err := e.registry.Installed(ctx)
	if err != nil {
		return nil, err
	}
	erased := []canon.ToolID{}
	for _, id := range ids {
		switch err := e.EraseTool(ctx, id); fault.CodeOf(err) {
		case "":
			erased = append(erased, id)
		case fault.Conflict:
		default:
			return erased, err
		}
	}
	return erased, nil
}

// Clear forgets every task, record, revision, binding, setting and block and the whole shelf, and ends every sandbox. Where it fails in
// the middle, clearing again does the rest.
func (e *Engine) Clear(ctx context.Context) error {
	if err := e.ports.Tasks.Clear(ctx); err != nil {
		return err
	}
	if err := e.registry.Clear(ctx); err != nil {
		return err
	}
	e.announce(Notice{Cleared: true})
	e.auditing.wait()                   // for what the calls that ended just now leave there
	return e.ports.Shelf.Clear(ctx, "") // after the sandboxes: what still runs could put something
}
