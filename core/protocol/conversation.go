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
	call  int              // the latest call's id
	asks  int              // asks of the running call so far
	open  map[int]askState // asks of the running call that are not settled
	seqs  map[int]int      // chunks so far of the bodies that flow
	late  int
	pings int
	pongs int
}

// askState tells an ask that waits, and one whose body flows, from one that was withdrawn, whose answer may still be on its way.
type askState string

const (
	waiting   askState = "waiting"
	flowing   askState = "flowing"
	withdrawn askState = "withdrawn"
)

// NewConversation starts one in state New.
func NewConversation() *Conversation {
	rows := map[string]Row{}
	for _, row := range Rows() {
		rows[row.Kind] = row
	}
	return &Conversation{rows: rows, state: New, open: map[int]askState{}, seqs: map[int]int{}}
}

// State tells where the conversation stands.
func (c *Conversation) State() State { return c.state }

// Call is the id of the latest call, 0 before the first.
func (c *Conversation) Call() int { return c.call }

// LateCount is the number of late messages so far.
func (c *Conversation) LateCount() int { return c.late }

// OpenAsks is the number of asks of the running call that wait for an answer or for the rest of its body.
func (c *Conversation) OpenAsks() int {
	n := 0
	for _, state := range c.open {
		if state != withdrawn {
			n++
		}
	}
	return n
}

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
	if of, named := callOf(m); named {
		if of > c.call || of < 1 {
			return "", fault.New(fault.InvalidMessage, "message %q: call %d was never made", m.Kind(), of)
		}
		if of < c.call || c.state != Running {
			return c.drop()
		}
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
		c.settleAll()
	case *Cancel:
		if m.Call != c.call {
			return "", fault.New(fault.InvalidMessage, "message \"cancel\": call %d is not running", m.Call)
		}
	case *Ask:
		if m.Ask != c.asks+1 {
			return "", fault.New(fault.InvalidMessage, "message \"ask\": id %d, want %d", m.Ask, c.asks+1)
		}
		c.asks++
		c.open[m.Ask] = waiting
	case *AskCancel:
		return c.withdraw(m)
	case *Credit:
		return c.credit(m)
	case *Answer:
		return c.answer(m)
	case *Chunk:
		return c.chunk(m)
	case *Ping:
		c.pings = m.Seq
	case *Pong:
		if m.Seq > c.pings || m.Seq <= c.pongs {
			return "", fault.New(fault.InvalidMessage, "message \"pong\": %d was not asked", m.Seq)
		}
		c.pongs = m.Seq
	case *Result, *Failure:
		c.settleAll()
	}
	return Accepted, nil
}

func (c *Conversation) settleAll() {
	clear(c.open)
	clear(c.seqs)
}

func (c *Conversation) made(kind string, ask int) error {
	if ask < 1 || ask > c.asks {
		return fault.New(fault.InvalidMessage, "message %q: ask %d was never made", kind, ask)
	}
	return nil
}

// withdraw gives an open ask up, or the rest of its body. If the end was faster, the two have crossed.
func (c *Conversation) withdraw(m *AskCancel) (Turn, error) {
	if err := c.made(m.Kind(), m.Ask); err != nil {
		return "", err
	}
	switch c.open[m.Ask] {
	case waiting:
		c.open[m.Ask] = withdrawn
	case flowing: // its answer has come
		delete(c.open, m.Ask)
	default:
		return c.drop()
	}
	return Accepted, nil
}

// credit for a body that has ended has crossed its last chunk.
func (c *Conversation) credit(m *Credit) (Turn, error) {
	if err := c.made(m.Kind(), m.Ask); err != nil {
		return "", err
	}
	if c.open[m.Ask] != flowing {
		return c.drop()
	}
	return Accepted, nil
}

// chunk takes the pieces of a body in their order. One of a body that was given up has crossed the word of that.
func (c *Conversation) chunk(m *Chunk) (Turn, error) {
	if err := c.made(m.Kind(), m.Ask); err != nil {
		return "", err
	}
	if c.open[m.Ask] != flowing {
		return c.drop()
	}
	if m.Seq != c.seqs[m.Ask] {
		return "", fault.New(fault.InvalidMessage, "message \"chunk\": number %d, want %d", m.Seq, c.seqs[m.Ask])
	}
	if c.seqs[m.Ask]++; m.Last {
		delete(c.open, m.Ask)
		delete(c.seqs, m.Ask)
	}
	return Accepted, nil
}

// answer settles an open ask, once. The answer to one that was withdrawn has crossed the withdrawal.
func (c *Conversation) answer(m *Answer) (Turn, error) {
	if err := c.made(m.Kind(), m.Ask); err != nil {
		return "", err
	}
	state, open := c.open[m.Ask]
	if !open || state == flowing {
		return "", fault.New(fault.InvalidMessage, "message %q: ask %d is answered already", m.Kind(), m.Ask)
	}
	delete(c.open, m.Ask)
	if state == withdrawn {
		return c.drop()
	}
	if m.Body && m.Error == nil {
		c.open[m.Ask] = flowing
	}
	return Accepted, nil
}

// callOf names the call that a message is about, for those that can be late: what a tool says of a call, and what the host
// answers to it. They may cross the end of the call.
func callOf(m Message) (call int, named bool) {
	switch m := m.(type) {
	case *Ask:
		return m.Call, true
	case *AskCancel:
		return m.Call, true
	case *Credit:
		return m.Call, true
	case *Log:
		return m.Call, true
	case *Progress:
		return m.Call, true
	case *Result:
		return m.Call, true
	case *Failure:
		return m.Call, true
	case *Answer:
		return m.Call, true
	case *Chunk:
		return m.Call, true
	}
	return 0, false
}
