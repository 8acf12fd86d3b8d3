package adapter

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// Forecast implements console.Authority.
func (e *Engine) Forecast(definition string) ([]grant.Forecast, error) {
	return e.core.Forecast([]byte(definition))
}

// Access implements console.Authority.
func (e *Engine) Access(ctx context.Context, revision string) (console.Access, error) {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return console.Access{}, err
	}
	wishes, err := e.core.Wishes(ctx, id)
	if err != nil {
		return console.Access{}, err
	}
	a := console.Access{Forecast: grant.Foresee(wishes.Needs)}
	if a.Grants, a.Earlier, err = e.grants(ctx, id, wishes.Name); err != nil {
		return a, err
	}
	if err := e.stored(ctx, id, &a); err != nil {
		a.Damaged = fault.From(err).Message // it can be cleared all the same
	}
	return a, e.secrets(ctx, id, wishes.Needs, &a)
}

// grants are the standing ones of a revision, and how many its tool's other revisions have. Those of tools of chats belong to the chat.
func (e *Engine) grants(ctx context.Context, id canon.ToolID, name string) (own []grant.Grant, earlier []console.Earlier, err error) {
	all, err := e.core.Grants().List(ctx, canon.ToolID{})
	if err != nil {
		return nil, nil, err
	}
	standing := map[canon.ToolID]int{}
	for _, g := range all {
		switch {
		case !g.Active || !g.Node.IsZero():
		case g.Revision == id:
			own = append(own, g)
		default:
			standing[g.Revision]++
		}
	}
	others, err := e.core.Registry().Revisions(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	for _, other := range others {
		if n := standing[other]; n > 0 {
			earlier = append(earlier, console.Earlier{Revision: other.String(), Grants: n})
		}
	}
	return own, earlier, nil
}

func (e *Engine) secrets(ctx context.Context, id canon.ToolID, needs []grant.Need, a *console.Access) error {
	at := map[string]int{}
	for _, n := range needs {
		if _, known := at[n.Scope]; n.Capability == "secret" && !known {
			at[n.Scope] = len(a.Secrets)
			a.Secrets = append(a.Secrets, console.Secret{Name: n.Scope})
		}
	}
	book, err := e.core.Secrets()
	if err != nil {
		a.Unsealed = fault.From(err).Message
		return nil
	}
	a.Lasting = book.Lasting()
	entries, err := book.List(ctx, id)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if i, declared := at[entry.Name]; declared {
			a.Secrets[i] = console.Secret(entry)
		} else {
			a.Secrets = append(a.Secrets, console.Secret(entry))
		}
	}
	return nil
}

func (e *Engine) stored(ctx context.Context, id canon.ToolID, a *console.Access) error {
	entries, err := e.core.Storage().Read(ctx, id)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		text, err := canon.Encode(entry.Value)
		if err != nil {
			return err
		}
		a.Stored = append(a.Stored, console.Stored{Key: entry.Key, Value: string(text), Bytes: entry.Bytes})
		a.Bytes += entry.Bytes
	}
	return nil
}

// Waiting implements console.Authority.
func (e *Engine) Waiting() int { return e.core.Grants().Waiting() }

// Revoke implements console.Authority.
func (e *Engine) Revoke(ctx context.Context, id string) error { return e.core.Grants().Revoke(ctx, id) }

// Plan implements console.Authority.
func (e *Engine) Plan(ctx context.Context, from, to string) (grant.Plan, error) {
	var wishes [2]grant.Revision
	for i, text := range []string{from, to} {
		id, err := canon.ParseToolID(text)
		if err != nil {
			return grant.Plan{}, err
		}
		if wishes[i], err = e.core.Wishes(ctx, id); err != nil {
			return grant.Plan{}, err
		}
	}
	return e.core.Grants().Plan(ctx, wishes[0], wishes[1])
}

// Carry implements console.Authority. A plan is made anew: what a page hands back is not believed.
func (e *Engine) Carry(ctx context.Context, plan, from, to string) error {
	now, err := e.Plan(ctx, from, to)
	if err != nil {
		return err
	}
	if now.ID != plan {
		return fault.New(fault.Conflict, "grants: have changed since the plan was made; look at it again")
	}
	return e.core.Grants().Accept(ctx, now)
}

// Audit implements console.Authority.
func (e *Engine) Audit(ctx context.Context, decision string, most int) ([]console.Audited, error) {
	rows, err := e.core.Audit().Query(ctx, audit.Query{Decision: decision, Limit: most})
	if err != nil {
		return nil, err
	}
	names, list := map[canon.ToolID]string{}, make([]console.Audited, len(rows))
	for i, row := range rows {
		name, known := names[row.Tool]
		if !known {
			if revision, err := e.core.Registry().Revision(ctx, row.Tool); err == nil {
				name = revision.Name()
			}
			names[row.Tool] = name
		}
		list[i] = console.Audited{Row: row, Name: name}
	}
	return list, nil
}

// asked are the asks of a record, as the audit writes them.
func asked(asks []task.AskRecord) (list []audit.Ask) {
	for _, a := range asks {
		list = append(list, audit.Ask{Capability: a.Capability, Decision: string(a.Decision), Reason: a.Reason, Scope: a.Scope, Class: a.Class,
			Sent: a.Sent, BytesOut: a.BytesOut, BytesIn: a.BytesIn, DurationMs: a.DurationMs})
	}
	return list
}
