package sandbox

import "time"

// Chores are done while nobody waits: sandboxes that were not used for long are ended, those that have just been used are
// asked whether they rest, and warm ones are opened. One timer serves them all; a call that ends sets it only if none is set.

// plan makes sure that the chores are looked at no later than by.
func (m *Manager) plan(by time.Time) {
	if !m.closed && !m.chores.covers(by) {
		m.chores.set(m.clock, m.clock.Now(), by, m.tidy)
	}
}

func (m *Manager) tidy(turn int) {
	m.mu.Lock()
	defer m.unlock()
	if m.closed || turn != m.chores.turn {
		return
	}
	m.chores.stop = nil
	now, next := m.clock.Now(), time.Time{}
	for l := range m.lanes {
		if p := l.place; p != nil && p.resting() {
			next = earliest(next, m.tidyPlace(p, now))
		}
	}
	if end := m.poolEnd(); !end.IsZero() && !now.Before(end) {
		m.distrust()
	}
	m.warm(now)
	next = earliest(next, m.prepare(now))
	m.plan(earliest(next, earliest(m.pool.at, m.poolEnd())))
}

// tidyPlace does what is due, and tells when it is to be looked at again.
func (m *Manager) tidyPlace(p *place, now time.Time) time.Time {
	if end := m.idleEnd(p); !end.IsZero() && !now.Before(end) {
		m.destroy(p, Result{})
		m.forget(p.lane)
		return time.Time{}
	}
	if ask := m.askAt(p); !ask.IsZero() && !now.Before(ask) {
		m.ping(p, now)
	}
	return earliest(m.idleEnd(p), m.askAt(p))
}

// rest plans what is to be done with a place that nobody needs at present.
func (m *Manager) rest(p *place) {
	m.trim()
	if !p.ended {
		m.plan(earliest(m.askAt(p), m.idleEnd(p)))
	}
}

// trim ends the least recently used idle places while more are kept than may be. Busy ones are never ended for it: when all
// are, there are more for the moment.
func (m *Manager) trim() {
	for m.kept > m.limits.Retained {
		var oldest *place
		for l := range m.lanes {
			if p := l.place; p != nil && p.resting() && !l.disposable && (oldest == nil || p.used.Before(oldest.used)) {
				oldest = p
			}
		}
		if oldest == nil {
			return
		}
		l := oldest.lane
		m.destroy(oldest, Result{})
		m.forget(l)
	}
}

// resting tells whether nobody uses or awaits a place.
func (p *place) resting() bool { return p.idle() && len(p.lane.waiting) == 0 }

func (m *Manager) idleEnd(p *place) time.Time { return m.after(p.used) }

func (m *Manager) poolEnd() time.Time {
	if len(m.pool.places) == 0 {
		return time.Time{}
	}
	return m.after(m.used)
}

func (m *Manager) after(used time.Time) time.Time {
	if m.limits.Idle <= 0 {
		return time.Time{}
	}
	return used.Add(m.limits.Idle)
}

// earliest of two times, zero for never.
func earliest(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
