package sandbox

import (
	"context"
	"slices"
	"time"
)

// pool holds the warm places. A warm place is open and was never spoken to: no code ran in it and it knows no revision, so the
// first call of any revision may have it, once.
//
// Its first place is opened when a first start has succeeded. An engine that runs nothing has none, and a page in which no
// sandbox starts opens one for a call that asks for it and no more. Its cost is kept off the calls: a place is opened a moment
// after one was taken, and only while nothing starts. It ends with the last idle sandbox.
type pool struct {
	places  []*place  // oldest first
	opening *place    // nil: none
	works   bool      // a start has succeeded since the last that failed
	at      time.Time // when to open the next; zero: it is not wanted
	brake   brake     // of ends while warm
}

// take gives a warm place away, nil for none.
func (m *Manager) take() *place {
	if len(m.pool.places) == 0 {
		return nil
	}
	p := m.pool.places[0]
	m.pool.places = slices.Delete(m.pool.places, 0, 1)
	return p
}

// lacking tells whether a warm place is to be opened.
func (m *Manager) lacking() bool {
	return m.pool.works && !m.closed && m.pool.opening == nil && len(m.pool.places) < m.limits.Warm
}

// refill plans to open a warm place, if one is lacking.
func (m *Manager) refill(now time.Time) {
	if m.lacking() && m.pool.at.IsZero() {
		m.pool.at = now.Add(m.limits.Rest)
		m.plan(m.pool.at)
	}
}

// warm opens a warm place when its time has come. While something starts it is not: the end of that start plans it again.
func (m *Manager) warm(now time.Time) {
	if m.pool.at.IsZero() || now.Before(m.pool.at) {
		return
	}
	m.pool.at = time.Time{}
	if !m.lacking() || m.startsAny() {
		return
	}
	if wait := m.pool.brake.wait("", now); wait > 0 {
		m.pool.at = now.Add(wait)
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	m.pool.opening = m.newPlace(cancel)
	go m.openWarm(ctx, m.pool.opening)
}

func (m *Manager) startsAny() bool {
	for l := range m.lanes {
		if l.place != nil && l.place.starting() {
			return true
		}
	}
	return false
}

func (m *Manager) openWarm(ctx context.Context, p *place) {
	link, err := guarded(m, "wall", func() (Link, error) { return m.wall.Open(ctx, p) })
	m.mu.Lock()
	defer m.unlock()
	p.link = link
	switch {
	case p.ended:
		m.touch(p)
	case err != nil:
		m.spoil(p)
	default:
		m.pool.opening = nil
		m.pool.places = append(m.pool.places, p)
		m.refill(m.clock.Now())
	}
}

// spoil ends a warm place that died or spoke, and plans another one, within bounds.
func (m *Manager) spoil(p *place) {
	now := m.clock.Now()
	m.pool.brake.note("", now)
	if m.pool.opening == p {
		m.pool.opening = nil
	}
	m.pool.places = slices.DeleteFunc(m.pool.places, func(other *place) bool { return other == p })
	m.end(p)
	m.refill(now)
}

// doubt follows from a place that is gone: others may have gone with it, since an engine may keep many in one process. The warm ones
// are replaced, what starts in one that was warm starts anew, and a retained one must answer before it is given a call.
func (m *Manager) doubt() {
	m.lostAt = m.clock.Now()
	m.drain()
	for l := range m.lanes {
		if p := l.place; p != nil && p.warmed && p.starting() {
			m.restart(p)
		}
	}
	m.refill(m.lostAt)
}

// restart makes a start again that was made in a warm place, in one that is opened for it. That the other may have died while it was
// warm is no fault of its revision, of which nothing ran in it.
func (m *Manager) restart(p *place) {
	m.drain()
	m.destroy(p, Result{})
	m.advance(p.lane)
}

// drain ends every warm place, and every one that was started ahead.
func (m *Manager) drain() {
	m.recipes = nil
	for len(m.ahead) > 0 {
		m.unprepare(m.ahead[0])
	}
	if m.pool.opening != nil {
		m.end(m.pool.opening)
	}
	for _, p := range m.pool.places {
		m.end(p)
	}
	m.pool.opening, m.pool.places = nil, nil
}

// distrust ends every warm place, and there is none again until a start has succeeded.
func (m *Manager) distrust() {
	m.pool.works, m.pool.at = false, time.Time{}
	m.drain()
}
