package sandbox_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

func TestEveryEndOfACallHasItsOutcome(t *testing.T) {
	thrown := protocol.Thrown{Name: "TypeError", Message: "no", Line: 3, Column: 7, Stack: "at tool"}
	say := func(m protocol.Message) sandboxtest.Script {
		return sandboxtest.Tool(func(p *sandboxtest.Place, _ *protocol.Call) { p.Say(m) })
	}
	for _, row := range []struct {
		title   string
		script  sandboxtest.Script
		outcome sandbox.Outcome
		reason  string
		lives   bool // the sandbox is kept
	}{
		{"a value", say(&protocol.Result{Call: 1, Value: 7.0}), sandbox.OK, "", true},
		{"a throw", say(&protocol.Failure{Call: 1, Code: protocol.ToolError, Error: thrown}), sandbox.ToolError, "TypeError: no", true},
		{"a throw of nothing", say(&protocol.Failure{Call: 1, Code: protocol.ToolError}), sandbox.ToolError, "", true},
		{"a value that cannot travel", say(&protocol.Failure{Call: 1, Code: protocol.InvalidResult,
			Error: protocol.Thrown{Message: "$.cb: a function", Path: "$.cb"}}), sandbox.InvalidResult, "$.cb: a function", true},
		{"too many messages", say(&protocol.Flooded{Call: 1, Reason: "messages", Count: 300}), sandbox.Flooded,
			`tool "tool": sent too many messages (300)`, false},
		{"too many bytes", say(&protocol.Flooded{Call: 1, Reason: "bytes", Count: 9}), sandbox.Flooded,
			`tool "tool": sent too many bytes in messages (9)`, false},
		{"a huge message", say(&protocol.Flooded{Call: 1, Reason: "size", Count: 9}), sandbox.Flooded,
			`tool "tool": sent a message that is too large (9)`, false},
		{"malformed messages", say(&protocol.Flooded{Call: 1, Reason: "malformed", Count: 9}), sandbox.Flooded,
			`tool "tool": sent too many malformed messages (9)`, false},
		{"running time, by the supervisor's clock", say(&protocol.Crashed{Call: 1, Reason: protocol.CrashTimeout}), sandbox.Timeout,
			`tool "tool": did not end within 30s of running time`, false},
		{"total time, by the supervisor's clock", say(&protocol.Crashed{Call: 1, Reason: protocol.CrashWall}), sandbox.Timeout,
			`tool "tool": did not end within 10m0s in total, waits included`, false},
		{"a dead worker", say(&protocol.Crashed{Call: 1, Reason: protocol.CrashError, Message: "out of memory"}), sandbox.Crashed,
			`sandbox for tool "tool": crashed: out of memory`, false},
		{"a worker that spins during an ask", say(&protocol.Crashed{Call: 1, Reason: protocol.CrashSilent}), sandbox.Crashed,
			`sandbox for tool "tool": stopped answering`, false},
		{"a lost place", sandboxtest.Tool(func(p *sandboxtest.Place, _ *protocol.Call) { p.Lose("the frame was loaded again") }),
			sandbox.Crashed, `sandbox for tool "tool": was lost: the frame was loaded again`, false},
		{"silence, running", mute, sandbox.Timeout, `tool "tool": did not end within 30s of running time`, false},
	} {
		t.Run(row.title, func(t *testing.T) {
			play(t, row.script, func(t *testing.T, r *rig) {
				got := r.run(request())
				require.Equal(t, row.outcome, got.Outcome)
				require.Equal(t, row.reason, got.Reason())
				require.True(t, got.Started)
				require.Equal(t, row.lives, len(r.List()) == 1)
				require.Equal(t, row.lives, !r.place(1).Closed())
			})
		})
	}
	t.Run("where it was thrown is told", func(t *testing.T) {
		play(t, say(&protocol.Failure{Call: 1, Code: protocol.ToolError, Error: thrown}), func(t *testing.T, r *rig) {
			got := r.run(request())
			require.Equal(t, &thrown, got.Thrown)
			require.Equal(t, []int{3, 7}, []int{got.Line, got.Column})
		})
	})
}

