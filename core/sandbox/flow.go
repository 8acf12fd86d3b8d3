package sandbox

import (
	"context"
	"errors"
	"io"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// flow is a body on its way into a tool. No more of it is under way than the tool has given credit for, by a chunk at most: a tool
// that does not read holds what it got and no more, and the host reads on only for one that does.
type flow struct {
	credit int
	seq    int
	wake   chan struct{} // a hint to look at the credit
}

// mostCredit keeps the sum of what a tool grants exact.
const mostCredit = 1 << 40

// flow opens the body of an ask.
func (a *asks) flow(id int) {
	if a.flows == nil {
		a.flows = map[int]*flow{}
	}
	a.flows[id] = &flow{credit: protocol.BodyCredit, wake: make(chan struct{}, 1)}
	if e := a.entries[id]; e != nil && e.record.Decision == "" {
		e.record.Decision = AskAllowed
	}
}

func (a *asks) credit(message *protocol.Credit) {
	if f := a.flows[message.Ask]; f != nil {
		f.credit = min(f.credit+min(message.Bytes, mostCredit), mostCredit)
		select {
		case f.wake <- struct{}{}:
		default:
		}
	}
}

// pour sends a body piece by piece until its end, or until nobody wants it.
func (m *Manager) pour(ctx context.Context, p *place, c *call, ask int, body Body) {
	for {
		piece, err := guarded(m, "body", func() ([]byte, error) { return body.Read(ctx) })
		for len(piece) > 0 {
			n := min(len(piece), protocol.ChunkBytes)
			if !m.pass(ctx, p, c, &protocol.Chunk{Ask: ask}, piece[:n]) {
				return
			}
			piece = piece[n:]
		}
		if err == nil {
			continue
		}
		last := &protocol.Chunk{Ask: ask, Last: true}
		if !errors.Is(err, io.EOF) {
			f := fault.From(err)
			last.Error = bounded(&protocol.Fault{Code: string(f.Code), Message: f.Message})
		}
		m.pass(ctx, p, c, last, nil)
		return
	}
}

// pass sends one piece when there is credit for it, and tells whether the body is still wanted.
func (m *Manager) pass(ctx context.Context, p *place, c *call, chunk *protocol.Chunk, piece []byte) bool {
	for {
		sent, wake := m.tryPass(p, c, chunk, piece)
		if wake == nil {
			return sent
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return false
		}
	}
}

// tryPass sends a piece, or gives what to wait for before the next try. The end of a body needs no credit.
func (m *Manager) tryPass(p *place, c *call, chunk *protocol.Chunk, piece []byte) (sent bool, wait <-chan struct{}) {
	m.mu.Lock()
	defer m.unlock()
	f := c.asks.flows[chunk.Ask]
	if p.call != c || f == nil {
		return false, nil
	}
	if f.credit <= 0 && len(piece) > 0 {
		return false, f.wake
	}
	chunk.Call, chunk.Seq = p.conversation.Call(), f.seq
	text, err := m.codec.Encode(chunk)
	if err != nil {
		return false, nil
	}
	if turn, err := p.conversation.Next(protocol.Host, chunk); err != nil || turn != protocol.Accepted {
		return false, nil
	}
	f.seq++
	f.credit -= len(piece)
	var blobs [][]byte
	if len(piece) > 0 {
		blobs = [][]byte{piece}
	}
	m.send(p, m.envelope(text, blobs))
	if chunk.Last {
		decision, reason := AskAllowed, ""
		if chunk.Error != nil {
			decision, reason = AskFailed, chunk.Error.Code
			if e := c.asks.entries[chunk.Ask]; e != nil {
				e.record.Decision = "" // what was allowed has failed after all
			}
		}
		c.asks.close(chunk.Ask, decision, reason)
		m.resume(p)
	}
	return true, nil
}
