package power

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
)

// guarded is the body of a response on its way to a tool: bounded, counted, and without secrets. Its end frees the request's place.
type guarded struct {
	session *Session
	ctx     context.Context // ends with the time of the request
	clean   sandbox.Body    // what is left when secrets were taken out
	inner   *counted
	cancel  func()
	back    []byte // was read already
	closed  bool
}

// counted reads from the network and holds the decoded bytes to their limit.
type counted struct {
	body sandbox.Body
	ask  sandbox.Ask
	n    int
	most int
}

func (s *Session) guard(ctx context.Context, ask sandbox.Ask, body sandbox.Body, cancel func()) *guarded {
	inner := &counted{body: body, ask: ask, most: s.ports.Limits.FetchBytes}
	g := &guarded{session: s, ctx: ctx, inner: inner, clean: inner, cancel: cancel}
	if s.secrets != nil && body != nil {
		g.clean = &cleaned{body: inner, secrets: s.secrets}
	}
	return g
}

// Read implements sandbox.Body.
func (g *guarded) Read(ctx context.Context) ([]byte, error) {
	if back := g.back; len(back) > 0 {
		g.back = nil
		return back, nil
	}
	piece, err := g.clean.Read(ctx)
	if err == nil || errors.Is(err, io.EOF) {
		return piece, err
	}
	return piece, coded(g.session.late(g.ctx, err))
}

// unread gives back what was read, to be read again.
func (g *guarded) unread(piece []byte) { g.back = piece }

// Close implements sandbox.Body.
func (g *guarded) Close() {
	if g.closed {
		return
	}
	g.closed = true
	if g.inner.body != nil {
		g.inner.body.Close()
	}
	g.cancel()
}

func (c *counted) Read(ctx context.Context) ([]byte, error) {
	piece, err := c.body.Read(ctx)
	if c.n += len(piece); c.n > c.most && (guard.Fixed || guard.On("fetch-bytes")) {
		return nil, Fail(TooLarge, fmt.Sprintf("fetch: the answer is larger than %d bytes, which is what one may hold; ask for less", c.most))
	}
	c.ask.Note(func(r *sandbox.AskRecord) { r.BytesIn = c.n })
	return piece, err
}

func (c *counted) Close() {}

// cleaned is a body without the secrets that were sent, also while it flows: another request of the call may tell its server one. It
// holds back what could be the beginning of one.
type cleaned struct {
	body     sandbox.Body
	secrets  *secret.Call
	scrubber *secret.Scrubber // nil: has to be made
	sent     int              // secrets that it knows
	over     bool
}

func (c *cleaned) Read(ctx context.Context) ([]byte, error) {
	for !c.over {
		piece, err := c.body.Read(ctx)
		clean := c.write(piece)
		if errors.Is(err, io.EOF) {
			c.over = true
			clean = append(clean, c.scrubber.Close()...)
			err = nil
		}
		if len(clean) > 0 || err != nil {
			return clean, err
		}
	}
	return nil, io.EOF
}

func (c *cleaned) write(piece []byte) []byte {
	if sent := c.secrets.Sent(); c.scrubber == nil || sent != c.sent {
		if c.scrubber != nil {
			piece = append(slices.Clone(c.scrubber.Close()), piece...)
		}
		c.scrubber, c.sent = c.secrets.Scrubber(), sent
	}
	return c.scrubber.Write(piece)
}

func (c *cleaned) Close() {}

// coded gives an error the code under which the end of a body tells it.
func coded(err error) error {
	reason, _ := reasonOf(err)
	return &fault.Error{Code: fault.Code(reason), Message: err.Error()}
}
