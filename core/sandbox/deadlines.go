package sandbox

import (
	"fmt"
	"time"
)

// stopwatch adds up the time while it is not paused.
type stopwatch struct {
	used   time.Duration
	since  time.Time
	paused bool
}

func (s *stopwatch) pause(now time.Time) {
	if !s.paused {
		s.used, s.paused = s.used+now.Sub(s.since), true
	}
}

func (s *stopwatch) resume(now time.Time) {
	if s.paused || s.since.IsZero() {
		s.since, s.paused = now, false
	}
}

// alarm is the one timer of a place. It is not stopped when a deadline moves away, as with every call that ends in time: it
// looks when it fires, and is set anew only if something is then still to come.
type alarm struct {
	at   time.Time
	stop func() // nil: not set
	turn int    // tells a timer that was stopped too late from the one that is set
}

// covers tells whether the alarm fires no later than by, zero for never.
func (a *alarm) covers(by time.Time) bool {
	return by.IsZero() || a.stop != nil && !by.Before(a.at)
}

// set makes the alarm fire at by.
func (a *alarm) set(c Clock, now, by time.Time, ring func(turn int)) {
	a.end()
	turn := a.turn
	a.at, a.stop = by, c.AfterFunc(by.Sub(now), func() { ring(turn) })
}

func (a *alarm) end() {
	a.turn++
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
}

// arm makes sure that the alarm fires no later than the next deadline.
func (m *Manager) arm(p *place, now time.Time) {
	if by, _ := m.deadline(p); !p.alarm.covers(by) {
		p.alarm.set(m.clock, now, by, func(turn int) { m.ring(p, turn) })
	}
}

func (m *Manager) ring(p *place, turn int) {
	m.mu.Lock()
	defer m.unlock()
	if p.ended || turn != p.alarm.turn {
		return
	}
	p.alarm.stop = nil
	now := m.clock.Now()
	by, clock := m.deadline(p)
	switch {
	case by.IsZero() || now.Before(by):
		m.arm(p, now)
	case clock == answering:
		m.unanswered(p, now)
	case clock == starting && !p.lane.retried:
		p.lane.retried = true
		m.restart(p)
	default:
		if clock == starting {
			m.distrust()
		}
		m.fail(p, m.overdue(p, clock))
	}
}

// clock names what a deadline bounds.
type clock int

const (
	coding clock = iota
	starting
	running
	total
	answering
)

// deadline gives the next deadline of a place, zero for none. For a running call it lies past the supervisor's own.
func (m *Manager) deadline(p *place) (time.Time, clock) {
	switch {
	case !p.starting() && p.call == nil:
		return p.answerBy, answering
	case !p.starting():
		c := p.call
		by := c.sentAt.Add(c.wall + m.limits.Overdue)
		if end := c.running.since.Add(c.timeout - c.running.used + m.limits.Overdue); !c.running.paused && end.Before(by) {
			return end, running
		}
		return by, total
	case !p.coded:
		return p.startBy, coding
	}
	return p.startBy, starting
}

func (m *Manager) overdue(p *place, over clock) Result {
	switch over {
	case coding:
		return Result{Outcome: Unavailable, Message: fmt.Sprintf("%s: its code was not there within %s", p.title(), m.limits.Start)}
	case starting:
		return Result{Outcome: Crashed, Message: fmt.Sprintf("%s: did not start within %s", p.title(), m.limits.Start)}
	case running:
		return p.call.overRunning()
	}
	return p.call.overWall()
}

func (c *call) overRunning() Result {
	return Result{Outcome: Timeout, Message: fmt.Sprintf("%s: did not end within %s of running time", c.lane.subject(), c.timeout)}
}

func (c *call) overWall() Result {
	return Result{Outcome: Timeout, Message: fmt.Sprintf("%s: did not end within %s in total, waits included", c.lane.subject(), c.wall)}
}
