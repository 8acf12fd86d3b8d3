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
	reads int // grows when all is forgotten
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
	scope, known, reads := s.remembered(id)
	if known {
		return scope, nil
	}
	lineage, err := s.store.Lineage(ctx, id)
	if err != nil {
		return nil, err
	}
	// Every node on the way is remembered: who walks down a chat asks for each.
	for _, t := range lineage {
		if scope, err = Within(scope, t); err != nil {
			return nil, err
		}
		s.remember(t.ID, scope, reads)
	}
	return scope, nil
}

// Added is told a task that the store has taken.
func (s *Scopes) Added(ctx context.Context, t *Task) error {
	_, _, reads := s.remembered(t.ID)
	outer, err := s.Below(ctx, t.Parent)
	if err != nil {
		return err
	}
	scope, err := Within(outer, t)
	if err == nil {
		s.remember(t.ID, scope, reads)
	}
	return err
}

// Forget drops all that is remembered: what was erased may not be seen any more.
func (s *Scopes) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.known)
	s.reads++
}

func (s *Scopes) remembered(id canon.TaskID) (scope *Scope, known bool, reads int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	scope, known = s.known[id]
	return scope, known, s.reads
}

// remember keeps what was read, unless something was erased since the reading began.
func (s *Scopes) remember(id canon.TaskID, scope *Scope, reads int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if reads != s.reads {
		return
	}
	if len(s.known) >= mostScopes {
		clear(s.known)
	}
	s.known[id] = scope
}

// near is how many ancestors are read one by one before the whole lineage is: a result is mostly of a call close by.
const near = 8

// ancestor looks for id among a node and its ancestors, the nearest first; nil when it is not there.
func (s *Scopes) ancestor(ctx context.Context, from, id canon.TaskID) (*Task, error) {
	for range near {
		if from.IsZero() {
			return nil, nil
		}
		t, err := s.store.Get(ctx, from)
		if err != nil || from == id {
			return t, err
		}
		from = t.Parent
	}
	if from.IsZero() {
		return nil, nil
	}
	lineage, err := s.store.Lineage(ctx, from)
	if err != nil {
		return nil, err
	}
	for _, t := range lineage {
		if t.ID == id {
			return t, nil
		}
	}
	return nil, nil
}
