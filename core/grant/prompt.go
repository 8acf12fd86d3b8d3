package grant

import (
	"context"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/guard"
)

// prompt is one question, asked for all who wait for the same thing. Everything in it is under the Book's lock.
type prompt struct {
	ask     *Ask // the first
	ctx     context.Context
	end     context.CancelFunc
	waiters []*waiter
	over    bool
}

// waiter is one ask that waits. What settled announces is written before it is closed.
type waiter struct {
	ctx     context.Context
	call    *Call
	prompt  *prompt
	counted bool // among those whose number was shown
	settled chan struct{}

	decision Decision
	again    bool // the answer was for others: ask anew
}

// join makes an ask wait for a prompt, its own or one for the same thing. Without a waiter it is refused.
func (b *Book) join(ctx context.Context, a *Ask) (*waiter, Reason) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.o.Decider == nil || a.Call != nil && a.Call.denied[a.subject()] && (guard.Fixed || guard.On("prompt-queue")) {
		return nil, NotGranted
	}
	// Whoever has said no so often in one call is not asked by it again.
	if a.Call != nil && len(a.Call.denied) >= b.o.Limits.Prompts && (guard.Fixed || guard.On("prompt-queue")) {
		return nil, TooManyPrompts
	}
	p := b.open[a.wish()]
	if p == nil {
		if b.showing != nil && len(b.queue) >= b.o.Limits.Prompts && (guard.Fixed || guard.On("prompt-queue")) {
			return nil, TooManyPrompts
		}
		p = &prompt{ask: a}
		// It serves several asks, so it ends with none of them, but with the last.
		p.ctx, p.end = context.WithCancel(context.WithoutCancel(ctx))
		b.open[a.wish()] = p
		b.queue = append(b.queue, p)
	}
	w := &waiter{ctx: ctx, call: a.Call, prompt: p, settled: make(chan struct{})}
	p.waiters = append(p.waiters, w)
	if b.showing == nil {
		b.next()
	}
	return w, ""
}

// leave takes away an ask that has ended. A prompt that nobody waits for ends.
func (b *Book) leave(w *waiter) {
	if !guard.Fixed && !guard.On("prompt-void") {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	p := w.prompt
	p.waiters = slices.DeleteFunc(p.waiters, func(other *waiter) bool { return other == w })
	if len(p.waiters) == 0 {
		b.settle(p, anew)
	}
}

// next shows the next prompt that somebody waits for, if there is one.
func (b *Book) next() {
	b.showing = nil
	for len(b.queue) > 0 {
		p := b.queue[0]
		if p.awaited() {
			b.queue = b.queue[1:]
			b.showing = p
			go b.show(p)
			return
		}
		b.settle(p, anew)
	}
}

// Waiting is how many questions wait behind the one that the user has before them.
func (b *Book) Waiting() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range b.queue {
		if p.awaited() {
			n++
		}
	}
	return n
}

// awaited tells whether an answer would still be for somebody: an ask that has ended may not have left yet.
func (p *prompt) awaited() bool {
	if !guard.Fixed && !guard.On("prompt-void") {
		return true
	}
	return slices.ContainsFunc(p.waiters, func(w *waiter) bool { return w.ctx.Err() == nil })
}

// settle ends a prompt with a decision for each who waits; the zero Decision lets it ask anew.
func (b *Book) settle(p *prompt, decision func(*waiter) Decision) {
	if p.over {
		return
	}
	p.over = true
	p.end()
	b.queue = slices.DeleteFunc(b.queue, func(other *prompt) bool { return other == p })
	delete(b.open, p.ask.wish())
	for _, w := range p.waiters {
		w.decision = decision(w)
		w.again = w.decision == Decision{}
		if w.decision.Reason == NotGranted && w.call != nil {
			if w.call.denied == nil {
				w.call.denied = map[subject]bool{}
			}
			w.call.denied[p.ask.subject()] = true
		}
		close(w.settled)
	}
	p.waiters = nil
}

// show takes one prompt to its end, and shows the next one.
func (b *Book) show(p *prompt) {
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.settle(p, func(*waiter) Decision { return denied(NotGranted) })
		b.next()
	}()
	// What was granted while it waited needs no question any more.
	if d, err := b.standing(p.ctx, p.ask); err == nil && d.Allowed {
		b.settled(p, func(*waiter) Decision { return d })
		return
	}
	request, awaited := b.count(p)
	if !awaited {
		b.void(p)
		return
	}
	answer := b.decide(p.ctx, request)
	if answer == Always && !p.ask.subject().lasting() {
		answer = Session
	}
	switch answer {
	case Once:
		b.once(p)
	case Session:
		b.forSession(p)
	case Always:
		b.always(p)
	}
}

// count says for how many a prompt is.
func (b *Book) count(p *prompt) (r Request, awaited bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, w := range p.waiters {
		if w.ctx.Err() == nil {
			w.counted = true
			n++
		}
	}
	return p.ask.request(n), p.awaited()
}

func (b *Book) settled(p *prompt, decision func(*waiter) Decision) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.settle(p, decision)
}

// void ends a prompt whose answer is for nobody. Who came meanwhile asks anew.
func (b *Book) void(p *prompt) { b.settled(p, anew) }

func anew(*waiter) Decision { return Decision{} }
