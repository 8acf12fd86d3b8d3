package sandbox_test

import (
	"bytes"
	"context"
	"io"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// pieces is a body of that many pieces, which then ends with that error.
type pieces struct {
	left, size int
	end        error
	read       atomic.Int32
	closed     atomic.Int32
}

func (b *pieces) Read(ctx context.Context) ([]byte, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if b.left == 0 {
		return nil, b.end
	}
	b.left--
	return bytes.Repeat([]byte{byte(b.read.Add(1))}, b.size), nil
}

func (b *pieces) Close() { b.closed.Add(1) }

func bodied(body sandbox.Body) sandbox.Request {
	return powered(1, func(context.Context, sandbox.Ask) sandbox.Answer {
		return sandbox.Answer{Answer: protocol.Answer{Value: "head"}, Body: body}
	})
}

// chunks counts what a place heard of a body.
func chunks(p *sandboxtest.Place) (n int) {
	synctest.Wait()
	for _, kind := range p.Heard() {
		if kind == "chunk" {
			n++
		}
	}
	return n
}

func TestABodyFlowsBehindItsAnswerAndItsAskIsOpenUntilItsEnd(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		body := &pieces{left: 3, size: 10, end: io.EOF}
		results := r.begin(context.Background(), bodied(body))
		require.Equal(t, []string{"start", "call", "answer", "chunk", "chunk", "chunk", "chunk"}, r.place(1).Heard())
		got, blobs := r.place(1).Last()
		require.Equal(t, &protocol.Chunk{Call: 1, Ask: 1, Seq: 3, Last: true}, got)
		require.Empty(t, blobs)
		require.EqualValues(t, 1, body.closed.Load())
		require.Equal(t, sandbox.Running, r.phase())
		r.place(1).Return(1, nil)
		require.Equal(t, sandbox.AskAllowed, settled(t, results).Asks[0].Decision)
	})
}

func TestNoMoreOfABodyIsReadThanTheToolHasRoomFor(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		body := &pieces{left: 100, size: protocol.BodyCredit / 2, end: io.EOF}
		results := r.begin(context.Background(), bodied(body))
		require.Equal(t, 2, chunks(r.place(1)))
		require.EqualValues(t, 3, body.read.Load(), "one waits in the host")
		require.Equal(t, sandbox.Waiting, r.phase())
		r.place(1).Say(&protocol.Credit{Call: 1, Ask: 1, Bytes: 1})
		require.Equal(t, 3, chunks(r.place(1)))
		r.place(1).Say(&protocol.Credit{Call: 1, Ask: 1, Bytes: 1 << 52})
		require.Equal(t, 101, chunks(r.place(1)))
		r.place(1).Say(&protocol.Credit{Call: 1, Ask: 1, Bytes: 1}) // has crossed the end
		r.place(1).Return(1, nil)
		require.Equal(t, sandbox.OK, settled(t, results).Outcome)
	})
}

func TestAPieceThatIsTooLargeForAMessageTravelsInSeveral(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		results := r.begin(context.Background(), bodied(&pieces{left: 1, size: 2*protocol.ChunkBytes + 1, end: io.EOF}))
		r.place(1).Say(&protocol.Credit{Call: 1, Ask: 1, Bytes: 4 * protocol.ChunkBytes})
		require.Equal(t, 4, chunks(r.place(1)))
		r.place(1).Return(1, nil)
		require.Equal(t, sandbox.OK, settled(t, results).Outcome)
	})
}

func TestABodyThatBreaksSaysWhy(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		body := &pieces{left: 1, size: 1, end: fault.New(fault.TooLarge, "body: more than 10 bytes")}
		results := r.begin(context.Background(), bodied(body))
		require.Equal(t, &protocol.Chunk{Call: 1, Ask: 1, Seq: 1, Last: true, Error: &protocol.Fault{Code: "too_large", Message: "body: more than 10 bytes"}}, last(r.place(1)))
		r.place(1).Return(1, nil)
		asks := settled(t, results).Asks
		require.Equal(t, sandbox.AskFailed, asks[0].Decision)
		require.Equal(t, "too_large", asks[0].Reason)
	})
}

func TestABodyThatNobodyWantsAnyMoreIsClosedAndReadNoFurther(t *testing.T) {
	for title, end := range map[string]func(r *rig, cancel context.CancelFunc){
		"given up by the tool": func(r *rig, _ context.CancelFunc) { r.place(1).Say(&protocol.AskCancel{Call: 1, Ask: 1}) },
		"the call returned":    func(r *rig, _ context.CancelFunc) { r.place(1).Return(1, nil) },
		"the call was aborted": func(_ *rig, cancel context.CancelFunc) { cancel() },
		"the place was lost":   func(r *rig, _ context.CancelFunc) { r.place(1).Lose("gone") },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, asking, func(t *testing.T, r *rig) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				body := &pieces{left: 100, size: protocol.BodyCredit, end: io.EOF}
				results := r.begin(ctx, bodied(body))
				end(r, cancel)
				synctest.Wait()
				require.EqualValues(t, 1, body.closed.Load())
				require.EqualValues(t, 2, body.read.Load())
				if title == "given up by the tool" {
					r.place(1).Return(1, nil)
				}
				require.Equal(t, sandbox.AskAllowed, settled(t, results).Asks[0].Decision)
			})
		})
	}
}

func TestABodyOfAnAnswerThatNobodyGetsIsClosed(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		body := &pieces{left: 1, size: 1, end: io.EOF}
		results := r.begin(context.Background(), powered(2, func(ctx context.Context, ask sandbox.Ask) sandbox.Answer {
			if ask.Params == 1.0 {
				<-ctx.Done()
			}
			return sandbox.Answer{Answer: protocol.Answer{Value: "head", Error: &protocol.Fault{Code: "denied"}}, Body: body}
		}))
		require.Zero(t, chunks(r.place(1)), "an error has no body")
		require.EqualValues(t, 1, body.closed.Load())
		r.place(1).Say(&protocol.AskCancel{Call: 1, Ask: 1})
		synctest.Wait()
		require.EqualValues(t, 2, body.closed.Load())
		r.place(1).Return(1, nil)
		require.Equal(t, sandbox.OK, settled(t, results).Outcome)
	})
}
