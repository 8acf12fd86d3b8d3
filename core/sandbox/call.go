package sandbox

import (
	"context"
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// call is one execution, from Run's entry to its result.
type call struct {
	request       Request
	ctx           context.Context // of the caller
	args, rest    []byte          // parts of the call message
	timeout, wall time.Duration
	lane          *lane

	entered  time.Time
	sentAt   time.Time // zero: was not sent
	starting time.Duration
	running  stopwatch
	asks     asks
	logs     logs

	// The mailbox: what Run's goroutine has still to tell its caller. The channel holds one token, a hint to look.
	events  []event
	wake    chan struct{}
	settled bool
	result  Result
}

// event is one message for the caller: exactly one of its fields is set.
type event struct {
	log      *protocol.Log
	progress *protocol.Progress
}

// newCall prepares a call, or says why there is none.
func (m *Manager) newCall(ctx context.Context, r Request) (*call, *Result) {
	now := m.clock.Now()
	if ctx.Err() != nil {
		return nil, &Result{Outcome: Aborted, Message: "call: was given up before it was made", StartedAt: now}
	}
	c := &call{request: r, ctx: ctx, timeout: r.Timeout, wall: r.Wall, entered: now, wake: make(chan struct{}, 1),
		logs: logs{lines: m.limits.LogLines, bytes: m.limits.LogBytes, live: r.OnLog != nil}}
	if c.timeout <= 0 {
		c.timeout = m.limits.Call
	}
	if c.wall <= 0 {
		c.wall = m.limits.Wall
	}
	if err := m.encodeCall(c); err != nil {
		return nil, &Result{Outcome: InvalidArguments, Message: err.Error(), StartedAt: now}
	}
	return c, nil
}

// await is what Run's goroutine does until its call has settled: it tells the caller what the call said, in order.
func (m *Manager) await(ctx context.Context, c *call) Result {
	over := false
	defer func() {
		if !over { // a function of the caller panicked: the call ends with its goroutine
			m.abort(c)
		}
	}()
	aborted := ctx.Done()
	for {
		select {
		case <-c.wake:
		case <-aborted:
			aborted = nil
			m.abort(c)
		}
		m.mu.Lock()
		events, settled := c.events, c.settled
		c.events = nil
		m.mu.Unlock()
		for _, e := range events {
			if e.log != nil {
				c.request.OnLog(e.log)
			} else {
				c.request.OnProgress(e.progress)
			}
		}
		if settled {
			over = true
			return c.result
		}
	}
}

// abort ends a call whose caller gave up.
func (m *Manager) abort(c *call) {
	m.mu.Lock()
	defer m.unlock()
	if c.settled {
		return
	}
	l, r := c.lane, Result{Outcome: Aborted, Message: "call of " + c.lane.subject() + ": was given up by its caller"}
	if at := slices.Index(l.waiting, c); at >= 0 {
		if at == 0 && l.place != nil && l.place.starting() {
			c.started(l.place, m.clock.Now())
		}
		l.waiting = slices.Delete(l.waiting, at, at+1)
		m.settle(c, r)
		// Nobody waits for the sandbox any more: it need not be.
		if len(l.waiting) == 0 && l.place != nil && l.place.starting() {
			m.destroy(l.place, r)
		}
	} else {
		m.destroy(l.place, r)
	}
	m.advance(l)
}

// begin notes that the call was sent.
func (c *call) begin(p *place, now time.Time) {
	if p.conversation.Call() == 1 {
		c.started(p, p.ready)
	}
	c.sentAt = now
	c.running.resume(now)
}

// started notes how long the call waited for a place that it was the first in line for.
func (c *call) started(p *place, until time.Time) {
	from := p.began
	if c.entered.After(from) {
		from = c.entered
	}
	c.starting = max(until.Sub(from), 0)
}

// settle ends a call, once.
func (m *Manager) settle(c *call, r Result) {
	if !c.settled {
		m.settleAt(c, r, m.clock.Now())
	}
}

func (m *Manager) settleAt(c *call, r Result, now time.Time) {
	r.StartedAt, r.Queued, r.Starting = c.entered, now.Sub(c.entered)-c.starting, c.starting
	if !c.sentAt.IsZero() {
		r.Started, r.StartedAt = true, c.sentAt
		r.Queued, r.Duration = c.sentAt.Sub(c.entered)-c.starting, now.Sub(c.sentAt)
	}
	r.Logs, r.Dropped = c.logs.kept()
	r.Asks = c.asks.kept()
	if rest := c.logs.rest(); rest != nil {
		c.events = append(c.events, event{log: rest})
	}
	c.settled, c.result = true, r
	m.work.ended = append(m.work.ended, c)
}

// tell puts an event into the mailbox.
func (m *Manager) tell(c *call, e event) {
	c.events = append(c.events, e)
	m.work.told = append(m.work.told, c)
}

// progress keeps one report beyond the last lines: a newer one replaces it.
func (m *Manager) progress(c *call, message *protocol.Progress) {
	if c.request.OnProgress == nil {
		return
	}
	message.Fraction = min(max(message.Fraction, 0), 1)
	if n := len(c.events); n > 0 && c.events[n-1].progress != nil {
		c.events[n-1].progress = message
		return
	}
	m.tell(c, event{progress: message})
}

func (m *Manager) log(c *call, message *protocol.Log) {
	if streamed := c.logs.add(message); streamed != nil {
		m.tell(c, event{log: streamed})
	}
}
