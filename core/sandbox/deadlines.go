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

func (a *alarm) end() {
	a.turn++
	if a.stop != nil {
		a.stop()
		a.stop = nil
	}
}

// arm makes sure that the alarm fires no later than the next deadline.
func (m *Manager) arm(p *place, now time.Time) {
	by, _ := m.deadline(p)
	if by.IsZero() || p.alarm.stop != nil && !by.Before(p.alarm.at) {
		return
	}
	p.alarm.end()
	turn := p.alarm.turn
	p.alarm.at = by
	p.alarm.stop = m.clock.AfterFunc(by.Sub(now), func() { m.ring(p, turn) })
}

func (m *Manager) ring(p *place, turn int) {
	m.mu.Lock()
	defer m.unlock()
	if p.ended || turn != p.alarm.turn {
		return
	}
	p.alarm.stop = nil
	now := m.clock.Now()
	if by, clock := m.deadline(p); !by.IsZero() && !now.Before(by) {
		m.fail(p, m.overdue(p, clock))
		return
	}
	m.arm(p, now)
}

// clock names what a deadline bounds.
type clock int

const (
	coding clock = iota
	starting
	running
	total
)

// deadline gives the next deadline of a place, zero for none. For a running call it lies past the supervisor's own.
func (m *Manager) deadline(p *place) (time.Time, clock) {
	switch {
	case !p.starting() && p.call == nil:
		return time.Time{}, total
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
