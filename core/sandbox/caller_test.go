package sandbox_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// chatty logs ten lines, with progress before each, and returns.
var chatty = sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
	for i := range 10 {
		p.Say(&protocol.Progress{Call: c.Call, Fraction: float64(i), Text: "half"})
		p.Say(&protocol.Progress{Call: c.Call, Fraction: float64(i) / 10, Text: fmt.Sprint(i)})
		p.Say(&protocol.Log{Call: c.Call, Lines: []protocol.Line{{Level: "info", Text: fmt.Sprint(i)}}})
	}
	p.Return(c.Call, nil)
})

// The caller's functions block, so that all waits for the caller: it is told in order and nothing twice.
func TestACallerIsToldInOrderAndNeverAfterTheEnd(t *testing.T) {
	play(t, chatty, func(t *testing.T, r *rig) {
		var told []string
		over := false
		q := request()
		q.OnLog = func(l *protocol.Log) {
			require.False(t, over)
			time.Sleep(time.Second)
			told = append(told, "log "+l.Lines[0].Text)
		}
		q.OnProgress = func(p *protocol.Progress) {
			require.False(t, over)
			require.LessOrEqual(t, p.Fraction, 1.0)
			if p.Text != "half" {
				told = append(told, "progress "+p.Text)
			}
		}
		got := r.run(q)
		over = true
		require.Equal(t, sandbox.OK, got.Outcome)
		require.Len(t, got.Logs, 10)
		require.Less(t, got.Duration, time.Second, "the caller's own time is not the tool's")
		var want []string
		for i := range 10 {
			want = append(want, fmt.Sprintf("progress %d", i), fmt.Sprintf("log %d", i))
		}
		require.Equal(t, want, told)
	})
}

func TestACallerWhoDoesNotListenStillGetsTheLines(t *testing.T) {
	play(t, chatty, func(t *testing.T, r *rig) {
		got := r.run(request())
		require.Equal(t, sandbox.OK, got.Outcome)
		require.Len(t, got.Logs, 4)
		require.Equal(t, 6, got.Dropped)
		require.Equal(t, "9", got.Logs[3].Text)
	}, func(l *limits.Limits) { l.LogLines = 4 })
}

func TestOnlyTheLatestProgressWaitsForASlowCaller(t *testing.T) {
	script := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		for i := range 10000 {
			p.Say(&protocol.Progress{Call: c.Call, Fraction: float64(i) / 10000})
		}
		p.Return(c.Call, nil)
	})
	play(t, script, func(t *testing.T, r *rig) {
		var told []float64
		got := r.run(with(func(q *sandbox.Request) {
			q.OnProgress = func(p *protocol.Progress) { time.Sleep(time.Second); told = append(told, p.Fraction) }
		}))
		require.Equal(t, sandbox.OK, got.Outcome)
		require.LessOrEqual(t, len(told), 2)
		require.Equal(t, 0.9999, told[len(told)-1])
	})
}

func TestProgressIsAFraction(t *testing.T) {
	for said, told := range map[float64]float64{-1: 0, 0.5: 0.5, 1e300: 1} {
		play(t, mute, func(t *testing.T, r *rig) {
			var got []float64
			results := r.begin(context.Background(), with(func(q *sandbox.Request) {
				q.OnProgress = func(p *protocol.Progress) { got = append(got, p.Fraction) }
			}))
			r.place(1).Say(&protocol.Progress{Call: 1, Fraction: said})
			unsettled(t, results)
			require.Equal(t, []float64{told}, got)
		})
	}
}

func TestACallerWhosePanicEndsItsGoroutineEndsItsCall(t *testing.T) {
	script := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Log{Call: c.Call, Lines: []protocol.Line{{Level: "info", Text: "a"}}})
	})
	play(t, script, func(t *testing.T, r *rig) {
		q := with(func(q *sandbox.Request) { q.OnLog = func(*protocol.Log) { panic("of the caller") } })
		require.PanicsWithValue(t, "of the caller", func() { r.run(q) })
		require.Empty(t, r.List())
		require.True(t, r.place(1).Closed())
	})
}

// A power may make a call of its own, as subtasks do, also of another sandbox; nothing waits for itself.
func TestACallMadeWithinACallIsServed(t *testing.T) {
	script := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		if c.Args == "inner" {
			p.Return(c.Call, "served")
			return
		}
		p.Say(&protocol.Ask{Call: c.Call, Ask: 1, Capability: "subtasks"})
	})
	outer := func(p *sandboxtest.Place, m protocol.Message) {
		if m, ok := m.(*protocol.Answer); ok {
			p.Return(m.Call, m.Value)
			return
		}
		script(p, m)
	}
	play(t, outer, func(t *testing.T, r *rig) {
		q := powered(1, func(ctx context.Context, _ sandbox.Ask) sandbox.Answer {
			inner := args("inner")
			inner.Key.Partition = "inner"
			return answer(r.Run(ctx, inner).Value)
		})
		require.Equal(t, "served", r.run(q).Value)
	})
}
