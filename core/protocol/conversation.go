package protocol

import (
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Turn is the verdict on a message that is no breach.
type Turn string

const (
	Accepted Turn = "accepted"
	Late     Turn = "late" // of a call, ask or sandbox that has ended: drop it, it has no effect
)

// Conversation follows one sandbox from start to end and judges every message of both sides. It is not safe for
// concurrent use: its owner serialises.
type Conversation struct {
	rows  map[string]Row
	state State
	call  int          // the latest call's id
	asks  int          // asks of the running call so far
	open  map[int]bool // open asks of the running call
	late  int
	pings int
	pongs int
}

// NewConversation starts one in state New.
func NewConversation() *Conversation {
	rows := map[string]Row{}
	for _, row := range Rows() {
		rows[row.Kind] = row
	}
	return &Conversation{rows: rows, state: New, open: map[int]bool{}}
}

// State tells where the conversation stands.
func (c *Conversation) State() State { return c.state }

// Call is the id of the latest call, 0 before the first.
func (c *Conversation) Call() int { return c.call }

// LateCount is the number of late messages so far.
func (c *Conversation) LateCount() int { return c.late }

// OpenAsks is the number of asks of the running call that wait for an answer.
func (c *Conversation) OpenAsks() int { return len(c.open) }

// End closes the conversation from outside, as when a sandbox is destroyed.
func (c *Conversation) End() { c.state = Ended }

// Next judges one message. An error (invalid_message) is a breach by its speaker; the state is unchanged then.
func (c *Conversation) Next(by Side, m Message) (Turn, error) {
	row, known := c.rows[m.Kind()]
	if !known || row.By != by {
		return "", fault.New(fault.InvalidMessage, "message %q: not a word of the %s", m.Kind(), by)
	}
	if c.state == Ended {
		if by == Host {
			return "", fault.New(fault.InvalidMessage, "message %q: the sandbox has ended", m.Kind())
		}
		return c.drop()
	}
	if of := callOf(m); of != 0 && by == Tool {
		if of > c.call || of < 0 {
			return "", fault.New(fault.InvalidMessage, "message %q: call %d was never made", m.Kind(), of)
		}
		if of < c.call || c.state != Running {
			return c.drop()
		}
	} else if by == Tool && namesCall(m) {
		return "", fault.New(fault.InvalidMessage, "message %q: call 0 was never made", m.Kind())
	}
	if !slices.Contains(row.In, c.state) {
		return "", fault.New(fault.InvalidMessage, "message %q: not in state %s", m.Kind(), c.state)
	}
	turn, err := c.step(m)
	if err != nil || turn == Late {
		return turn, err
	}
	if row.Then != "" {
		c.state = row.Then
	}
	return Accepted, nil
}

func (c *Conversation) drop() (Turn, error) {
	c.late++
	return Late, nil
}

// step checks the ids that a message carries and remembers what it opens or closes.
func (c *Conversation) step(m Message) (Turn, error) {
	switch m := m.(type) {
	case *Call:
		if m.Call != c.call+1 {
			return "", fault.New(fault.InvalidMessage, "message \"call\": id %d, want %d", m.Call, c.call+1)
		}
		c.call, c.asks = m.Call, 0
		clear(c.open)
	case *Cancel:
		if m.Call != c.call {
			return "", fault.New(fault.InvalidMessage, "message \"cancel\": call %d is not running", m.Call)
		}
	case *Ask:
		if m.Ask != c.asks+1 {
			return "", fault.New(fault.InvalidMessage, "message \"ask\": id %d, want %d", m.Ask, c.asks+1)
		}
		c.asks++
		c.open[m.Ask] = true
	case *AskCancel:
		return c.onAsk(m.Kind(), m.Ask, true)
	case *Credit:
		return c.onAsk(m.Kind(), m.Ask, false)
	case *Answer:
		if m.Call != c.call || !c.open[m.Ask] {
			return "", fault.New(fault.InvalidMessage, "message \"answer\": ask %d of call %d is not open", m.Ask, m.Call)
		}
		delete(c.open, m.Ask)
	case *Chunk:
		if m.Call != c.call || m.Ask < 1 || m.Ask > c.asks {
			return "", fault.New(fault.InvalidMessage, "message \"chunk\": ask %d of call %d was never made", m.Ask, m.Call)
		}
	case *Ping:
		c.pings = m.Seq
	case *Pong:
		if m.Seq > c.pings || m.Seq <= c.pongs {
			return "", fault.New(fault.InvalidMessage, "message \"pong\": %d was not asked", m.Seq)
		}
		c.pongs = m.Seq
	case *Result, *Failure:
		clear(c.open)
	}
	return Accepted, nil
}

// onAsk judges a message about an ask. An answered ask may still be named by a withdrawal that crossed the answer.
func (c *Conversation) onAsk(kind string, ask int, closes bool) (Turn, error) {
	if ask < 1 || ask > c.asks {
		return "", fault.New(fault.InvalidMessage, "message %q: ask %d was never made", kind, ask)
	}
	if closes {
		if !c.open[ask] {
			return c.drop()
		}
		delete(c.open, ask)
	}
	return Accepted, nil
}

func namesCall(m Message) bool {
	switch m.(type) {
	case *Ready, *Pong:
		return false
	}
	return true
}

func callOf(m Message) int {
	switch m := m.(type) {
	case *Ask:
		return m.Call
	case *AskCancel:
		return m.Call
	case *Credit:
		return m.Call
	case *Log:
		return m.Call
	case *Progress:
		return m.Call
	case *Result:
		return m.Call
	case *Failure:
		return m.Call
	}
	return 0
}
