package registry

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Options are the registry's ports.
type Options struct {
	Store  Store
	Syntax tool.Syntax
	Limits limits.Limits
	Now    func() time.Time
	// Retired is told a revision that has stopped being the active one of its name. It may be nil.
	Retired func(canon.ToolID)
}

// Registry is the tool manager. It is safe for concurrent use.
type Registry struct {
	o        Options
	binding  sync.Mutex // one change of bindings at a time
	mu       sync.Mutex // guards read
	verified map[canon.ToolID]*entry
}

// entry is a revision that was hashed and checked when it was read, and what is derived from it.
type entry struct {
	revision *tool.Revision
	program  string
}

// New makes a registry over its ports.
func New(o Options) *Registry {
	return &Registry{o: o, verified: map[canon.ToolID]*entry{}}
}

// Install freezes a definition (JSON text, full or short form) and stores it; activate also binds its name to it. The code of
// a JavaScript tool must be accepted by the Syntax port. Nothing is stored on error.
func (r *Registry) Install(ctx context.Context, text []byte, activate bool) (*tool.Revision, error) {
	d, err := tool.Read(text, r.o.Limits)
	if err != nil {
		return nil, err
	}
	program, err := r.compile(ctx, d)
	if err != nil {
		return nil, err
	}
	revision, err := tool.Freeze(d)
	if err != nil {
		return nil, err
	}
	if err := r.o.Store.PutRevision(ctx, revision.ID(), d.Name, []byte(revision.Bytes())); err != nil {
		return nil, err
	}
	r.remember(&entry{revision, program})
	if activate {
		return revision, r.bind(ctx, revision)
	}
	return revision, nil
}

func (r *Registry) compile(ctx context.Context, d tool.Definition) (program string, err error) {
	if d.Implementation.Class != tool.SandboxedCode || d.Implementation.Language != tool.JavaScript {
		return "", nil
	}
	verdict, err := r.o.Syntax.Check(ctx, d.Implementation.Code)
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "tool %q", d.Name)
	}
	return verdict.Program, nil
}

// Revision returns an installed revision, hashed again when it comes from the store; else not_found or corrupt.
func (r *Registry) Revision(ctx context.Context, id canon.ToolID) (*tool.Revision, error) {
	e, err := r.entry(ctx, id)
	if err != nil {
		return nil, err
	}
	return e.revision, nil
}

// Program returns what the Syntax port made of a JavaScript revision; it is derived anew after a restart.
func (r *Registry) Program(ctx context.Context, id canon.ToolID) (string, error) {
	e, err := r.entry(ctx, id)
	if err != nil || e.program != "" {
		return e.text(), err
	}
	program, err := r.compile(ctx, e.revision.Definition())
	if err != nil {
		return "", err
	}
	r.remember(&entry{e.revision, program})
	return program, nil
}

func (e *entry) text() string {
	if e == nil {
		return ""
	}
	return e.program
}

func (r *Registry) entry(ctx context.Context, id canon.ToolID) (*entry, error) {
	r.mu.Lock()
	e := r.verified[id]
	r.mu.Unlock()
	if e != nil {
		return e, nil
	}
	text, err := r.o.Store.Revision(ctx, id)
	if err != nil {
		return nil, err
	}
	revision, err := tool.Thaw(id, text, r.o.Limits)
	if err != nil {
		return nil, err
	}
	return r.remember(&entry{revision: revision}), nil
}

// mostVerified bounds the memory of verified revisions; past it the store is read and hashed again.
const mostVerified = 512

func (r *Registry) remember(e *entry) *entry {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.verified) >= mostVerified {
		clear(r.verified)
	}
	r.verified[e.revision.ID()] = e
	return e
}

// Lookup returns the revision that a name means now, or the one with that id (`tool:b3:…`); else not_found.
func (r *Registry) Lookup(ctx context.Context, nameOrID string) (*tool.Revision, error) {
	if strings.Contains(nameOrID, ":") {
		id, err := canon.ParseToolID(nameOrID)
		if err != nil {
			return nil, err
		}
		return r.Revision(ctx, id)
	}
	id, err := r.active(ctx, nameOrID)
	if err != nil {
		return nil, err
	}
	if id.IsZero() {
		return nil, r.unknown(ctx, nameOrID)
	}
	revision, err := r.Revision(ctx, id)
	if err == nil && revision.Name() != nameOrID {
		return nil, fault.New(fault.Corrupt, "tool %q: its stored binding names revision %s, which is %q", nameOrID, id, revision.Name())
	}
	return revision, err
}

func (r *Registry) unknown(ctx context.Context, name string) error {
	names, err := r.o.Store.Names(ctx)
	if err != nil {
		return err
	}
	if near := canon.Nearest(name, names); near != "" {
		return fault.New(fault.NotFound, "tool %.80q: no such name is active; did you mean %q?", name, near)
	}
	return fault.New(fault.NotFound, "tool %.80q: no such name is active; install it and activate it first", name)
}

func (r *Registry) active(ctx context.Context, name string) (canon.ToolID, error) {
	history, err := r.o.Store.Bindings(ctx, name)
	if err != nil || len(history) == 0 {
		return canon.ToolID{}, err
	}
	return history[len(history)-1].Revision, nil
}

// List returns the active binding of every name, sorted by name.
func (r *Registry) List(ctx context.Context) ([]Binding, error) {
	names, err := r.o.Store.Names(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Binding, 0, len(names))
	for _, name := range names {
		history, err := r.o.Store.Bindings(ctx, name)
		if err != nil {
			return nil, err
		}
		list = append(list, history[len(history)-1])
	}
	return list, nil
}

// History returns every binding that a name ever had, oldest first; the last one is active.
func (r *Registry) History(ctx context.Context, name string) ([]Binding, error) {
	return r.o.Store.Bindings(ctx, name)
}

// Revisions returns the ids installed under a name, active or not, oldest first.
func (r *Registry) Revisions(ctx context.Context, name string) ([]canon.ToolID, error) {
	return r.o.Store.Revisions(ctx, name)
}

// Activate binds the name of an installed revision to it.
func (r *Registry) Activate(ctx context.Context, id canon.ToolID) (*tool.Revision, error) {
	revision, err := r.Revision(ctx, id)
	if err != nil {
		return nil, err
	}
	return revision, r.bind(ctx, revision)
}

func (r *Registry) bind(ctx context.Context, revision *tool.Revision) error {
	r.binding.Lock()
	defer r.binding.Unlock()
	before, err := r.active(ctx, revision.Name())
	if err != nil || before == revision.ID() {
		return err
	}
	err = r.o.Store.Bind(ctx, Binding{Name: revision.Name(), Revision: revision.ID(), At: r.o.Now()})
	if err == nil && !before.IsZero() && r.o.Retired != nil {
		r.o.Retired(before)
	}
	return err
}
