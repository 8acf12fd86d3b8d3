package sandbox

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// lane is the queue in front of one sandbox: of a key, or of one disposable call.
type lane struct {
	key        Key
	disposable bool
	name       string // the tool's, known from a request or from the code
	waiting    []*call
	place      *place // nil: none stands
	retried    bool   // its start is a second attempt
}

// subject names the tool in messages.
func (l *lane) subject() string {
	if l.name == "" {
		return fmt.Sprintf("tool %q", l.key.Revision)
	}
	return fmt.Sprintf("tool %q", l.name)
}

func (l *lane) next() *call {
	c := l.waiting[0]
	l.waiting[0] = nil
	l.waiting = l.waiting[1:]
	return c
}

// admit puts a new call into its lane.
func (m *Manager) admit(c *call) {
	if m.closed {
		m.settle(c, Result{Outcome: Unavailable, Message: "sandboxes: were closed"})
		return
	}
	l := m.retained[c.request.Key]
	if message, refused := m.refused[c.request.Key.Revision]; refused {
		m.settle(c, Result{Outcome: Denied, Message: message})
		return
	}
	if c.request.Disposable {
		if l = m.prepared(c.request.Key.Revision); l != nil {
			l.key = c.request.Key
			m.taken(l)
		}
	}
	if l == nil {
		l = &lane{key: c.request.Key, disposable: c.request.Disposable}
		m.lanes[l] = struct{}{}
		if !l.disposable {
			m.retained[l.key] = l
		}
	}
	c.lane = l
	l.name = cmp.Or(c.request.Name, l.name)
	if l.place != nil && !l.place.free() && len(l.waiting) >= m.limits.Queue {
		m.settle(c, Result{Outcome: Unavailable,
			Message: fmt.Sprintf("%s: %d calls wait already, try again when some have ended", l.subject(), len(l.waiting))})
		return
	}
	l.waiting = append(l.waiting, c)
	m.advance(l)
}

// advance does what a lane can do next. It is called after every change of a lane.
func (m *Manager) advance(l *lane) {
	for len(l.waiting) > 0 {
		now := m.clock.Now()
		if l.place == nil {
			if wait := m.brake.wait(l.key.Revision, now); wait > 0 {
				m.settle(l.next(), Result{Outcome: Unavailable, Message: fmt.Sprintf(
					"%s: its sandbox ended badly more than %d times within a minute, try again in %s",
					l.subject(), m.limits.RestartsPerMinute, (wait + time.Second - 1).Truncate(time.Second))})
				continue
			}
			first := l.waiting[0].request
			m.start(l, context.WithoutCancel(l.waiting[0].ctx), first.Code, now)
		}
		if !l.place.free() {
			return
		}
		if m.doubtful(l.place, now) {
			m.ping(l.place, now)
			return
		}
		m.dispatch(l.place, l.next(), now)
	}
	if l.place == nil {
		m.forget(l)
	} else if l.place.idle() {
		m.rest(l.place)
	}
}

func (m *Manager) forget(l *lane) {
	m.taken(l)
	delete(m.lanes, l)
	if m.retained[l.key] == l {
		delete(m.retained, l.key)
	}
}

// dispatch sends a call into an idle place.
func (m *Manager) dispatch(p *place, c *call, now time.Time) {
	id := p.conversation.Call() + 1
	if _, err := p.conversation.Next(protocol.Host, &protocol.Call{Call: id}); err != nil {
		m.settle(c, Result{Outcome: Unavailable, Message: "BUG: " + err.Error()})
		return
	}
	c.begin(p, now)
	p.call, p.asked, p.used, m.used = c, false, now, now
	m.send(p, m.envelope(c.text(id), nil))
	m.arm(p, c.sentAt)
}

// milliseconds rounds up: what is given in the message is never less than what the host counts.
func milliseconds(d time.Duration) int {
	return int((d + time.Millisecond - 1) / time.Millisecond)
}
