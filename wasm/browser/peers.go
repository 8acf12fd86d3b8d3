//go:build js && wasm

package browser

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// peers are the engines of other tabs over the same database.
type peers struct {
	channel safejs.Value
	scope   *jsbind.Scope
}

// peersChannel names the BroadcastChannel, which reaches this origin and nothing else.
const peersChannel = "taskyon peers"

// meetPeers opens the channel. A page without one has no peers: nil, on which every method does nothing.
func meetPeers() *peers {
	constructor, err := safejs.Global().Get("BroadcastChannel")
	if exists, _ := constructor.Truthy(); err != nil || !exists {
		return nil
	}
	channel, err := constructor.New(peersChannel)
	if err != nil {
		return nil
	}
	p := &peers{channel: channel, scope: new(jsbind.Scope)}
	p.scope.Defer(func() { _, _ = channel.Call("close") })
	return p
}

// tell sends a notice to the others.
func (p *peers) tell(n core.Notice) {
	if p == nil {
		return
	}
	if text, err := canon.Marshal(n); err == nil {
		_, _ = p.channel.Call("postMessage", string(text))
	}
}

// hear hands the others' notices to an engine. What is no notice is nobody's.
func (p *peers) hear(engine *core.Engine) error {
	if p == nil {
		return nil
	}
	return p.scope.Listen(p.channel, "message", func(event safejs.Value) {
		data, err := event.Get("data")
		if err != nil || jsbind.TypeOf(data) != safejs.TypeString {
			return
		}
		text, err := data.String()
		if err != nil {
			return
		}
		var n core.Notice
		if canon.Unmarshal([]byte(text), &n, noticeNesting, fault.InvalidMessage) == nil {
			go engine.Hear(n)
		}
	})
}

const noticeNesting = 4

func (p *peers) close() {
	if p != nil {
		p.scope.Close()
	}
}
