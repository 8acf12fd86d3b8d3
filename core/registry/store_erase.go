package registry

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Erase forgets a revision, in the store and here; see Store.Erase.
func (r *Registry) Erase(ctx context.Context, id canon.ToolID) error {
	r.binding.Lock()
	defer r.binding.Unlock()
	if err := r.o.Store.Erase(ctx, id); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.verified, id)
	return nil
}

// Clear forgets every revision and binding, in the store and here.
func (r *Registry) Clear(ctx context.Context) error {
	r.binding.Lock()
	defer r.binding.Unlock()
	if err := r.o.Store.Clear(ctx); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.verified)
	return nil
}
