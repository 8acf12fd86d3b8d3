package sandbox

import (
	"context"
	"slices"
	"time"
)

// A disposable call needs a sandbox that no other call has had, and starting the worker of its code takes as long as all the rest of
// a start. A revision that was called so once is likely to be called so again: a moment after such a call the next one's sandbox
// is started ahead: the code is loaded, none of it has run. A revision whose start or call ended badly gets none. One that is not
// used is ended like any idle sandbox.

// recipe is how a sandbox is started ahead.
type recipe struct {
	key  Key
	name string
	ctx  context.Context
	code func(context.Context) (Code, error)
	at   time.Time // when
}

// repeat plans a sandbox for the next disposable call like this one.
func (m *Manager) repeat(c *call, now time.Time) {
	if m.limits.Prepared <= 0 || m.closed {
		return
	}
	m.recipes = slices.DeleteFunc(m.recipes, func(r recipe) bool { return r.key.Revision == c.request.Key.Revision })
	m.recipes = append(m.recipes, recipe{c.request.Key, c.lane.name, context.WithoutCancel(c.ctx), c.request.Code, now.Add(m.limits.Rest)})
	m.plan(now.Add(m.limits.Rest))
}

// prepare starts what is due ahead, one after another, and tells when to look again. While something else starts it waits.
func (m *Manager) prepare(now time.Time) time.Time {
	if len(m.recipes) == 0 {
		return time.Time{}
	}
	if next := m.recipes[0].at; now.Before(next) {
		return next
	}
	if m.pool.opening != nil || m.startsAny() {
		return now.Add(m.limits.Rest)
	}
	r := m.recipes[0]
	m.recipes = slices.Delete(m.recipes, 0, 1)
	_, refused := m.refused[r.key.Revision]
	if !refused && m.brake.wait(r.key.Revision, now) == 0 && m.prepared(r.key.Revision) == nil {
		for len(m.ahead) >= m.limits.Prepared {
			m.unprepare(m.ahead[0])
		}
		l := &lane{key: r.key, disposable: true, name: r.name}
		m.lanes[l] = struct{}{}
		m.ahead = append(m.ahead, l)
		m.start(l, r.ctx, r.code, now)
	}
	if len(m.recipes) == 0 {
		return time.Time{}
	}
	return now.Add(m.limits.Rest)
}

// prepared gives the lane of a sandbox that waits for a disposable call of that revision, nil for none.
func (m *Manager) prepared(revision string) *lane {
	for _, l := range m.ahead {
		if l.key.Revision == revision {
			return l
		}
	}
	return nil
}

// unprepare ends a sandbox that was started ahead.
func (m *Manager) unprepare(l *lane) {
	m.destroy(l.place, Result{})
	m.forget(l)
}

// taken notes that a lane is no more ahead: it has its call, or is gone.
func (m *Manager) taken(l *lane) {
	m.ahead = slices.DeleteFunc(m.ahead, func(other *lane) bool { return other == l })
}
