package sandbox

import "github.com/xyntopia/taskyon-sandbox/core/protocol"

// logs keeps the first and the last lines of a call within a number of lines and of bytes. The supervisor does the same; the
// host does not rely on it. What is streamed to the caller is bounded alike: lines go out at once until the budget is spent,
// and at the end the kept ones that did not go out follow, with the number left out before them.
type logs struct {
	lines, bytes int
	live         bool // somebody listens

	head, tail         []protocol.Line
	headSize, tailSize int
	full               bool // no line is added to the head any more
	dropped            int

	sent, sentSize int
	spent          bool // the stream's budget
	unsent         int  // lines that came after it was spent
	skipped        int  // lines left out since the last that was streamed
}

// maxDropped keeps the sum of what a place claims exact in every number type it meets.
const maxDropped = 1<<53 - 1

// add takes a message and gives what to stream of it, nil for nothing.
func (k *logs) add(message *protocol.Log) *protocol.Log {
	if n := message.Dropped; n > 0 {
		k.full = true
		k.dropped = min(k.dropped+min(n, maxDropped), maxDropped)
		k.skipped = min(k.skipped+min(n, maxDropped), maxDropped)
	}
	fits := 0
	for _, line := range message.Lines {
		k.keep(line)
		k.spent = k.spent || k.sent == k.lines || k.sentSize+len(line.Text) > k.bytes
		if k.spent {
			k.unsent++
			continue
		}
		k.sent, k.sentSize, fits = k.sent+1, k.sentSize+len(line.Text), fits+1
	}
	if !k.live || fits == 0 {
		return nil
	}
	streamed := &protocol.Log{Call: message.Call, Lines: message.Lines[:fits], Dropped: k.skipped}
	k.skipped = 0
	return streamed
}

func (k *logs) keep(line protocol.Line) {
	size := len(line.Text)
	if k.full = k.full || len(k.head) == (k.lines+1)/2 || k.headSize+size > k.bytes/2; !k.full {
		k.head, k.headSize = append(k.head, line), k.headSize+size
		return
	}
	k.tail, k.tailSize = append(k.tail, line), k.tailSize+size
	for len(k.tail) > k.lines-len(k.head) || k.tailSize > k.bytes-k.headSize {
		k.tailSize -= len(k.tail[0].Text)
		k.tail[0] = protocol.Line{}
		k.tail = k.tail[1:]
		k.dropped = min(k.dropped+1, maxDropped)
	}
}

// kept gives the first and last lines, and how many were left out between them.
func (k *logs) kept() ([]protocol.Line, int) {
	return append(k.head, k.tail...), k.dropped
}

// rest gives the kept lines that were not streamed, nil for none.
func (k *logs) rest() *protocol.Log {
	n := min(k.unsent, len(k.tail))
	out := k.unsent - n + k.skipped
	if !k.live || n+out == 0 {
		return nil
	}
	return &protocol.Log{Lines: k.tail[len(k.tail)-n:], Dropped: min(out, maxDropped)}
}