func TestAStartThatFailsSaysWhyAndThatNoCodeRan(t *testing.T) {
	onStart := func(f func(*sandboxtest.Place)) sandboxtest.Script {
		return func(p *sandboxtest.Place, _ protocol.Message) { f(p) }
	}
	broken := func(err error) func(*sandbox.Request) {
		return func(q *sandbox.Request) {
			q.Code = func(context.Context) (sandbox.Code, error) { return sandbox.Code{}, err }
		}
	}
	keep := func(*sandbox.Request) {}
	for _, row := range []struct {
		title   string
		script  sandboxtest.Script
		change  func(*sandbox.Request)
		refusal error
		outcome sandbox.Outcome
		reason  string
	}{
		{"the program does not compile", onStart(func(p *sandboxtest.Place) {
			p.Say(&protocol.Crashed{Reason: protocol.CrashStart, Message: "SyntaxError: x", Line: 2, Column: 4})
		}), keep, nil, sandbox.Crashed, `sandbox for tool "tool": did not start: SyntaxError: x`},
		{"it floods", onStart(func(p *sandboxtest.Place) { p.Say(&protocol.Flooded{Reason: "messages", Count: 1}) }), keep, nil,
			sandbox.Flooded, `tool "tool": sent too many messages (1)`},
		{"it is lost", onStart(func(p *sandboxtest.Place) { p.Lose("exit 1") }), keep, nil, sandbox.Crashed,
			`sandbox for tool "tool": was lost: exit 1`},
		{"the host cannot start it", onStart(func(p *sandboxtest.Place) { p.Refuse("the page's policy blocks it") }), keep, nil,
			sandbox.Unavailable, `sandbox for tool "tool": the page's policy blocks it`},
		{"it speaks before it is ready", onStart(func(p *sandboxtest.Place) { p.Return(1, "early") }), keep, nil, sandbox.Crashed,
			`sandbox for tool "tool": broke the protocol: message "result": call 1 was never made`},
		{"it speaks another version", onStart(func(p *sandboxtest.Place) { p.Say(&protocol.Ready{Version: 2}) }), keep, nil, sandbox.Crashed,
			`sandbox for tool "tool": broke the protocol: version 2, want 1`},
		{"it never gets ready", never, keep, nil, sandbox.Crashed, `sandbox for tool "tool": did not start within 10s`},
		{"its code cannot be had", echo, broken(fault.New(fault.Corrupt, "tool: changed")), nil, sandbox.Unavailable,
			`sandbox for tool "tool:b3:0": tool: changed`},
		{"its code hangs", echo, func(q *sandbox.Request) {
			q.Code = func(ctx context.Context) (sandbox.Code, error) { <-ctx.Done(); return sandbox.Code{}, ctx.Err() }
		}, nil, sandbox.Unavailable, `sandbox for tool "tool:b3:0": its code was not there within 10s`},
		{"asking for its code panics", echo, func(q *sandbox.Request) {
			q.Code = func(context.Context) (sandbox.Code, error) { panic("secret") }
		}, nil, sandbox.Unavailable, `sandbox for tool "tool:b3:0": BUG: code: panicked`},
		{"its code is too long", echo, func(q *sandbox.Request) {
			q.Code = func(context.Context) (sandbox.Code, error) {
				return sandbox.Code{Name: "tool", Program: strings.Repeat("x", 6<<20)}, nil
			}
		}, nil, sandbox.Unavailable, `sandbox for tool "tool:b3:0": message "start": 6291`},
		{"no place can be opened", echo, keep, errors.New("no more frames"), sandbox.Unavailable, `sandbox for tool "tool": no more frames`},
	} {
		t.Run(row.title, func(t *testing.T) {
			play(t, row.script, func(t *testing.T, r *rig) {
				r.wall.Refuse(row.refusal)
				got := r.run(with(row.change))
				require.Equal(t, row.outcome, got.Outcome)
				require.True(t, strings.HasPrefix(got.Reason(), row.reason), got.Reason())
				require.False(t, got.Started)
				require.Empty(t, r.List())
				if strings.Contains(row.title, "compile") {
					require.Equal(t, []int{2, 4}, []int{got.Line, got.Column})
				}
				if strings.Contains(row.title, "panics") {
					require.ErrorContains(t, r.reported[0], "secret")
				}
			})
		})
	}
}

