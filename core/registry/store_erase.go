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
	r.reads++
	delete(r.verified, id)
	delete(r.programs, id)
	clear(r.settings)
	r.forgetNative(id)
	return nil
}

// Clear forgets every revision and binding, in the store and here.
func (r *Registry) Clear(ctx context.Context) error {
	r.binding.Lock()
	defer r.binding.Unlock()
	if err := r.o.Store.Clear(ctx); err != nil {
		return err
	}
	r.Forget()
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.natives)
	clear(r.claimed)
	return nil
}

// Forget drops what is remembered of the store: it may have been erased by somebody else.
func (r *Registry) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	clear(r.verified)
	clear(r.programs)
	clear(r.settings)
}
