package core

import (
	"context"
	"encoding/hex"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/storage"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// empower makes what answers the asks of tools.
func (e *Engine) empower() {
	p := e.ports
	e.grants = grant.New(grant.Options{Store: p.Shelf, Decider: p.Decider, Limits: p.Limits, Now: p.Clock.Now})
	writer := make([]byte, 8)
	if p.Random != nil {
		p.Random(writer)
	}
	e.audit = audit.New(audit.Options{Store: p.Shelf, Limits: p.Limits, Now: p.Clock.Now, Writer: hex.EncodeToString(writer)})
	e.storage = storage.New(storage.Options{Store: p.Shelf, Limits: p.Limits, Declares: func(ctx context.Context, id canon.ToolID) (bool, error) {
		needs, err := e.needs(ctx, id)
		return needs.Storage, err
	}})
	if p.Vault != nil && p.Random != nil {
		kept := p.Shelf
		if !p.Lasting {
			kept = new(shelf.Memory) // what nobody could open later is not kept
		}
		e.secrets = secret.NewBook(secret.Options{Store: kept, Vault: p.Vault, Lasting: p.Lasting, Limits: p.Limits, Now: p.Clock.Now, Random: p.Random,
			Declares: func(ctx context.Context, id canon.ToolID) ([]string, error) {
				needs, err := e.needs(ctx, id)
				return needs.Secrets, err
			}})
	}
	compiler := e.compiler()
	e.powers = power.New(power.Ports{Policy: p.Policy, Sender: p.Sender, Grants: e.grants, Secrets: e.secrets, Storage: e.storage,
		Compiler: &compiler, Depth: e.depth, Limits: p.Limits, Life: e.life})
}

// Grants are what the user has allowed.
func (e *Engine) Grants() *grant.Book { return e.grants }

// Secrets are those of installed revisions. Errors: unavailable, where the host has no vault.
func (e *Engine) Secrets() (*secret.Book, error) {
	if e.secrets == nil {
		return nil, fault.New(fault.Unavailable, "secrets: cannot be sealed here; a page needs https, or to be of this machine")
	}
	return e.secrets, nil
}

// Storage is what tools have stored.
func (e *Engine) Storage() *storage.Store { return e.storage }

// Audit is what tools have asked for.
func (e *Engine) Audit() *audit.Log { return e.audit }

// Wishes are the needs of an installed revision that the user is asked about, as grants know them.
func (e *Engine) Wishes(ctx context.Context, id canon.ToolID) (grant.Revision, error) {
	revision, err := e.registry.Revision(ctx, id)
	if err != nil {
		return grant.Revision{}, err
	}
	wishes, err := e.wishes(revision.Definition().Declared())
	return grant.Revision{ID: id, Name: revision.Name(), Needs: wishes}, err
}

// Forecast is what a definition (JSON text) will ask for and may do without asking, for the user who is about to install it.
func (e *Engine) Forecast(definition []byte) ([]grant.Forecast, error) {
	d, err := tool.Read(definition, e.ports.Limits)
	if err != nil {
		return nil, err
	}
	wishes, err := e.wishes(d.Declared())
	return grant.Foresee(wishes), err
}

// askable refuses a definition that declares what no tool can ever be allowed: it would be denied at each ask, with nobody there who could
// mend it. A definition that cannot be read at all is told so by whoever reads it next.
func (e *Engine) askable(definition []byte) error {
	if e.ports.Policy == nil {
		return nil
	}
	d, err := tool.Read(definition, e.ports.Limits)
	if err != nil {
		return nil
	}
	_, err = e.ports.Policy.Needs(d.Declared().Fetch)
	return err
}

func (e *Engine) wishes(needs tool.Needs) (list []grant.Need, err error) {
	if e.ports.Policy != nil {
		fetch, err := e.ports.Policy.Needs(needs.Fetch)
		if err != nil {
			return nil, err
		}
		windows, err := e.ports.Policy.Windows(needs.Popup)
		if err != nil {
			return nil, err
		}
		list = append(power.FetchNeeds(fetch), power.PopupNeeds(windows)...)
	}
	for _, name := range needs.Secrets {
		list = append(list, grant.Need{Capability: "secret", Scope: name})
	}
	if needs.Storage {
		list = append(list, grant.Need{Capability: "storage", Scope: "own"})
	}
	if needs.Subtasks {
		list = append(list, grant.Need{Capability: "subtasks", Scope: "own"})
	}
	return list, nil
}

func (e *Engine) needs(ctx context.Context, id canon.ToolID) (tool.Needs, error) {
	revision, err := e.registry.Revision(ctx, id)
	if err != nil {
		return tool.Needs{}, err
	}
	return revision.Definition().Declared(), nil
}

// note writes the asks of a call that has ended into the audit. Nobody waits for it but Close and Clear.
func (e *Engine) note(ctx context.Context, r run, asks []task.AskRecord) {
	if len(asks) == 0 || !guard.Fixed && !guard.On("audit-kept") {
		return
	}
	c := audit.Call{Task: r.task.ID, Tool: r.revision.ID(), Partition: r.options.Partition}
	for _, a := range asks {
		c.Asks = append(c.Asks, audit.Ask{Capability: a.Capability, Decision: string(a.Decision), Reason: a.Reason, Scope: a.Scope, Class: a.Class,
			Sent: a.Sent, BytesOut: a.BytesOut, BytesIn: a.BytesIn, DurationMs: a.DurationMs})
	}
	ctx = context.WithoutCancel(ctx)
	e.auditing.run(func() { _ = e.audit.Append(ctx, c) })
}

func (e *Engine) compiler() task.Compiler {
	return task.Compiler{Tools: e.registry, Scopes: e.scopes, Limits: e.ports.Limits}
}

// depth is how many calls stand above one another where a call stands, itself among them.
func (e *Engine) depth(ctx context.Context, t *task.Task) (int, error) {
	lineage, err := e.ports.Tasks.Lineage(ctx, t.ID)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, above := range slices.Backward(lineage) {
		if !above.Executable() {
			break
		}
		n++
	}
	return n, nil
}
