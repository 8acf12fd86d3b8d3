package sandbox

import (
	"fmt"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// A sandbox between calls must rest. What an ended call left behind can keep its thread busy, and a process can die unnoticed.
// So a place is asked once, a moment after its last call, and again before a call if it was not heard for long. One that does not
// answer is destroyed, and the call that waits for the answer goes to a new one. Calls that follow one another closely are never
// held up for it: no message is added to them.

// stale is after how long without a word a place is asked before it is given a call.
const stale = 2 * time.Second

// askAt is when a place is to be asked whether it rests, zero for never.
func (m *Manager) askAt(p *place) time.Time {
	if m.limits.Answer <= 0 || p.asked {
		return time.Time{}
	}
	return p.used.Add(m.limits.Rest)
}

// doubtful tells whether a place must answer before it is given a call.
func (m *Manager) doubtful(p *place, now time.Time) bool {
	word := p.used
	if p.heard.After(word) {
		word = p.heard
	}
	return m.limits.Answer > 0 && (now.Sub(word) > stale || word.Before(m.lostAt))
}

func (m *Manager) ping(p *place, now time.Time) {
	if !p.answerBy.IsZero() {
		return
	}
	message := &protocol.Ping{Seq: p.pings + 1}
	if _, err := p.conversation.Next(protocol.Host, message); err != nil {
		return
	}
	text, err := m.codec.Encode(message)
	if err != nil {
		return
	}
	p.pings++
	p.asked, p.askedAt, p.answerBy, p.patience = true, now, now.Add(m.limits.Answer), 1
	m.send(p, m.envelope(text, nil))
	m.arm(p, now)
}

// answeredPing takes the answer to the latest ping.
func (m *Manager) answeredPing(p *place, seq int) {
	if seq != p.pings || p.answerBy.IsZero() {
		return
	}
	p.heard, p.answerBy = m.clock.Now(), time.Time{}
	if p.call == nil {
		m.advance(p.lane)
	}
}

// unanswered ends a place that has not answered in time. When the time was noticed much too late, as after the machine has slept, the
// answer may be on its way still: the place gets as much time again, once.
func (m *Manager) unanswered(p *place, now time.Time) {
	if late := now.Sub(p.answerBy); late >= m.limits.Answer && p.patience > 0 {
		p.patience--
		p.answerBy = now.Add(m.limits.Answer)
		m.arm(p, now)
		return
	}
	// One that rested before and answers no more has lost its process, and the warm ones may live in the same.
	if p.askedAt.Sub(p.used) > stale {
		m.doubt()
	}
	m.fail(p, Result{Outcome: Crashed, Message: fmt.Sprintf("%s: was busy after its call, or gone: no answer within %s", p.title(), m.limits.Answer)})
}
