//go:build js && wasm

package sandboxhost

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// word is what the frame's script says of itself, on the port, before the supervisor has it or when there is none: `{ frame: text }`,
// where text is this as JSON. Who holds the frame may lie in it, and gains the words of an error message.
type word struct {
	Frame    string   `json:"frame"`    // here: the script runs and has the port; refused: the supervisor did not start
	Origin   string   `json:"origin"`   // of the frame
	Policy   string   `json:"policy"`   // that stands in its document
	Crypto   bool     `json:"crypto"`   // whether it has Web Crypto to give
	Violated []string `json:"violated"` // policies that were in the way
	Reason   string   `json:"reason"`
}

const (
	wordHere    = "here"
	wordRefused = "refused"

	wordNesting = 3
	mostWord    = 1 << 20
)

// wordIn reads a word. Data of a port is a copy of plain values, so that reading it runs nobody's code.
func wordIn(args []safejs.Value) (w word, ok bool) {
	if len(args) == 0 {
		return w, false
	}
	data, err := args[0].Get("data")
	if err != nil || jsbind.TypeOf(data) != safejs.TypeObject {
		return w, false
	}
	value, err := data.Get("frame")
	if err != nil || jsbind.TypeOf(value) != safejs.TypeString {
		return w, false
	}
	text, err := value.String()
	if err != nil || len(text) > mostWord {
		return w, false
	}
	err = canon.Unmarshal([]byte(text), &w, wordNesting, fault.InvalidMessage)
	return w, err == nil && (w.Frame == wordHere || w.Frame == wordRefused)
}
