package sandbox

import (
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// envelope packs a text; above the inline limit it travels as the first blob.
func (m *Manager) envelope(text []byte, blobs [][]byte) protocol.Envelope {
	if len(text) <= m.limits.InlineTextBytes {
		return protocol.Envelope{Text: string(text), Blobs: blobs}
	}
	return protocol.Envelope{Blobs: append([][]byte{text}, blobs...)}
}

// decode unpacks and decodes what a place says. Size is that of the text.
func (m *Manager) decode(e protocol.Envelope) (message protocol.Message, size int, blobs [][]byte, err error) {
	var text []byte
	blobs = e.Blobs
	total := 0
	for _, blob := range blobs {
		total += len(blob)
	}
	switch {
	case total > m.limits.BlobBytes:
		return nil, 0, nil, fault.New(fault.TooLarge, "message: %d bytes in blobs, at most %d", total, m.limits.BlobBytes)
	case e.Text != "":
		text = []byte(e.Text)
	case len(blobs) > 0:
		text, blobs = blobs[0], blobs[1:]
	}
	message, err = m.codec.Decode(text, len(blobs), protocol.Tool, protocol.Supervisor)
	return message, len(text), blobs, err
}

// encodeAnswer refuses what the place would take for a breach of the host's.
func (m *Manager) encodeAnswer(a Answer) ([]byte, error) {
	total := 0
	for _, blob := range a.Blobs {
		total += len(blob)
	}
	if most := m.blobs[a.Kind()]; len(a.Blobs) > most || total > m.limits.BlobBytes {
		return nil, fault.New(fault.TooLarge, "answer: %d blobs of %d bytes, at most %d of %d", len(a.Blobs), total, most, m.limits.BlobBytes)
	}
	if err := protocol.CheckValue(a.Value, m.limits.Nesting); err != nil {
		return nil, err
	}
	return m.codec.Encode(&a.Answer)
}

// callFrame is how canonical JSON begins a call without arguments and without an id: its keys are sorted.
const callFrame = `{"args":null,"call":0,`

// encodeCall encodes what of a call does not depend on its turn: the arguments, and the rest of the message behind its id.
func (m *Manager) encodeCall(c *call) error {
	var err error
	if c.args, err = m.checkArguments(c.request.Args); err != nil {
		return fault.Wrap(fault.InvalidArguments, err, "arguments")
	}
	rest, err := m.codec.Encode(&protocol.Call{Context: c.request.Context, TimeoutMs: milliseconds(c.timeout), WallMs: milliseconds(c.wall)})
	if err == nil && !strings.HasPrefix(string(rest), callFrame) {
		err = fault.New(fault.Internal, "BUG: a call is not framed by %s", callFrame)
	}
	if err != nil {
		return err
	}
	c.rest = rest[len(callFrame)-1:]
	return nil
}

// text is the message of a call in its turn, once: the parts are let go.
func (c *call) text(id int) []byte {
	text := make([]byte, 0, len(callFrame)+len(c.args)+len(c.rest)+16)
	text = append(append(text, `{"args":`...), c.args...)
	text = strconv.AppendInt(append(text, `,"call":`...), int64(id), 10)
	text = append(text, c.rest...)
	c.args, c.rest = nil, nil
	return text
}

func (m *Manager) checkArguments(args protocol.Value) ([]byte, error) {
	if err := protocol.CheckValue(args, m.limits.Nesting); err != nil {
		return nil, err
	}
	text, err := canon.Encode(args)
	if err == nil && len(text) > m.limits.ArgumentsBytes {
		err = fault.New(fault.TooLarge, "%d bytes, at most %d", len(text), m.limits.ArgumentsBytes)
	}
	return text, err
}
