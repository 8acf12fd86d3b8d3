package sandboxtest

import (
	"fmt"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Behaviour is what a tool of the contract does, whatever its language.
type Behaviour string

const (
	Echo       Behaviour = "echo"       // returns its arguments
	Count      Behaviour = "count"      // returns how often it was called in this sandbox
	Logs       Behaviour = "logs"       // writes {n} lines "line 0" … at level info, returns null
	Progress   Behaviour = "progress"   // reports 0.5 "half", returns null
	Throw      Behaviour = "throw"      // throws a TypeError "no"
	Unsendable Behaviour = "unsendable" // returns an object whose key cb cannot travel
	Long       Behaviour = "long"       // returns a text of {n} times "x"
	Wait       Behaviour = "wait"       // returns {value} after {ms}
	Hang       Behaviour = "hang"       // never lets go of its thread
	Spin       Behaviour = "spin"       // returns null, and then never lets go of its thread
	Leave      Behaviour = "leave"      // returns null, and 20 ms later writes the line "late"
	Ask        Behaviour = "ask"        // returns what resolving the name {name} gives
	Drop       Behaviour = "drop"       // resolves the name {name} too, but returns null at once
	Broken     Behaviour = "broken"     // does not start
	Silent     Behaviour = "silent"     // never gets ready
)

// Behaviours lists them all.
func Behaviours() []Behaviour {
	return []Behaviour{Echo, Count, Logs, Progress, Throw, Unsendable, Long, Wait, Hang, Spin, Leave, Ask, Drop, Broken, Silent}
}

// JavaScript gives a behaviour as the program of a JavaScript sandbox.
func JavaScript(b Behaviour) sandbox.Code {
	return sandbox.Code{Name: string(b), Language: "javascript", Program: map[Behaviour]string{
		Echo:       "return (args) => args",
		Count:      "let n = 0\nreturn () => ++n",
		Logs:       "return ({ n }) => { for (let i = 0; i < n; i++) console.info(`line ${i}`); return null }",
		Progress:   "return (args, context) => { context.progress(0.5, 'half'); return null }",
		Throw:      "return () => { throw new TypeError('no') }",
		Unsendable: "return () => ({ cb: () => 1 })",
		Long:       "return ({ n }) => 'x'.repeat(n)",
		Wait:       "return ({ ms, value }) => new Promise((done) => setTimeout(() => done(value), ms))",
		Hang:       "return () => { for (;;); }",
		Spin:       "return () => { Promise.resolve().then(() => { for (;;); }); return null }",
		Leave:      "return () => { setTimeout(() => console.info('late'), 20); return null }",
		Ask:        "return ({ name }, context) => context.resolveInvocation(name)",
		Drop:       "return ({ name }, context) => { context.resolveInvocation(name).catch(() => {}); return null }",
		Broken:     "throw new Error('broken')",
		Silent:     "for (;;);",
	}[b]}
}

// Scripted gives a behaviour as the program of a Player's place.
func Scripted(b Behaviour) sandbox.Code {
	return sandbox.Code{Name: string(b), Language: "script", Program: string(b)}
}

// Player is the script of a well-behaved sandbox with its supervisor: its program is the name of a behaviour.
func Player(p *Place, m protocol.Message) {
	switch m := m.(type) {
	case *protocol.Start:
		p.State = &player{behaviour: Behaviour(m.Program)}
		switch p.State.(*player).behaviour {
		case Broken:
			p.Say(&protocol.Crashed{Reason: protocol.CrashStart, Message: "Error: broken", Line: 1, Column: 7})
		case Silent:
		default:
			p.Say(&protocol.Ready{Version: protocol.Version})
		}
	case *protocol.Call:
		p.State.(*player).call(p, m)
	case *protocol.Ping:
		if s := p.State.(*player); s.behaviour != Spin || s.calls == 0 {
			p.Say(&protocol.Pong{Seq: m.Seq})
		}
	case *protocol.Answer:
		if p.State.(*player).behaviour == Drop {
			return
		}
		if m.Error != nil {
			p.Say(&protocol.Failure{Call: m.Call, Code: protocol.ToolError,
				Error: protocol.Thrown{Name: "TaskyonError", Message: m.Error.Message, Value: map[string]any{"code": m.Error.Code}}})
			return
		}
		p.Return(m.Call, m.Value)
	}
}

type player struct {
	behaviour Behaviour
	calls     int
}

func (s *player) call(p *Place, c *protocol.Call) {
	s.calls++
	args, _ := c.Args.(map[string]any)
	n, _ := args["n"].(float64)
	switch s.behaviour {
	case Echo:
		p.Return(c.Call, c.Args)
	case Count:
		p.Return(c.Call, float64(s.calls))
	case Logs:
		var lines []protocol.Line
		for i := range int(n) {
			lines = append(lines, protocol.Line{Level: "info", Text: fmt.Sprintf("line %d", i)})
		}
		p.Say(&protocol.Log{Call: c.Call, Lines: lines})
		p.Return(c.Call, nil)
	case Progress:
		p.Say(&protocol.Progress{Call: c.Call, Fraction: 0.5, Text: "half"})
		p.Return(c.Call, nil)
	case Throw:
		p.Say(&protocol.Failure{Call: c.Call, Code: protocol.ToolError,
			Error: protocol.Thrown{Name: "TypeError", Message: "no", Line: 1, Column: 22}})
	case Unsendable:
		p.Say(&protocol.Failure{Call: c.Call, Code: protocol.InvalidResult,
			Error: protocol.Thrown{Name: "TypeError", Message: "$.cb: a function cannot travel", Path: "$.cb"}})
	case Long:
		text := make([]byte, int(n))
		for i := range text {
			text[i] = 'x'
		}
		p.Return(c.Call, string(text))
	case Wait:
		ms, _ := args["ms"].(float64)
		p.After(time.Duration(ms)*time.Millisecond, func() { p.Return(c.Call, args["value"]) })
	case Hang:
		p.After(time.Duration(c.TimeoutMs)*time.Millisecond, func() {
			p.Say(&protocol.Crashed{Call: c.Call, Reason: protocol.CrashTimeout, Message: "running time passed"})
		})
	case Spin:
		p.Return(c.Call, nil)
	case Leave:
		p.Return(c.Call, nil)
		p.After(20*time.Millisecond, func() {
			p.Say(&protocol.Log{Call: c.Call, Lines: []protocol.Line{{Level: "info", Text: "late"}}})
		})
	case Ask, Drop:
		p.Say(&protocol.Ask{Call: c.Call, Ask: 1, Capability: protocol.CapabilityResolve, Params: map[string]any{"name": args["name"]}})
		if s.behaviour == Drop {
			p.Return(c.Call, nil)
		}
	}
}
