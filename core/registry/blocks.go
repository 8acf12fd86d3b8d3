package registry

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// longestReason bounds the text of a block, in bytes.
const longestReason = 1024

// Block refuses a revision from now on: it is not installed, activated, compiled or run, also where a task pins it, and what runs
// of it is ended. It need not be installed, and an import does not take the block back.
func (r *Registry) Block(ctx context.Context, id canon.ToolID, reason string) error {
	if len(reason) > longestReason {
		return fault.New(fault.TooLarge, "block: a reason of %d bytes, at most %d", len(reason), longestReason)
	}
	if err := r.o.Store.Block(ctx, Block{Revision: id, Reason: reason, At: r.o.Now()}); err != nil {
		return err
	}
	if r.o.Stopped != nil {
		r.o.Stopped(id)
	}
	return nil
}

// Unblock takes a block back.
func (r *Registry) Unblock(ctx context.Context, id canon.ToolID) error {
	err := r.o.Store.Unblock(ctx, id)
	if err == nil && r.o.Allowed != nil {
		r.o.Allowed(id)
	}
	return err
}

// Blocks lists all blocks, by revision.
func (r *Registry) Blocks(ctx context.Context) ([]Block, error) { return r.o.Store.Blocks(ctx) }

// Blocked returns the block of a revision, the zero Block where there is none.
func (r *Registry) Blocked(ctx context.Context, id canon.ToolID) (Block, error) {
	return r.o.Store.Blocked(ctx, id)
}

// Permit returns denied when the revision is blocked.
func (r *Registry) Permit(ctx context.Context, id canon.ToolID) error {
	b, err := r.o.Store.Blocked(ctx, id)
	if err != nil || b.Revision.IsZero() {
		return err
	}
	if b.Reason == "" {
		return fault.New(fault.Denied, "revision %s: is blocked here", id)
	}
	return fault.New(fault.Denied, "revision %s: is blocked here: %s", id, b.Reason)
}
