package sandbox

import (
	"runtime/debug"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// effects is what a change under the lock causes outside of it.
type effects struct {
	touched []*place // have messages to hand over, or a link to close
	told    []*call  // have events
	ended   []*call
}

// unlock releases the lock and then does what the change caused. Links are closed before the calls are told of their end, so
// that a caller who has its result finds a disposable sandbox gone.
func (m *Manager) unlock() {
	work := m.work
	m.work = effects{}
	m.mu.Unlock()
	for _, p := range work.touched {
		m.flush(p)
	}
	for _, c := range work.told {
		c.nudge()
	}
	for _, c := range work.ended {
		c.asks.end()
		if c.request.Ended != nil {
			c.request.Ended(c.result.Asks)
		}
		c.nudge()
	}
}

func (c *call) nudge() {
	select {
	case c.wake <- struct{}{}:
	default: // the hint is there already
	}
}

func (m *Manager) touch(p *place) { m.work.touched = append(m.work.touched, p) }

// send queues a message that the conversation has judged. The order of judging is the order of sending.
func (m *Manager) send(p *place, e protocol.Envelope) {
	p.out = append(p.out, e)
	m.touch(p)
}

// flush hands queued messages to the link, by one goroutine at a time. A place that has ended is closed also while another
// goroutine is still in Send.
func (m *Manager) flush(p *place) {
	m.mu.Lock()
	for !p.sending && !p.closed && p.link != nil && len(p.out) > 0 {
		e, link := p.out[0], p.link
		p.out[0] = protocol.Envelope{} // a retained sandbox must not hold what it was sent
		p.out, p.sending = p.out[1:], true
		m.mu.Unlock()
		err := link.Send(e)
		m.mu.Lock()
		p.sending = false
		if err != nil && !p.ended {
			m.fail(p, Result{Outcome: Crashed, Message: p.title() + ": took no message: " + err.Error()})
		}
	}
	link, closing := p.link, p.ended && !p.closed
	p.closed = p.closed || closing && link != nil
	m.unlock()
	if !closing {
		return
	}
	p.cancel()
	if link != nil {
		link.Close()
	}
}

// guarded calls a function that is not ours. A panic in it becomes an error and is reported.
func guarded[T any](m *Manager, name string, f func() (T, error)) (out T, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fault.New(fault.Internal, "BUG: %s: panicked", name)
			m.report(fault.New(fault.Internal, "BUG: %s: panicked: %v\n%s", name, r, debug.Stack()))
		}
	}()
	return f()
}
