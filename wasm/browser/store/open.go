//go:build js && wasm

package store

import (
	"context"
	"sync"
	"time"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// Name is the database's name in its origin.
const Name = "taskyon"

// steps bring a database from version i to i+1. A step that was released never changes. Rows are
// tasks {seq, id, parent (empty for none), root, depth, tool?, node}, records {digest, record} under [task, n], revisions {seq, id, name,
// definition}, bindings {seq, name, revision (empty for nothing), at}, settings {seq, revision, id (empty for none), values, at}, blocks
// {revision, reason, at} under their revision, shelf bytes under the bytes of their key (Uint8Array both); meta holds what this page should remember about itself.
var steps = [...][]table{{
	{name: tasks, key: "seq", indexes: []index{{"id", true}, {"parent", false}, {"root", false}, {"tool", false}}},
	{name: records},
	{name: revisions, key: "seq", indexes: []index{{"id", true}, {"name", false}}},
	{name: bindings, key: "seq", indexes: []index{{"name", false}, {"revision", false}}},
	{name: meta},
}, {
	{name: settings, key: "seq", indexes: []index{{"id", false}, {"revision", false}}},
	{name: blocks},
}, {
	{name: shelved},
}}

const (
	tasks     = "tasks"
	records   = "records"
	revisions = "revisions"
	bindings  = "bindings"
	settings  = "settings"
	blocks    = "blocks"
	shelved   = "shelf"
	meta      = "meta"
)

type table struct {
	name, key string // a key counts up
	indexes   []index
}

type index struct {
	field  string
	unique bool
}

// patience bounds the wait for other tabs, one of which may be deleting the database and wait itself.
const patience = 10 * time.Second

// Store is an open database. It is safe for concurrent use. Close ends it.
type Store struct {
	db     safejs.Value
	scope  *jsbind.Scope
	ranges safejs.Value // IDBKeyRange
	views  safejs.Value // Uint8Array

	mu     sync.Mutex
	reason error // why the connection is gone
}

// Absent tells an error of Open that means that this page has no IndexedDB at all, as with an opaque origin.
func Absent(err error) bool { return fault.CodeOf(err) == fault.NotFound }

// Open opens the database, makes it or brings it to the newest version. Errors: not_found (this page has no IndexedDB),
// unavailable (another tab holds an older version open, or the database is newer than this program).
func Open(ctx context.Context, name string) (*Store, error) {
	factory, err := safejs.Global().Get("indexedDB")
	if exists, _ := factory.Truthy(); err != nil || !exists {
		return nil, fault.New(fault.NotFound, "store: this page has no IndexedDB")
	}
	s := &Store{scope: new(jsbind.Scope)}
	if s.ranges, err = safejs.Global().Get("IDBKeyRange"); err != nil {
		return nil, fault.Wrap(fault.NotFound, err, "store: this page has no IndexedDB")
	}
	if s.views, err = safejs.Global().Get("Uint8Array"); err != nil {
		return nil, fault.Wrap(fault.NotFound, err, "store: this page has no IndexedDB")
	}
	request, err := factory.Call("open", name, len(steps))
	if err != nil {
		return nil, fault.Wrap(fault.NotFound, err, "store: this page may not use IndexedDB")
	}
	if err := s.await(ctx, request); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Store) await(ctx context.Context, request safejs.Value) error {
	scope := new(jsbind.Scope)
	defer scope.Close()
	ended := make(chan error, 3)
	var upgrade error
	for event, heard := range map[string]func(safejs.Value){
		"upgradeneeded": func(event safejs.Value) { upgrade = s.upgrade(request, event) },
		"success":       func(safejs.Value) { ended <- s.connect(request) },
		"error": func(event safejs.Value) {
			_, _ = event.Call("preventDefault")
			reason, _ := request.Get("error")
			if upgrade == nil {
				upgrade = refused(reason)
			}
			ended <- upgrade
		},
		"blocked": func(safejs.Value) {
			ended <- fault.New(fault.Unavailable, "store: another tab holds an older version open; close the other tabs of this page and reload")
		},
	} {
		if err := scope.Listen(request, event, heard); err != nil {
			return err
		}
	}
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = fault.New(fault.Aborted, "store: open: %v", ctx.Err())
	case <-time.After(patience):
		err = fault.New(fault.Unavailable, "store: does not open; close the other tabs of this page and reload")
	}
	if err != nil {
		s.abandon(request)
	}
	return err
}

// abandon ends an open request for which nobody waits any more: it must not upgrade, which would leave a database of the new
// version without its tables, and a connection that it brings is closed.
func (s *Store) abandon(request safejs.Value) {
	scope := new(jsbind.Scope)
	for event, end := range map[string]func(){
		"success": func() {
			if db, err := request.Get("result"); err == nil {
				_, _ = db.Call("close")
			}
			scope.Close()
		},
		"upgradeneeded": func() {
			if change, err := request.Get("transaction"); err == nil {
				_, _ = change.Call("abort")
			}
		},
		"error": scope.Close,
	} {
		_ = scope.Listen(request, event, func(safejs.Value) { end() })
	}
}

// connect takes the connection and gives it up when another tab wants to upgrade or the browser takes it away.
func (s *Store) connect(request safejs.Value) error {
	db, err := request.Get("result")
	if err != nil {
		return err
	}
	s.db = db
	for event, why := range map[string]string{
		"versionchange": "store: another tab has opened a newer version or deletes the data; reload this page",
		"close":         "store: the browser has closed the database, as when site data is cleared; reload this page",
	} {
		if err := s.scope.Listen(db, event, func(safejs.Value) { s.leave(fault.New(fault.Unavailable, "%s", why)) }); err != nil {
			return err
		}
	}
	s.scope.Defer(func() { _, _ = db.Call("close") })
	return nil
}

func (s *Store) leave(reason error) {
	s.mu.Lock()
	if s.reason == nil {
		s.reason = reason
	}
	s.mu.Unlock()
	_, _ = s.db.Call("close") // running transactions end first
}

func (s *Store) lost() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.reason
}

// Close gives the connection up; what is being written is written first. The store must not be used after it.
func (s *Store) Close() {
	s.mu.Lock()
	s.reason = fault.New(fault.Closed, "store: was closed")
	s.mu.Unlock()
	s.scope.Close()
}

// upgrade runs inside the version change transaction: an error undoes all of it.
func (s *Store) upgrade(request, event safejs.Value) error {
	err := func() error {
		from, err := number(event, "oldVersion")
		if err != nil {
			return err
		}
		db, err := request.Get("result")
		for version := from; version < len(steps) && err == nil; version++ {
			for _, table := range steps[version] {
				if err = table.create(db); err != nil {
					break
				}
			}
		}
		return err
	}()
	if err == nil {
		return nil
	}
	if change, failed := request.Get("transaction"); failed == nil {
		_, _ = change.Call("abort")
	}
	return fault.Wrap(fault.Unavailable, err, "store: upgrade")
}

func (t table) create(db safejs.Value) error {
	options := map[string]any{}
	if t.key != "" {
		options["keyPath"], options["autoIncrement"] = t.key, true
	}
	made, err := db.Call("createObjectStore", t.name, options)
	for _, index := range t.indexes {
		if err == nil {
			_, err = made.Call("createIndex", index.field, index.field, map[string]any{"unique": index.unique})
		}
	}
	return err
}
