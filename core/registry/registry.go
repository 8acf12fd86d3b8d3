package registry

import (
	"context"
	"slices"
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
	// Languages are those of sandboxed code that this host runs.
	Languages []tool.Language
	// Retired is told a revision that has stopped being the active one of its name. It may be nil.
	Retired func(canon.ToolID)
	// Stopped is told a revision that may not run any more. It may be nil.
	Stopped func(canon.ToolID)
	// Allowed is told a revision that may run again. It may be nil.
	Allowed func(canon.ToolID)
}

// Registry is the tool manager. It is safe for concurrent use.
type Registry struct {
	o        Options
	binding  sync.Mutex // one change of bindings at a time
	mu       sync.Mutex // guards all below
	verified map[canon.ToolID]*tool.Revision
	programs map[canon.ToolID]string // what the Syntax port made of accepted code, of lexical tools too
	settings map[canon.SettingsID]*tool.Settings
	reads    int // grows whenever something was erased: what was read before may not be remembered
	natives  map[canon.ToolID]Native
	claimed  map[NativeName]canon.ToolID
}

// New makes a registry over its ports.
func New(o Options) *Registry {
	return &Registry{o: o, verified: map[canon.ToolID]*tool.Revision{}, programs: map[canon.ToolID]string{},
		settings: map[canon.SettingsID]*tool.Settings{}, natives: map[canon.ToolID]Native{}, claimed: map[NativeName]canon.ToolID{}}
}

// Install freezes a definition (JSON text, full or short form) and stores it; activate also binds its name to it. The code of
// a JavaScript tool must be accepted by the Syntax port, and the revision must not be blocked. Nothing is stored on error.
func (r *Registry) Install(ctx context.Context, text []byte, activate bool) (*tool.Revision, error) {
	d, err := tool.Read(text, r.o.Limits)
	if err != nil {
		return nil, err
	}
	revision, err := tool.Freeze(d)
	if err != nil {
		return nil, err
	}
	if err := r.Permit(ctx, revision.ID()); err != nil {
		return nil, err
	}
	if err := r.Accept(ctx, revision); err != nil {
		return nil, err
	}
	if err := r.o.Store.PutRevision(ctx, revision.ID(), d.Name, []byte(revision.Bytes())); err != nil {
		return nil, err
	}
	r.mu.Lock()
	remember(r.verified, revision.ID(), revision)
	r.mu.Unlock()
	if activate {
		return revision, r.bind(ctx, revision.Name(), revision.ID())
	}
	return revision, nil
}

// Accept checks the code of a revision with the Syntax port, installed or not: else invalid_code.
func (r *Registry) Accept(ctx context.Context, revision *tool.Revision) error {
	_, err := r.Program(ctx, revision)
	return err
}

// Program returns what the Syntax port made of a JavaScript revision, and nothing for others; it is derived anew after a restart.
func (r *Registry) Program(ctx context.Context, revision *tool.Revision) (string, error) {
	i := revision.Definition().Implementation
	if i.Class != tool.SandboxedCode || i.Language != tool.JavaScript {
		return "", nil
	}
	r.mu.Lock()
	program, known := r.programs[revision.ID()]
	r.mu.Unlock()
	if known {
		return program, nil
	}
	verdict, err := r.o.Syntax.Check(ctx, i.Code)
	if err != nil {
		return "", fault.Wrap(fault.Unavailable, err, "tool %q", revision.Name())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	remember(r.programs, revision.ID(), verdict.Program)
	return verdict.Program, nil
}

// Revision returns an installed revision, hashed again when it comes from the store; else not_found or corrupt.
func (r *Registry) Revision(ctx context.Context, id canon.ToolID) (*tool.Revision, error) {
	r.mu.Lock()
	revision, reads := r.verified[id], r.reads
	r.mu.Unlock()
	if revision != nil {
		return revision, nil
	}
	text, err := r.o.Store.Revision(ctx, id)
	if err != nil {
		return nil, err
	}
	if revision, err = tool.Thaw(id, text, r.o.Limits); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if reads == r.reads {
		remember(r.verified, id, revision)
	}
	return revision, nil
}

// mostRemembered bounds the memory of verified revisions and of their programs; past it they are read and derived again.
const mostRemembered = 512

func remember[ID comparable, T any](all map[ID]T, id ID, one T) {
	if len(all) >= mostRemembered {
		for any := range all { // one makes room for one
			delete(all, any)
			break
		}
	}
	all[id] = one
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
	list, err := r.List(ctx)
	if err != nil {
		return err
	}
	names := make([]string, len(list))
	for i, b := range list {
		names[i] = b.Name
	}
	if near := canon.Nearest(name, names); near != "" {
		return fault.New(fault.NotFound, "tool %.80q: no such name is active; did you mean %q?", name, near)
	}
	return fault.New(fault.NotFound, "tool %.80q: no such name is active; install it and activate it first", name)
}

// Active returns the id of the revision that a name means now, the zero id where it means none.
func (r *Registry) Active(ctx context.Context, name string) (canon.ToolID, error) {
	return r.active(ctx, name)
}

func (r *Registry) active(ctx context.Context, name string) (canon.ToolID, error) {
	b, err := r.o.Store.Active(ctx, name)
	return b.Revision, err
}

// List returns the active binding of every name that means something, sorted by name.
func (r *Registry) List(ctx context.Context) ([]Binding, error) {
	list, err := r.o.Store.Bound(ctx)
	return slices.DeleteFunc(list, func(b Binding) bool { return b.Revision.IsZero() }), err
}

// History returns every binding that a name ever had, oldest first; the last one is active.
func (r *Registry) History(ctx context.Context, name string) ([]Binding, error) {
	return r.o.Store.Bindings(ctx, name)
}

// Revisions returns the ids installed under a name, active or not, oldest first.
func (r *Registry) Revisions(ctx context.Context, name string) ([]canon.ToolID, error) {
	return r.o.Store.Revisions(ctx, name)
}

// Installed returns the ids of all installed revisions, oldest first.
func (r *Registry) Installed(ctx context.Context) ([]canon.ToolID, error) {
	return r.o.Store.Installed(ctx)
}

// Activate binds the name of an installed revision to it: denied when the revision is blocked.
func (r *Registry) Activate(ctx context.Context, id canon.ToolID) (*tool.Revision, error) {
	revision, err := r.Revision(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := r.Permit(ctx, id); err != nil {
		return nil, err
	}
	return revision, r.bind(ctx, revision.Name(), id)
}

// Remove makes a name mean nothing. Its revisions stay, and so does what is pinned to them; Activate brings one back.
func (r *Registry) Remove(ctx context.Context, name string) error {
	id, err := r.active(ctx, name)
	if err == nil && id.IsZero() {
		return r.unknown(ctx, name)
	}
	if err != nil {
		return err
	}
	return r.bind(ctx, name, canon.ToolID{})
}

// mostBindTries bounds how often a binding is tried again after somebody else, as in another tab, was faster.
const mostBindTries = 8

func (r *Registry) bind(ctx context.Context, name string, id canon.ToolID) error {
	r.binding.Lock()
	defer r.binding.Unlock()
	var before canon.ToolID
	err := Moved(name)
	for try := 0; try < mostBindTries && fault.CodeOf(err) == fault.Conflict; try++ {
		if before, err = r.active(ctx, name); err != nil || before == id {
			return err
		}
		err = r.o.Store.Bind(ctx, Binding{Name: name, Revision: id, At: r.o.Now()}, before)
	}
	if err == nil && !before.IsZero() && r.o.Retired != nil {
		r.o.Retired(before)
	}
	return err
}
