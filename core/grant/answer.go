package grant

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// decide asks the user. Whatever is no clear answer is Deny.
func (b *Book) decide(ctx context.Context, r Request) Answer {
	answers := make(chan Answer, 1)
	// In a goroutine of its own: not even a decider that ends it can stop the prompts that follow.
	go func() {
		said, err := Deny, error(fault.New(fault.Internal, "grant: the decider never returned"))
		defer func() {
			if p := recover(); p != nil {
				said, err = Deny, fault.New(fault.Internal, "grant: the decider panicked: %.200v", p)
			}
			if err != nil {
				said = Deny
				if ctx.Err() == nil {
					b.report(err)
				}
			}
			answers <- said
		}()
		said, err = b.o.Decider.Decide(ctx, r)
	}()
	return <-answers
}

// once allows the asks that were counted, no others.
func (b *Book) once(p *prompt) {
	b.settled(p, func(w *waiter) Decision {
		if !w.counted {
			return anew(w)
		}
		return Decision{Allowed: true, Lifetime: Once}
	})
}

func (b *Book) forSession(p *prompt) {
	s := p.ask.subject()
	kept := row{}
	if s.lasting() {
		var err error
		if kept, _, err = b.kept(p.ctx, s); err != nil {
			b.unkept(p, err)
			return
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if !p.awaited() {
		b.settle(p, anew)
		return
	}
	old := b.session[s]
	if !old.holds(kept) {
		old.Active = false
	}
	b.session[s] = held{old.with(b.event(Granted, canon.ToolID{}), p.ask.Tool, p.ask.Credentials), kept.Revocations}
	b.settle(p, func(*waiter) Decision { return Decision{Allowed: true, Lifetime: Session, Grant: s.key(session)} })
}

func (b *Book) always(p *prompt) {
	s := p.ask.subject()
	var fresh row
	awaited := false
	err := b.change(p.ctx, s, func(old row, _ bool) (row, bool, error) {
		b.mu.Lock()
		defer b.mu.Unlock()
		fresh, awaited = old.with(b.event(Granted, canon.ToolID{}), p.ask.Tool, p.ask.Credentials), p.awaited()
		return fresh, awaited, nil
	})
	switch {
	case err != nil:
		b.unkept(p, err)
		return
	case !awaited:
		b.void(p)
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if fresh.covers(b.session[s].Credentials) {
		delete(b.session, s)
	}
	b.settle(p, func(*waiter) Decision { return Decision{Allowed: true, Lifetime: Always, Grant: s.key(room)} })
}

// unkept is a yes that could not be kept: it holds for those who waited for it.
func (b *Book) unkept(p *prompt, err error) {
	if p.ctx.Err() != nil {
		return
	}
	b.report(fault.Wrap(fault.Unavailable, err, "grant: a yes could not be kept and holds once"))
	b.once(p)
}