func TestArgumentsAreBoundedAtTheEdgeAndOnePast(t *testing.T) {
	small := func(l *limits.Limits) { l.ArgumentsBytes = 10 }
	play(t, echo, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(args(map[string]any{"a": "123"})).Outcome, `{"a":"123"} has 11 bytes`)
	}, func(l *limits.Limits) { l.ArgumentsBytes = 11 })
	play(t, echo, func(t *testing.T, r *rig) {
		got := r.run(args(map[string]any{"a": "123"}))
		require.Equal(t, sandbox.InvalidArguments, got.Outcome)
		require.Equal(t, "arguments: 11 bytes, at most 10", got.Message)
		got = r.run(args(map[string]any{"$x": 1.0}))
		require.Equal(t, sandbox.InvalidArguments, got.Outcome, "not in tagged form")
		got = r.run(args(map[string]any{"x": 1}))
		require.Equal(t, sandbox.InvalidArguments, got.Outcome, "a Go int is no JSON tree")
		require.False(t, got.Started)
		require.Zero(t, r.wall.Opened(), "no sandbox was started for nothing")
	}, small)
	play(t, echo, func(t *testing.T, r *rig) {
		q := request()
		q.Context.Settings = math.NaN() // no JSON
		require.Equal(t, sandbox.InvalidArguments, r.run(q).Outcome)
		require.Equal(t, sandbox.OK, r.run(request()).Outcome, "the sandbox is as it was")
		require.Equal(t, 1, r.wall.Opened())
	})
}

func TestAResultIsBoundedAtTheEdgeAndOnePast(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		got := r.run(args("12345678"))
		require.Equal(t, sandbox.OK, got.Outcome, got.Message)
		got = r.run(args("123456789"))
		require.Equal(t, sandbox.InvalidResult, got.Outcome)
		require.Equal(t, `result of tool "tool": 11 bytes, at most 10`, got.Message)
		require.Nil(t, got.Value)
		require.Equal(t, sandbox.OK, r.run(args(1.0)).Outcome)
		require.Equal(t, 1, r.wall.Opened(), "the tool's mistake does not cost it its memory")
	}, func(l *limits.Limits) { l.ResultBytes = 10 })
}

func TestTheCallCarriesWhatTheSupervisorNeeds(t *testing.T) {
	play(t, mute, func(t *testing.T, r *rig) {
		ctx, cancel := context.WithCancel(context.Background())
		q := args(map[string]any{"a": 1.0})
		q.Timeout, q.Context = 1500*time.Microsecond, protocol.Context{Task: "k", Tool: "t", Settings: map[string]any{"s": "x"}}
		results := r.begin(ctx, q)
		m, _ := r.place(1).Last()
		require.Equal(t, &protocol.Call{Call: 1, Args: q.Args, TimeoutMs: 2, WallMs: 600000, Context: q.Context}, m)
		cancel()
		require.Equal(t, sandbox.Aborted, settled(t, results).Outcome)
		require.Equal(t, []string{"start", "call", "cancel"}, r.place(1).Heard())
	})
}

func TestAPlaceThatIsRefusedWhileItRunsIsLostAndTheNextCallHasAnother(t *testing.T) {
	refusing := func(p *sandboxtest.Place, m protocol.Message) {
		if _, called := m.(*protocol.Call); called && p.Number == 1 {
			p.Refuse("the page's policy blocks it")
			return
		}
		echo(p, m)
	}
	play(t, refusing, func(t *testing.T, r *rig) {
		got := r.run(with(func(*sandbox.Request) {}))
		require.Equal(t, sandbox.Crashed, got.Outcome)
		require.Contains(t, got.Reason(), "was lost: the page's policy blocks it")
		require.True(t, got.Started)
		require.Equal(t, sandbox.OK, r.run(with(func(*sandbox.Request) {})).Outcome)
	})
}
