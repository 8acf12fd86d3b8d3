package storage

import (
	"context"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Options are what a Store is made of.
type Options struct {
	Store  shelf.Store
	Limits limits.Limits
	// Declares tells whether an installed revision has storage in its needs. Errors: not_found.
	Declares func(ctx context.Context, revision canon.ToolID) (bool, error)
}

// Store is the storage of all tools. It is safe for concurrent use.
type Store struct {
	o    Options
	mu   sync.Mutex
	busy map[canon.ToolID]*turn
}

// turn lets the writers of a revision in this engine wait for each other, where they would else compare and fail.
type turn struct {
	mu      sync.Mutex
	waiting int
}

// New makes one.
func New(o Options) *Store { return &Store{o: o, busy: map[canon.ToolID]*turn{}} }

// tries bounds how often a change is made again that another engine was faster than. Each failure is another's success.
const tries = 100

// again makes a change until it meets what it read.
func (s *Store) again(ctx context.Context, revision canon.ToolID, change func() error) error {
	s.mu.Lock()
	t := s.busy[revision]
	if t == nil {
		t = new(turn)
		s.busy[revision] = t
	}
	t.waiting++
	s.mu.Unlock()
	t.mu.Lock()
	defer func() {
		t.mu.Unlock()
		s.mu.Lock()
		defer s.mu.Unlock()
		if t.waiting--; t.waiting == 0 {
			delete(s.busy, revision)
		}
	}()
	var err error
	for range tries {
		if ctx.Err() != nil {
			return fault.New(fault.Aborted, "storage: %v", ctx.Err())
		}
		if err = change(); fault.CodeOf(err) != fault.Conflict {
			return err
		}
	}
	return err
}

// Usage is how much a revision stores, in all partitions and chats.
type Usage struct {
	Revision canon.ToolID
	Bytes    int // of keys and values
	Keys     int
}

// List gives the revisions that store something, in order of their ids.
func (s *Store) List(ctx context.Context) ([]Usage, error) {
	list, after := []Usage{}, ""
	for {
		rows, err := s.o.Store.List(ctx, shelf.Under(room), after, 1)
		if err != nil || len(rows) == 0 {
			return list, err
		}
		word := shelf.Words(rows[0].Key)[1]
		after = shelf.Key(room, word) + "0" // comes after every key that goes on with a slash, and before the next revision
		revision, err := canon.ParseToolID(word)
		if err != nil {
			continue // nothing of ours
		}
		u, _, err := s.usage(ctx, revision)
		if err != nil {
			return nil, err
		}
		if u.Keys > 0 {
			list = append(list, Usage{revision, u.Bytes, u.Keys})
		}
	}
}

// Entry is one stored value.
type Entry struct {
	Place
	Key   string
	Value any // in tagged form
	Bytes int // as it counts
}

// Read gives all that a revision stores. A value that cannot be read is corrupt.
func (s *Store) Read(ctx context.Context, revision canon.ToolID) ([]Entry, error) {
	rows, err := s.rows(ctx, revision)
	if err != nil {
		return nil, err
	}
	list := make([]Entry, len(rows))
	for i, row := range rows {
		e := &list[i]
		if e.Place, e.Key, err = placeOf(row.Key); err != nil {
			return nil, err
		}
		if e.Value, err = s.value(e.Key, row.Value); err != nil {
			return nil, err
		}
		e.Bytes = weight(e.Key, row.Value)
	}
	return list, nil
}

// Clear forgets all that a revision stores.
func (s *Store) Clear(ctx context.Context, revision canon.ToolID) error {
	return s.o.Store.Clear(ctx, under(revision))
}

// Nodes are the places of tools of chats in which something is stored, one for each revision and node.
func (s *Store) Nodes(ctx context.Context) ([]Place, error) {
	var list []Place
	seen, after := map[Place]bool{}, ""
	for {
		rows, err := s.o.Store.List(ctx, shelf.Under(room), after, 1)
		if err != nil || len(rows) == 0 {
			return list, err
		}
		after = rows[0].Key
		words := shelf.Words(after)
		if len(words) != 5 {
			continue
		}
		after = shelf.Key(words[:4]...) + "0" // behind what the same tool stores in the same place
		at, _, err := placeOf(rows[0].Key)
		if at.Partition = ""; err == nil && !at.Node.IsZero() && !seen[at] {
			seen[at] = true
			list = append(list, at)
		}
	}
}

// Forget takes away what the tool of a chat stores that a node defines, as when the chat is erased.
func (s *Store) Forget(ctx context.Context, revision canon.ToolID, node canon.TaskID) error {
	return s.again(ctx, revision, func() error {
		u, counted, err := s.usage(ctx, revision)
		if err != nil {
			return err
		}
		rows, err := s.rows(ctx, revision)
		if err != nil {
			return err
		}
		var changes []shelf.Change
		for _, row := range rows {
			place, key, err := placeOf(row.Key)
			if err != nil {
				return err
			}
			if !node.IsZero() && place.Node == node {
				u.Keys, u.Bytes = u.Keys-1, u.Bytes-weight(key, row.Value)
				changes = append(changes, shelf.Change{Key: row.Key, Check: true, Before: row.Value})
			}
		}
		if len(changes) == 0 {
			return nil
		}
		count, err := usage{max(u.Bytes, 0), max(u.Keys, 0)}.row(revision, counted)
		if err != nil {
			return err
		}
		return s.o.Store.Put(ctx, append(changes, count)...)
	})
}

// Carry copies what an installed revision stores to another one that declares storage and stores nothing yet; the first one keeps it. What
// tools of chats store stays with their nodes. Nothing else ever makes storage another revision's. Errors: not_found, denied,
// invalid_request (the other one stores something already).
func (s *Store) Carry(ctx context.Context, from, to canon.ToolID) error {
	declared, err := s.o.Declares(ctx, to)
	if err != nil {
		return err
	}
	if !declared {
		return fault.New(fault.Denied, "storage: revision %s does not declare it, so nothing can be carried over to it", to)
	}
	return s.again(ctx, to, func() error {
		held, counted, err := s.usage(ctx, to)
		if err != nil {
			return err
		}
		if held.Keys > 0 {
			return fault.New(fault.InvalidRequest, "storage: revision %s stores something already; clear that first", to)
		}
		rows, err := s.rows(ctx, from)
		if err != nil {
			return err
		}
		var changes []shelf.Change
		for _, row := range rows {
			place, key, err := placeOf(row.Key)
			if err != nil {
				return err
			}
			if !place.Node.IsZero() {
				continue
			}
			place.Revision = to
			held.Keys, held.Bytes = held.Keys+1, held.Bytes+weight(key, row.Value)
			changes = append(changes, shelf.Change{Key: place.key(key), Value: row.Value, Check: true})
		}
		count, err := held.row(to, counted)
		if err != nil {
			return err
		}
		return s.o.Store.Put(ctx, append(changes, count)...)
	})
}
