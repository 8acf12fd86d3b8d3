package task

import (
	"context"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// Scopes knows the scope of every node of a store, and remembers many: a chat grows by one node at a time, and reading its whole
// lineage for each would make a long chat slow. It is safe for concurrent use.
type Scopes struct {
	store Store
	mu    sync.Mutex
	known map[canon.TaskID]*Scope
}

// NewScopes makes one over a store.
func NewScopes(s Store) *Scopes { return &Scopes{store: s, known: map[canon.TaskID]*Scope{}} }

// mostScopes bounds what is remembered; past it lineages are read again.
const mostScopes = 1 << 14

// Below returns the scope of the children of a node. The zero id has the empty scope. Errors: not_found, corrupt.
func (s *Scopes) Below(ctx context.Context, id canon.TaskID) (*Scope, error) {
	if id.IsZero() {
		return nil, nil
	}
	if scope, known := s.remembered(id); known {
		return scope, nil
	}
	lineage, err := s.store.Lineage(ctx, id)
	if err != nil {
		return nil, err
	}
	var scope *Scope
	for _, t := range lineage {
		if scope, err = Within(scope, t); err != nil {
			return nil, err
		}
	}
	s.remember(id, scope)
	return scope, nil
}

// Added is told a task that the store has taken.
func (s *Scopes) Added(ctx context.Context, t *Task) error {
	outer, err := s.Below(ctx, t.Parent)
	if err != nil {
		return err
	}
	scope, err := Within(outer, t)
	if err == nil {
		s.remember(t.ID, scope)
	}
	return err
}

// Forget drops all that is remembered: what was erased may not be seen any more.
func (s *Scopes) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.known)
}

func (s *Scopes) remembered(id canon.TaskID) (*Scope, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, known := s.known[id]
	return scope, known
}

func (s *Scopes) remember(id canon.TaskID, scope *Scope) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.known) >= mostScopes {
		clear(s.known)
	}
	s.known[id] = scope
}

// ancestor looks for id among a node and its ancestors, the nearest first; nil when it is not there.
func (s *Scopes) ancestor(ctx context.Context, from, id canon.TaskID) (*Task, error) {
	for !from.IsZero() {
		t, err := s.store.Get(ctx, from)
		if err != nil || from == id {
			return t, err
		}
		from = t.Parent
	}
	return nil, nil
}
