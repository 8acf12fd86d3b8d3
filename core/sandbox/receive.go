package sandbox

import (
	"fmt"
	"strconv"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Receive implements Sink. Decoding, the expensive part, happens outside the lock; its order is the wall's.
func (p *place) Receive(e protocol.Envelope) {
	m := p.m
	if m.dropped(p) {
		return
	}
	message, size, blobs, err := m.decode(e)
	m.mu.Lock()
	defer m.unlock()
	switch {
	case p.ended:
		m.late++
	case p.lane == nil: // nothing was said to it, so it has nothing to say
		m.spoil(p)
	case err != nil:
		m.breach(p, err)
	default:
		m.heard(p, message, size, blobs)
	}
}

func (m *Manager) dropped(p *place) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if p.ended {
		m.late++
	}
	return p.ended
}

// Lost implements Sink.
func (p *place) Lost(reason string) {
	m := p.m
	m.mu.Lock()
	defer m.unlock()
	if !p.ended {
		m.lost(p, reason)
	}
}

// Refused implements Sink.
func (p *place) Refused(reason string) {
	m := p.m
	m.mu.Lock()
	defer m.unlock()
	switch {
	case p.ended:
	case p.lane == nil || !p.starting():
		m.lost(p, reason)
	default:
		m.distrust()
		m.fail(p, Result{Outcome: Unavailable, Message: p.title() + ": " + reason})
	}
}

func (m *Manager) lost(p *place, reason string) {
	switch {
	case p.lane == nil:
		m.spoil(p)
	case p.starting() && !p.warmed:
		m.distrust()
	}
	m.doubt()
	if !p.ended {
		m.fail(p, Result{Outcome: Crashed, Message: p.title() + ": was lost: " + reason})
	}
}

// heard acts on a decoded message. Size is that of its text.
func (m *Manager) heard(p *place, message protocol.Message, size int, blobs [][]byte) {
	turn, err := p.conversation.Next(sideOf(message), message)
	if err != nil {
		m.breach(p, err)
		return
	}
	if turn == protocol.Late {
		m.late++
		return
	}
	switch message := message.(type) {
	case *protocol.Ready:
		if message.Version != protocol.Version {
			m.breach(p, fault.New(fault.InvalidMessage, "version %d, want %d", message.Version, protocol.Version))
			return
		}
		now := m.clock.Now()
		p.lane.retried = false
		p.ready, p.used, m.used, m.pool.works = now, now, now, true
		m.advance(p.lane)
		m.refill(now)
	case *protocol.Pong:
		m.answeredPing(p, message.Seq)
	case *protocol.Log:
		m.log(p.call, message)
	case *protocol.Progress:
		m.progress(p.call, message)
	case *protocol.Ask:
		m.ask(p, Ask{Ask: message, Blobs: blobs})
	case *protocol.AskCancel:
		m.withdraw(p, message.Ask)
	case *protocol.Credit:
		p.call.asks.credit(message)
	case *protocol.Result:
		m.finish(p, m.resultOf(p, message, size))
	case *protocol.Failure:
		thrown := message.Error
		m.finish(p, Result{Outcome: Outcome(message.Code), Thrown: &thrown, Message: thrown.Message, Line: thrown.Line, Column: thrown.Column})
	case *protocol.Flooded:
		m.fail(p, Result{Outcome: Flooded, Message: p.lane.subject() + ": " + flood(message)})
	case *protocol.Crashed:
		m.fail(p, p.crash(message))
	}
}

func sideOf(message protocol.Message) protocol.Side {
	switch message.(type) {
	case *protocol.Flooded, *protocol.Crashed:
		return protocol.Supervisor
	}
	return protocol.Tool
}

// resultOf measures the value by what its message holds beside the fixed words.
func (m *Manager) resultOf(p *place, message *protocol.Result, size int) Result {
	if size > m.limits.ResultBytes {
		size -= len(`{"call":,"kind":"result","value":}`) + len(strconv.Itoa(message.Call))
	}
	if size > m.limits.ResultBytes {
		return Result{Outcome: InvalidResult,
			Message: fmt.Sprintf("result of %s: %d bytes, at most %d", p.lane.subject(), size, m.limits.ResultBytes)}
	}
	return Result{Outcome: OK, Value: message.Value}
}

func flood(message *protocol.Flooded) string {
	what := map[protocol.FloodReason]string{"messages": "too many messages", "bytes": "too many bytes in messages",
		"size": "a message that is too large", "malformed": "too many malformed messages"}[message.Reason]
	return fmt.Sprintf("sent %s (%d)", what, message.Count)
}

// crash is what the supervisor's last word means for the call. The words of a timeout are the host's own.
func (p *place) crash(message *protocol.Crashed) Result {
	if c := p.call; c != nil && message.Reason == protocol.CrashTimeout {
		return c.overRunning()
	} else if c != nil && message.Reason == protocol.CrashWall {
		return c.overWall()
	}
	what := map[protocol.CrashReason]string{protocol.CrashStart: "did not start", protocol.CrashError: "crashed",
		protocol.CrashSilent: "stopped answering", protocol.CrashTimeout: "ran out of time", protocol.CrashWall: "ran out of time"}
	text := p.title() + ": " + what[message.Reason]
	if message.Message != "" {
		text += ": " + message.Message
	}
	return Result{Outcome: Crashed, Message: text, Line: message.Line, Column: message.Column}
}
