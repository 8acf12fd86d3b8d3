package sandboxtest

import (
	"fmt"
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Place is one scripted sandbox. Its exported methods may be called from the script and from the test.
type Place struct {
	Number int // from 1, in the order of opening
	State  any // the script's own

	wall *Wall
	sink sandbox.Sink
	news chan struct{} // a hint that the inbox is not empty
	gone chan struct{} // closed by Close

	mu           sync.Mutex
	conversation *protocol.Conversation
	inbox        []protocol.Message
	heard        []protocol.Message
	blobs        [][]byte
	answered     map[[2]int]bool
	over         bool // the place said its last word
	closes       int

	speech sync.Mutex // a sink hears one message at a time
}

// Send implements sandbox.Link. It checks what the host says.
func (p *Place) Send(e protocol.Envelope) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closes > 0 {
		return fmt.Errorf("place %d: closed", p.Number)
	}
	if most := limits.Default().InlineTextBytes; len(e.Text) > most {
		p.wall.accuse(fmt.Errorf("place %d: host: a text of %d bytes is not a blob", p.Number, len(e.Text)))
	}
	text, blobs := []byte(e.Text), e.Blobs
	if e.Text == "" && len(blobs) > 0 {
		text, blobs = blobs[0], blobs[1:]
	}
	m, err := p.wall.codec.Decode(text, len(blobs), protocol.Host)
	if err == nil {
		err = p.judge(m)
	}
	if err != nil {
		p.wall.accuse(fmt.Errorf("place %d: host: %w", p.Number, err))
		return nil
	}
	p.inbox, p.heard, p.blobs = append(p.inbox, m), append(p.heard, m), blobs
	select {
	case p.news <- struct{}{}:
	default:
	}
	return nil
}

// judge says whether the host may say this. What crossed a word of the place is no breach: the end of a call, of an ask, or of
// the place itself was on its way.
func (p *Place) judge(m protocol.Message) error {
	_, err := p.conversation.Next(protocol.Host, m)
	switch m := m.(type) {
	case *protocol.Answer:
		id := [2]int{m.Call, m.Ask}
		if m.Call == p.conversation.Call() && !p.answered[id] {
			err = nil
		}
		p.answered[id] = true
	case *protocol.Cancel:
		if m.Call == p.conversation.Call() && p.conversation.State() == protocol.Idle {
			err = nil
		}
	}
	if p.over {
		return nil
	}
	return err
}

// Close implements sandbox.Link.
func (p *Place) Close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closes++; p.closes == 1 {
		close(p.gone)
	}
}

func (p *Place) live() {
	for {
		select {
		case <-p.gone:
			return
		case <-p.news:
		}
		p.mu.Lock()
		messages := p.inbox
		p.inbox = nil
		p.mu.Unlock()
		for _, m := range messages {
			if p.Closed() {
				return
			}
			p.wall.script(p, m)
		}
	}
}

// Say sends a message to the host, in turn or not, also after Close: what a place says before its end may arrive after it.
func (p *Place) Say(m protocol.Message) {
	text, err := p.wall.codec.Encode(m)
	if err != nil {
		p.wall.accuse(fmt.Errorf("script: %w", err))
		return
	}
	p.mu.Lock()
	side := sideOf(m)
	turn, err := p.conversation.Next(side, m)
	p.over = p.over || side == protocol.Supervisor && turn == protocol.Accepted && err == nil
	p.mu.Unlock()
	p.SayText(string(text))
}

func sideOf(m protocol.Message) protocol.Side {
	for _, row := range protocol.Rows() {
		if row.Kind == m.Kind() {
			return row.By
		}
	}
	return ""
}

// SayText sends any text as a message.
func (p *Place) SayText(text string, blobs ...[]byte) {
	p.Post(protocol.Envelope{Text: text, Blobs: blobs})
}

// Post sends any envelope.
func (p *Place) Post(e protocol.Envelope) {
	p.speech.Lock()
	defer p.speech.Unlock()
	p.sink.Receive(e)
}

// Lose says that the place is gone.
func (p *Place) Lose(reason string) {
	p.speech.Lock()
	defer p.speech.Unlock()
	p.sink.Lost(reason)
}

// Refuse says that the host cannot start the place.
func (p *Place) Refuse(reason string) {
	p.speech.Lock()
	defer p.speech.Unlock()
	p.sink.Refused(reason)
}

// Return ends a call with a value in tagged form.
func (p *Place) Return(call int, value protocol.Value) {
	p.Say(&protocol.Result{Call: call, Value: value})
}

// After does something later, unless the place is closed by then.
func (p *Place) After(d time.Duration, f func()) {
	time.AfterFunc(d, func() {
		if !p.Closed() {
			f()
		}
	})
}

// Closed tells whether the host closed the place.
func (p *Place) Closed() bool {
	select {
	case <-p.gone:
		return true
	default:
		return false
	}
}

// Heard is everything the host said, in order, as kinds.
func (p *Place) Heard() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var kinds []string
	for _, m := range p.heard {
		kinds = append(kinds, m.Kind())
	}
	return kinds
}

// Last is the latest message of the host, nil before the first, with its blobs.
func (p *Place) Last() (protocol.Message, [][]byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.heard) == 0 {
		return nil, nil
	}
	return p.heard[len(p.heard)-1], p.blobs
}
