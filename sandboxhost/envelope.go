//go:build js && wasm

package sandboxhost

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// mostBlobs is more than any message of a place has; what each may have is the protocol's to say.
const mostBlobs = 16

// On the port a message is its bare text, or `{ text: string, blobs: ArrayBuffer[] }` with the blobs transferred.

// Send implements sandbox.Link. What is said to a served page waits until the page has shown that it is ours.
func (l *link) Send(e protocol.Envelope) error {
	if l.start.hold(e) {
		return nil
	}
	return l.post(e)
}

func (l *link) post(e protocol.Envelope) error {
	if len(e.Blobs) == 0 {
		_, err := l.port.Call("postMessage", e.Text)
		return err
	}
	blobs := make([]any, len(e.Blobs))
	for i, bytes := range e.Blobs {
		buffer, err := l.wall.buffer(bytes)
		if err != nil {
			return err
		}
		blobs[i] = safejs.Unsafe(buffer)
	}
	_, err := l.port.Call("postMessage", map[string]any{"text": e.Text, "blobs": blobs}, blobs)
	return err
}

func (w *Wall) buffer(bytes []byte) (safejs.Value, error) {
	array, err := w.array.New(len(bytes))
	if err != nil {
		return safejs.Value{}, err
	}
	if _, err := safejs.CopyBytesToJS(array, bytes); err != nil {
		return safejs.Value{}, err
	}
	return array.Get("buffer")
}

// numberIn reads the bare number of a heartbeat.
func numberIn(args []safejs.Value) (int, bool) {
	if len(args) == 0 {
		return 0, false
	}
	data, err := args[0].Get("data")
	if err != nil || jsbind.TypeOf(data) != safejs.TypeNumber {
		return 0, false
	}
	number, err := data.Int()
	return number, err == nil
}

// envelope reads what the supervisor posted. Anything but an envelope is no word of ours.
func (w *Wall) envelope(args []safejs.Value) (e protocol.Envelope, ok bool) {
	if len(args) == 0 {
		return e, false
	}
	data, err := args[0].Get("data")
	if err != nil {
		return e, false
	}
	if jsbind.TypeOf(data) == safejs.TypeString {
		e.Text, err = data.String()
		return e, err == nil
	}
	if jsbind.TypeOf(data) != safejs.TypeObject {
		return e, false
	}
	text, err := data.Get("text")
	if err != nil || jsbind.TypeOf(text) != safejs.TypeString {
		return e, false
	}
	if e.Text, err = text.String(); err != nil {
		return e, false
	}
	blobs, err := data.Get("blobs")
	if err != nil {
		return e, false
	}
	count, err := blobs.Length()
	if err != nil || count < 0 || count > mostBlobs {
		return e, false
	}
	for i := range count {
		bytes, err := w.bytes(blobs, i)
		if err != nil {
			return e, false
		}
		e.Blobs = append(e.Blobs, bytes)
	}
	return e, true
}

func (w *Wall) bytes(blobs safejs.Value, i int) ([]byte, error) {
	buffer, err := blobs.Index(i)
	if err != nil {
		return nil, err
	}
	// A class of bytes makes some of anything: of a number as many as it says.
	if is, err := buffer.InstanceOf(w.buffers); err != nil || !is {
		return nil, fault.New(fault.InvalidMessage, "blob %d: want an ArrayBuffer", i)
	}
	array, err := w.array.New(buffer)
	if err != nil {
		return nil, err
	}
	size, err := array.Length()
	if err != nil {
		return nil, err
	}
	bytes := make([]byte, size)
	_, err = safejs.CopyBytesToGo(bytes, array)
	return bytes, err
}
