package registry

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Native is a function of the host that trusted-native revisions point to. It runs with the host's rights. Its end by ctx is a
// request: what it returns after that is ignored. Arguments and result are in tagged form.
type Native func(ctx context.Context, call NativeCall) (result any, err error)

// Thrown is an error of a native function as its author threw it. Any other error has no name. Value is what was thrown, in tagged
// form, where that was no error of the language.
type Thrown struct {
	Name, Message, Stack string
	Value                any
}

func (t *Thrown) Error() string { return t.Message }

// NativeCall is what a native function is given. Log and Progress may be called until the call has ended, and do nothing later.
type NativeCall struct {
	Args     any
	Task     string
	Tool     string
	Settings any
	Log      func(level, text string)
	Progress func(fraction float64, text string)
	Popup    Popup
}

// Popup asks for a window (JSON: {kind: custom-html, html} or {kind: origin, url, messages?}). Open is called when policy and user allow it. Nothing
// may be shown in the window before Popup has returned, which gives the address that it may be led to; with an error, close it. Errors
// are a Refused.
type Popup func(ctx context.Context, request any, open Open) (url string, err error)

// Open opens an empty window of the host on a gesture of the user, and gives what is closed when the window is. It returns with the context. The end of
// the call is told by the call's own context: close the window then, if that can be done.
type Open func(ctx context.Context, w Window) (closed <-chan struct{}, err error)

// Window is a window that may be opened.
type Window struct {
	Tool     string // the tool's name
	Kind     string // custom-html or origin
	Scope    string // custom-html, or the origin
	URL      string // what it may be led to; empty for custom-html
	Origin   string // of URL
	Messages bool   // the page at URL and the function talk to one another
}

// Refused says why a capability was not used. Code is a reason that code can branch on.
type Refused struct{ Code, Message string }

func (r *Refused) Error() string { return r.Message }

// NativeName is what a trusted-native definition names: a function, in a version.
type NativeName struct{ Name, Version string }

// RegisterNative installs a definition of class trusted-native and gives this very revision its function, for as long as this registry
// lives. Another definition that names the same function does not get it: it could bring a looser schema. A function that is
// registered already in that version is conflict: give the new one another version.
func (r *Registry) RegisterNative(ctx context.Context, text []byte, fn Native, activate bool) (*tool.Revision, error) {
	d, err := tool.Read(text, r.o.Limits)
	if err != nil {
		return nil, err
	}
	if d.Implementation.Class != tool.TrustedNative {
		return nil, fault.At(fault.InvalidDefinition, "$.implementation.class",
			"definition: $.implementation.class: a native function has class trusted-native, not %s", d.Implementation.Class)
	}
	revision, err := tool.Freeze(d)
	if err != nil {
		return nil, err
	}
	if err := r.claim(nativeName(d), revision.ID(), fn); err != nil {
		return nil, err
	}
	if _, err := r.Install(ctx, text, activate); err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.forgetNative(revision.ID())
		return nil, err
	}
	return revision, nil
}

func nativeName(d tool.Definition) NativeName {
	return NativeName{d.Implementation.Native, d.Implementation.Version}
}

func (r *Registry) claim(name NativeName, id canon.ToolID, fn Native) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, taken := r.claimed[name]; taken {
		return fault.New(fault.Conflict, "native %q: version %q is registered already; register the new function as another version", name.Name, name.Version)
	}
	r.claimed[name], r.natives[id] = id, fn
	return nil
}

// forgetNative takes a function back. The lock is held.
func (r *Registry) forgetNative(id canon.ToolID) {
	delete(r.natives, id)
	for name, of := range r.claimed {
		if of == id {
			delete(r.claimed, name)
		}
	}
}

// Native returns the function of a trusted-native revision, else unavailable, with what is here in its place.
func (r *Registry) Native(revision *tool.Revision) (Native, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if fn, here := r.natives[revision.ID()]; here {
		return fn, nil
	}
	wanted := nativeName(revision.Definition())
	if other, taken := r.claimed[wanted]; taken {
		return nil, fault.New(fault.Unavailable, "tool %q: native %q, version %q, is registered here for another definition, revision %s",
			revision.Name(), wanted.Name, wanted.Version, other)
	}
	var versions []string
	for other := range r.claimed {
		if other.Name == wanted.Name {
			versions = append(versions, strconv.Quote(other.Version))
		}
	}
	if len(versions) > 0 {
		slices.Sort(versions)
		return nil, fault.New(fault.Unavailable, "tool %q: native %q is registered here in version %s, not %q",
			revision.Name(), wanted.Name, strings.Join(versions, " and "), wanted.Version)
	}
	return nil, fault.New(fault.Unavailable, "tool %q: native %q, version %q, is not registered here; the application registers its functions after every start",
		revision.Name(), wanted.Name, wanted.Version)
}

// Runnable returns unavailable when this host cannot run a revision, with what it lacks.
func (r *Registry) Runnable(revision *tool.Revision) error {
	switch i := revision.Definition().Implementation; i.Class {
	case tool.TrustedNative:
		_, err := r.Native(revision)
		return err
	case tool.ExternalService:
		return fault.New(fault.Unavailable, "tool %q: service %q is not connected here", revision.Name(), i.Service)
	default:
		if !slices.Contains(r.o.Languages, i.Language) {
			return fault.New(fault.Unavailable, "tool %q: this host does not run %s", revision.Name(), i.Language)
		}
		return nil
	}
}
