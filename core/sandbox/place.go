package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// place is one sandbox, from the decision to start it to its end. It is the Sink of its link.
type place struct {
	m            *Manager
	lane         *lane // nil: of no revision yet
	link         Link  // nil until opened
	conversation *protocol.Conversation
	cancel       context.CancelFunc // ends what its start waits for
	call         *call              // the running one

	began   time.Time
	startBy time.Time // deadline of the present step of the start
	ready   time.Time // zero: it still starts
	alarm   alarm

	used     time.Time // when a call last began or ended in it
	asked    bool      // since its last call it was asked whether it rests
	askedAt  time.Time
	answerBy time.Time // until when it must have answered; zero: it need not
	heard    time.Time // when it last answered
	pings    int
	patience int // how often a deadline that was noticed late may be set anew

	out     []protocol.Envelope // judged, not yet handed to the link
	sending bool                // somebody hands them over
	coded   bool                // the code was there, the wall was asked
	warmed  bool                // it was warm before it had a revision
	retired bool                // ends after its call
	ended   bool
	closed  bool // the link was closed
}

func (p *place) title() string  { return "sandbox for " + p.lane.subject() }
func (p *place) idle() bool     { return p.conversation.State() == protocol.Idle }
func (p *place) starting() bool { return p.ready.IsZero() }

// free tells whether a call may be given to the place.
func (p *place) free() bool { return p.idle() && p.answerBy.IsZero() }

// start begins a new place, for the first call that waits or ahead of one. It goes on without that call as long as another one
// waits: the code of a revision is the same for all.
func (m *Manager) start(l *lane, ctx context.Context, code func(context.Context) (Code, error), now time.Time) {
	ctx, cancel := context.WithCancel(ctx)
	p := m.take()
	if p == nil {
		p = m.newPlace(cancel)
	} else {
		unwarm := p.cancel
		p.warmed, p.cancel = true, func() { cancel(); unwarm() }
	}
	p.lane, p.began, p.startBy, l.place = l, now, now.Add(m.limits.Start), p
	if !l.disposable {
		m.kept++
		m.trim()
	}
	m.arm(p, now)
	go m.open(ctx, p, code)
}

func (m *Manager) newPlace(cancel context.CancelFunc) *place {
	return &place{m: m, conversation: protocol.NewConversation(), cancel: cancel}
}

// open brings the code into a place, a new one unless it was warm.
func (m *Manager) open(ctx context.Context, p *place, code func(context.Context) (Code, error)) {
	source, err := guarded(m, "code", func() (Code, error) { return code(ctx) })
	start := m.startMessage(source, p.lane.key.Revision)
	var text []byte
	if err == nil {
		text, err = m.codec.Encode(start)
	}
	if !m.coded(p, source.Name, err) {
		return
	}
	var link Link
	if !p.warmed {
		link, err = guarded(m, "wall", func() (Link, error) { return m.wall.Open(ctx, p) })
	}

	m.mu.Lock()
	defer m.unlock()
	if !p.warmed {
		p.link = link
	}
	switch {
	case p.ended:
		m.touch(p)
	case err != nil:
		m.distrust()
		m.fail(p, Result{Outcome: Unavailable, Message: p.title() + ": " + err.Error()})
	default:
		if _, err := p.conversation.Next(protocol.Host, start); err == nil {
			m.send(p, m.envelope(text, nil))
		}
	}
}

// coded takes the code, or its failure, and says whether to go on. From now on the start itself is timed.
func (m *Manager) coded(p *place, name string, err error) bool {
	m.mu.Lock()
	defer m.unlock()
	if p.ended {
		return false
	}
	if err != nil {
		f := fault.From(err)
		m.fail(p, Result{Outcome: Unavailable, Message: p.title() + ": " + f.Message, Line: f.Line, Column: f.Column})
		return false
	}
	p.coded, p.lane.name = true, cmp.Or(p.lane.name, name)
	now := m.clock.Now()
	p.startBy = m.startEnd(p.lane, now)
	m.arm(p, now)
	return true
}

// startEnd is when an attempt to start is given up. An engine may lose one under load, for no fault of the code, of which nothing has
// run: so the first attempt gets half of the time, and a second one, in a place that is opened for it, all of it.
func (m *Manager) startEnd(l *lane, now time.Time) time.Time {
	if l.retried {
		return now.Add(m.limits.Start)
	}
	return now.Add(m.limits.Start / 2)
}

// mostAskText is what the text of an ask takes at most, which may be a blob beside its body.
const mostAskText = 1 << 20

func (m *Manager) startMessage(code Code, revision string) *protocol.Start {
	return &protocol.Start{Name: code.Name, Revision: revision, Language: code.Language, Program: code.Program, Limits: protocol.Budget{
		Nesting: m.limits.Nesting, ResultBytes: m.limits.ResultBytes, InlineTextBytes: m.limits.InlineTextBytes,
		LogLines: m.limits.LogLines, LogBytes: m.limits.LogBytes, MessagesPerWindow: m.limits.MessagesPerWindow,
		BytesPerWindow: m.limits.BytesPerWindow, WindowMs: milliseconds(m.limits.Window), BodyBytes: min(m.limits.BodyBytes, m.limits.BlobBytes-mostAskText),
	}}
}

// fail destroys a place and lets the next call of its lane try anew.
func (m *Manager) fail(p *place, r Result) {
	m.destroy(p, r)
	m.advance(p.lane)
}

// destroy ends a place. The call that runs in it settles with the result given; while it starts, the first that waits for it
// does, unless the result has no outcome. The lane must be advanced afterwards.
func (m *Manager) destroy(p *place, r Result) {
	if p.ended {
		return
	}
	now, starting, victim := m.clock.Now(), p.starting(), p.call
	if starting && len(p.lane.waiting) > 0 && r.Outcome != "" {
		victim = p.lane.next()
		victim.started(p, now)
	}
	if p.call != nil && (r.Outcome == Aborted || r.Outcome == Timeout) {
		m.cancelCall(p)
	}
	p.lane.place = nil
	if r.Outcome != "" {
		p.lane.retried = false
	}
	if !p.lane.disposable {
		m.kept--
	}
	m.end(p)
	if slices.Contains([]Outcome{Timeout, Crashed, Flooded}, r.Outcome) {
		m.brake.note(p.lane.key.Revision, now)
	}
	if victim != nil {
		m.settle(victim, r)
	}
	m.refill(now)
}

// end makes a place deaf; its link is closed after the lock is released.
func (m *Manager) end(p *place) {
	p.ended, p.call = true, nil
	p.conversation.End()
	p.alarm.end()
	m.touch(p)
}

// cancelCall tells the place, as a courtesy, that its end is no accident.
func (m *Manager) cancelCall(p *place) {
	message := &protocol.Cancel{Call: p.conversation.Call()}
	if _, err := p.conversation.Next(protocol.Host, message); err != nil {
		return
	}
	if text, err := m.codec.Encode(message); err == nil {
		m.send(p, m.envelope(text, nil))
	}
}

// finish is a call's regular end.
func (m *Manager) finish(p *place, r Result) {
	c, now := p.call, m.clock.Now()
	p.call, p.used, m.used = nil, now, now
	m.settleAt(c, r, now)
	if p.lane.disposable && !p.retired {
		m.repeat(c, now)
	}
	if p.retired || p.lane.disposable {
		m.destroy(p, Result{})
	}
	m.advance(p.lane)
}

// breach ends a place that broke the protocol.
func (m *Manager) breach(p *place, err error) {
	m.fail(p, Result{Outcome: Crashed, Message: fmt.Sprintf("%s: broke the protocol: %v", p.title(), err)})
}
