package grant

import (
	"context"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Revision is what must be known of a revision to carry grants over.
type Revision struct {
	ID    canon.ToolID
	Name  string // of the tool
	Needs []Need
}

// Plan is what would be carried over from one revision to another of the same tool, and what the user should see before.
type Plan struct {
	ID      string       `json:"id"` // names all that follows: who shows a plan and accepts a new one compares it
	Tool    string       `json:"tool"`
	From    canon.ToolID `json:"from"`
	To      canon.ToolID `json:"to"`
	Carry   []Grant      `json:"carry"` // grants of From that To will have
	Leave   []Grant      `json:"leave"` // grants of From that To does not declare
	Added   []Need       `json:"added"`
	Removed []Need       `json:"removed"`
	Changed []NeedChange `json:"changed"` // the same need for another reason

	from, to Revision
}

// NeedChange is a need that its author gives another reason for.
type NeedChange struct {
	Before Need `json:"before"`
	After  Need `json:"after"`
}

// Plan says what would be carried over; it changes nothing. Grants of tools of chats stay where they are. Errors: invalid_request when these are
// not two revisions of one tool.
func (b *Book) Plan(ctx context.Context, from, to Revision) (Plan, error) {
	if from.ID.IsZero() || to.ID.IsZero() || from.ID == to.ID || from.Name != to.Name || from.Name == "" {
		return Plan{}, fault.New(fault.InvalidRequest, "grants: %.80q and %.80q are not two revisions of one tool; choose two of the same name", from.Name, to.Name)
	}
	p := Plan{Tool: from.Name, From: from.ID, To: to.ID, from: from, to: to}
	theirs, err := b.List(ctx, from.ID)
	if err != nil {
		return Plan{}, err
	}
	ours, err := b.List(ctx, to.ID)
	if err != nil {
		return Plan{}, err
	}
	for _, g := range theirs {
		if !g.Active || !g.Node.IsZero() {
			continue
		}
		if _, _, found := declared(to.Needs, g.subject()); !found {
			p.Leave = append(p.Leave, g)
			continue
		}
		there := g.subject()
		there.revision = to.ID
		if !slices.ContainsFunc(ours, func(o Grant) bool {
			return o.subject() == there && (o.Lifetime == Always || o.Lifetime == g.Lifetime) && o.row().covers(g.Credentials)
		}) {
			p.Carry = append(p.Carry, g)
		}
	}
	p.compare(from.Needs, to.Needs)
	text, err := canon.Marshal(p)
	if err != nil {
		return Plan{}, err
	}
	p.ID = canon.SumFile(text).String()
	return p, nil
}

func (g Grant) subject() subject { return subject{g.Revision, g.Node, g.Capability, g.Scope, g.Class} }

func (g Grant) row() row { return row{Active: g.Active, Credentials: g.Credentials} }

// compare finds what changed in the needs.
func (p *Plan) compare(before, after []Need) {
	find := func(list []Need, n Need) int {
		return slices.IndexFunc(list, func(o Need) bool { return o.Capability == n.Capability && o.Scope == n.Scope && o.Class == n.Class })
	}
	for i, n := range after {
		switch at := find(before, n); {
		case find(after, n) < i:
		case at < 0:
			p.Added = append(p.Added, n.shown())
		case before[at].Reason != n.Reason:
			p.Changed = append(p.Changed, NeedChange{before[at].shown(), n.shown()})
		}
	}
	for i, n := range before {
		if find(after, n) < 0 && find(before, n) == i {
			p.Removed = append(p.Removed, n.shown())
		}
	}
}

// Accept carries out a plan that this program made and the user saw: all of it, or nothing where grants have changed since, which is a
// conflict. What the old revision has stays.
func (b *Book) Accept(ctx context.Context, p Plan) error {
	changed := fault.New(fault.Conflict, "grants: have changed since the plan was made; make a new one and look at it")
	now, err := b.Plan(ctx, p.from, p.to)
	if err != nil {
		return err
	}
	if now.ID != p.ID {
		return changed
	}
	var changes []shelf.Change
	var ofSession []subject
	for _, g := range now.Carry {
		if g.Lifetime == Session {
			ofSession = append(ofSession, g.subject())
			continue
		}
		more, err := b.carried(ctx, g, p.To)
		if err != nil {
			return err
		}
		changes = append(changes, more...)
	}
	if len(changes) > 0 {
		if err := b.o.Store.Put(ctx, changes...); fault.CodeOf(err) == fault.Conflict {
			return changed
		} else if err != nil {
			return err
		}
	}
	for _, s := range ofSession {
		if err := b.carrySession(ctx, s, p.To); err != nil {
			return err
		}
	}
	return nil
}

// carried is a lasting grant for another revision, on the condition that both are as they are now.
func (b *Book) carried(ctx context.Context, g Grant, to canon.ToolID) ([]shelf.Change, error) {
	here, there := g.subject(), g.subject()
	there.revision = to
	source, before, err := b.kept(ctx, here)
	if err != nil {
		return nil, err
	}
	if !source.Active || !slices.Equal(source.Credentials, g.Credentials) {
		return nil, fault.New(fault.Conflict, "grant %s: has changed since the plan was made; make a new one", g.ID)
	}
	target, old, err := b.kept(ctx, there)
	if err != nil {
		return nil, err
	}
	fresh, err := canon.Marshal(target.with(b.event(Carried, g.Revision), g.Tool, g.Credentials))
	if err != nil {
		return nil, err
	}
	return []shelf.Change{
		{Key: here.key(room), Value: before, Check: true, Before: before},
		{Key: there.key(room), Value: fresh, Check: true, Before: old},
	}, nil
}

func (b *Book) carrySession(ctx context.Context, here subject, to canon.ToolID) error {
	there := here
	there.revision = to
	kept, _, err := b.kept(ctx, there)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	source, target := b.session[here], b.session[there]
	if !source.Active {
		return nil // revoked this moment
	}
	if !target.holds(kept) {
		target.Active = false
	}
	b.session[there] = held{target.with(b.event(Carried, here.revision), source.Tool, source.Credentials), kept.Revocations}
	return nil
}
