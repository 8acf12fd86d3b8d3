package sandbox

import (
	"context"
	"fmt"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// asks are the open asks of one call.
type asks struct {
	ctx    context.Context // parent of all; made by the first ask
	cancel context.CancelFunc
	open   map[int]context.CancelFunc
	flows  map[int]*flow // bodies that flow

	records []*askEntry
	entries map[int]*askEntry // of open asks
}

// begin opens the context of one ask.
func (a *asks) begin(ctx context.Context, id int) context.Context {
	if a.ctx == nil {
		a.ctx, a.cancel = context.WithCancel(ctx)
		a.open = map[int]context.CancelFunc{}
	}
	ctx, a.open[id] = context.WithCancel(a.ctx)
	return ctx
}

// close ends the context of one ask, and its record.
func (a *asks) close(id int, decision Decision, reason string) {
	a.entries[id].close(decision, reason)
	delete(a.entries, id)
	if cancel := a.open[id]; cancel != nil {
		cancel()
		delete(a.open, id)
	}
	delete(a.flows, id)
}

// end ends all contexts.
func (a *asks) end() {
	if a.cancel != nil {
		a.cancel()
	}
}

// ask gives an accepted ask to the call's power. The running clock stands still while one is open.
func (m *Manager) ask(p *place, ask Ask) {
	c := p.call
	c.running.pause(m.clock.Now())
	if c.asks.entries == nil {
		c.asks.entries = map[int]*askEntry{}
	}
	ask.entry = m.note(c, ask.Ask)
	switch {
	case ask.Ask.Ask > 2*m.limits.AsksPerCall: // each costs the host a message, also one that is refused
		m.fail(p, Result{Outcome: Flooded, Message: fmt.Sprintf("%s: went on asking after %d asks", p.lane.subject(), ask.Ask.Ask-1)})
	case ask.entry == nil:
		m.refuse(p, ask, fmt.Sprintf("%s: has asked %d times in this call, it may not ask more often", p.lane.subject(), m.limits.AsksPerCall))
	case c.request.Power == nil:
		m.refuse(p, ask, fmt.Sprintf("%s: %s is not available to this call", p.lane.subject(), ask.Capability))
	case p.conversation.OpenAsks() > m.limits.Asks:
		m.refuse(p, ask, fmt.Sprintf("%s: %d asks are open, wait until one has settled", p.lane.subject(), m.limits.Asks))
	default:
		go m.power(c.asks.begin(c.ctx, ask.Ask.Ask), p, c, ask)
	}
}

func (m *Manager) refuse(p *place, ask Ask, why string) {
	a := protocol.Answer{Call: ask.Call, Ask: ask.Ask.Ask, Error: bounded(&protocol.Fault{Code: string(fault.Denied), Message: why})}
	if text, err := m.codec.Encode(&a); err == nil {
		m.answered(p, &a, m.envelope(text, nil))
	}
}

// power runs an ask in a goroutine of its own, to the end of its body.
func (m *Manager) power(ctx context.Context, p *place, c *call, ask Ask) {
	a, err := guarded(m, "power "+string(ask.Capability), func() (Answer, error) { return c.request.Power(ctx, ask), nil })
	if a.Body != nil {
		defer a.Body.Close()
	}
	if ctx.Err() != nil {
		return // the ask or its call has ended, or the caller's context has, which is about to abort the call
	}
	a.Answer.Call, a.Answer.Ask, a.Answer.Body = ask.Call, ask.Ask.Ask, a.Body != nil
	var text []byte
	if err == nil {
		if a.Error != nil {
			a.Value, a.Error, a.Answer.Body = nil, bounded(a.Error), false
		}
		text, err = m.encodeAnswer(a)
	}
	if err != nil {
		code := fault.Internal
		if fault.CodeOf(err) == fault.TooLarge {
			code = fault.TooLarge
		}
		a.Answer = protocol.Answer{Call: ask.Call, Ask: ask.Ask.Ask, Error: bounded(&protocol.Fault{Code: string(code), Message: err.Error()})}
		a.Blobs = nil
		text, _ = m.codec.Encode(&a.Answer)
	}
	if m.deliver(p, c, &a.Answer, m.envelope(text, a.Blobs)) && a.Answer.Body {
		m.pour(ctx, p, c, a.Answer.Ask, a.Body)
	}
}

// deliver sends an answer if its call still runs, and tells whether it was.
func (m *Manager) deliver(p *place, c *call, a *protocol.Answer, e protocol.Envelope) bool {
	m.mu.Lock()
	defer m.unlock()
	return p.call == c && m.answered(p, a, e)
}

// answered sends an answer, if its ask still waits for one. With a body the ask stays open.
func (m *Manager) answered(p *place, a *protocol.Answer, e protocol.Envelope) bool {
	if a.Body {
		p.call.asks.flow(a.Ask)
	} else {
		p.call.asks.close(a.Ask, decisionOf(a), reasonOf(a))
	}
	if turn, err := p.conversation.Next(protocol.Host, a); err != nil || turn != protocol.Accepted {
		return false
	}
	m.send(p, e)
	m.resume(p)
	return true
}

func decisionOf(a *protocol.Answer) Decision {
	switch {
	case a.Error == nil:
		return AskAllowed
	case a.Error.Code == string(fault.Denied):
		return AskDenied
	}
	return AskFailed
}

func reasonOf(a *protocol.Answer) string {
	if a.Error == nil {
		return ""
	}
	return a.Error.Code
}

// withdraw ends an ask that the tool no longer waits for.
func (m *Manager) withdraw(p *place, id int) {
	p.call.asks.close(id, AskWithdrawn, "")
	m.resume(p)
}

// resume lets the running clock go on when no ask is open any more.
func (m *Manager) resume(p *place) {
	if p.conversation.OpenAsks() == 0 {
		now := m.clock.Now()
		p.call.running.resume(now)
		m.arm(p, now)
	}
}

// bounded cuts a fault to what its row admits.
func bounded(f *protocol.Fault) *protocol.Fault {
	return &protocol.Fault{Code: cut(f.Code, 64), Message: cut(f.Message, 4096)}
}

func cut(text string, most int) string {
	if len(text) > most {
		text = text[:most]
	}
	return strings.ToValidUTF8(text, "")
}
