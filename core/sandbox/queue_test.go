package sandbox_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// wait returns its argument after as many milliseconds; negative: never.
var wait = sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
	if ms := c.Args.(float64); ms >= 0 {
		p.After(time.Duration(ms)*time.Millisecond, func() { p.Return(c.Call, ms) })
	}
})

func TestConcurrentCallsOfOneSandboxRunInTheirOrder(t *testing.T) {
	var order []float64
	script := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		order = append(order, c.Args.(float64))
		p.After(time.Duration(c.Args.(float64))*time.Millisecond, func() { p.Return(c.Call, c.Args) })
	})
	play(t, script, func(t *testing.T, r *rig) {
		delays := []float64{50, 10, 40, 1, 20}
		var results []<-chan sandbox.Result
		for _, ms := range delays {
			results = append(results, r.begin(context.Background(), args(ms)))
		}
		require.Equal(t, 4, r.List()[0].Queued)
		for i, ms := range delays {
			got := <-results[i]
			require.Equal(t, sandbox.OK, got.Outcome, got.Message)
			require.Equal(t, ms, got.Value)
			require.Equal(t, time.Duration(ms)*time.Millisecond, got.Duration, "the time in the queue does not count")
		}
		require.Equal(t, delays, order)
		require.Equal(t, 1, r.wall.Opened())
		require.Equal(t, 5, r.List()[0].Calls)
	})
}

func TestTheQueueIsBoundedAtTheEdgeAndOnePast(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		first := r.begin(context.Background(), args(1000.0))
		var queued []<-chan sandbox.Result
		for range 3 {
			queued = append(queued, r.begin(context.Background(), args(1.0)))
		}
		got := r.run(args(1.0))
		require.Equal(t, sandbox.Unavailable, got.Outcome)
		require.Equal(t, `tool "tool": 3 calls wait already, try again when some have ended`, got.Message)
		disposable := args(1.0)
		disposable.Disposable = true
		require.Equal(t, sandbox.OK, r.run(disposable).Outcome, "a disposable call waits for nobody")
		for _, c := range append(queued, first) {
			require.Equal(t, sandbox.OK, (<-c).Outcome)
		}
		require.Equal(t, sandbox.OK, r.run(args(1.0)).Outcome)
	}, func(l *limits.Limits) { l.Queue = 3 })
}

func TestAbortingAQueuedCallRemovesJustThatCall(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		first := r.begin(context.Background(), args(1000.0))
		ctx, cancel := context.WithCancel(context.Background())
		second := r.begin(ctx, args(1.0))
		third := r.begin(context.Background(), args(3.0))
		cancel()
		got := settled(t, second)
		require.Equal(t, sandbox.Aborted, got.Outcome)
		require.False(t, got.Started)
		unsettled(t, first)
		require.Equal(t, 1000.0, (<-first).Value)
		require.Equal(t, 3.0, (<-third).Value)
		require.Equal(t, []string{"start", "call", "call"}, r.place(1).Heard())
	})
}

func TestCallsQueuedBehindADestroyedSandboxRunInANewOneInOrder(t *testing.T) {
	for title, end := range map[string]func(*rig, context.CancelFunc){
		"abort":     func(_ *rig, cancel context.CancelFunc) { cancel() },
		"terminate": func(r *rig, _ context.CancelFunc) { r.Terminate(request().Key) },
		"clear":     func(r *rig, _ context.CancelFunc) { r.Clear() },
		"lost":      func(r *rig, _ context.CancelFunc) { r.place(1).Lose("gone") },
		"breach":    func(r *rig, _ context.CancelFunc) { r.place(1).SayText("{}") },
		"flood":     func(r *rig, _ context.CancelFunc) { r.place(1).Say(&protocol.Flooded{Call: 1, Reason: "bytes"}) },
		"timeout":   func(*rig, context.CancelFunc) { time.Sleep(seconds(32)) },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, wait, func(t *testing.T, r *rig) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				first := r.begin(ctx, args(-1.0))
				second := r.begin(context.Background(), args(20.0))
				third := r.begin(context.Background(), args(10.0))
				end(r, cancel)
				require.NotEqual(t, sandbox.OK, settled(t, first).Outcome)
				require.True(t, r.place(1).Closed())
				require.Equal(t, 20.0, (<-second).Value)
				unsettled(t, third)
				require.Equal(t, 10.0, (<-third).Value)
				require.Equal(t, 2, r.wall.Opened())
				require.Equal(t, []string{"start", "call", "call"}, r.place(2).Heard())
			})
		})
	}
}

func TestAStartThatFailsEndsTheFirstCallThatWaitsAndTheNextTriesAgain(t *testing.T) {
	script := func(p *sandboxtest.Place, m protocol.Message) {
		if p.Number == 1 {
			p.After(time.Second, func() { p.Lose("exit 1") })
			return
		}
		wait(p, m)
	}
	play(t, script, func(t *testing.T, r *rig) {
		first := r.begin(context.Background(), args(1.0))
		second := r.begin(context.Background(), args(2.0))
		third := r.begin(context.Background(), args(3.0))
		require.Equal(t, sandbox.Starting, r.phase())
		got := <-first
		require.Equal(t, sandbox.Crashed, got.Outcome)
		require.False(t, got.Started)
		require.Equal(t, time.Second, got.Starting)
		require.Zero(t, got.Queued)
		got = <-second
		require.Equal(t, 2.0, got.Value)
		require.Equal(t, time.Second, got.Queued)
		require.Equal(t, 3.0, (<-third).Value)
		require.Equal(t, 2, r.wall.Opened())
	})
	play(t, wait, func(t *testing.T, r *rig) {
		r.wall.Refuse(errors.New("no more frames"))
		for range 3 {
			require.Equal(t, sandbox.Unavailable, r.run(args(1.0)).Outcome)
		}
		r.wall.Refuse(nil)
		require.Equal(t, sandbox.OK, r.run(args(1.0)).Outcome)
	})
}

func TestADisposableCallHasItsOwnSandboxAlsoWhileTheRetainedOneIsBusy(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		first := r.begin(context.Background(), args(1000.0))
		disposable := args(5.0)
		disposable.Disposable = true
		require.Equal(t, 5.0, r.run(disposable).Value)
		require.True(t, r.place(2).Closed(), "it is gone when its call has ended")
		unsettled(t, first)
		a, b := r.begin(context.Background(), disposable), r.begin(context.Background(), disposable)
		require.Len(t, r.List(), 3)
		require.True(t, r.List()[1].Disposable)
		require.Equal(t, []any{5.0, 5.0}, []any{(<-a).Value, (<-b).Value})
		require.Equal(t, 4, r.wall.Opened(), "each has a fresh one")
		require.Equal(t, sandbox.OK, (<-first).Outcome)
		require.Len(t, r.List(), 1)
		require.False(t, r.place(1).Closed())
	})
}

func TestPartitionsAndRevisionsDoNotShareASandbox(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		for i, key := range []sandbox.Key{{Revision: "a"}, {Revision: "a", Partition: "x"}, {Revision: "b"}, {Revision: "a"}} {
			require.Equal(t, sandbox.OK, r.run(with(func(q *sandbox.Request) { q.Key = key })).Outcome)
			require.Equal(t, min(i+1, 3), r.wall.Opened())
		}
		r.Terminate(sandbox.Key{Revision: "a", Partition: "x"})
		require.Len(t, r.List(), 2)
		require.True(t, r.place(2).Closed())
		r.Terminate(sandbox.Key{Revision: "nobody"})
		r.Clear()
		require.Empty(t, r.List())
	})
}

func TestARetiredRevisionEndsAfterItsRunningCall(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(args(0.0)).Outcome)
		r.Retire("another")
		require.False(t, r.place(1).Closed())
		r.Retire(request().Key.Revision)
		synctest.Wait()
		require.True(t, r.place(1).Closed(), "nothing ran in it")

		first := r.begin(context.Background(), args(50.0))
		second := r.begin(context.Background(), args(10.0))
		r.Retire(request().Key.Revision)
		unsettled(t, first)
		require.False(t, r.place(2).Closed())
		require.Equal(t, 50.0, (<-first).Value)
		require.True(t, r.place(2).Closed())
		require.Equal(t, 10.0, (<-second).Value)
		require.Equal(t, []string{"start", "call"}, r.place(3).Heard(), "what was still queued ran in a new one")
	})
}

func TestAListNamesEverySandboxAndItsPhase(t *testing.T) {
	script := func(p *sandboxtest.Place, m protocol.Message) {
		switch m := m.(type) {
		case *protocol.Start:
			p.After(time.Second, func() { p.Say(&protocol.Ready{Version: 1}) })
		case *protocol.Call:
			p.After(time.Second, func() { p.Say(&protocol.Ask{Call: m.Call, Ask: 1, Capability: "resolve"}) })
		case *protocol.Answer:
			p.After(time.Second, func() { p.Return(m.Call, nil) })
		}
	}
	play(t, script, func(t *testing.T, r *rig) {
		began := time.Now()
		q := with(func(q *sandbox.Request) {
			q.Power = func(context.Context, sandbox.Ask) sandbox.Answer {
				time.Sleep(time.Second)
				return sandbox.Answer{}
			}
		})
		results := r.begin(context.Background(), q)
		for i, want := range []sandbox.Phase{sandbox.Starting, sandbox.Running, sandbox.Waiting, sandbox.Running, sandbox.Idle} {
			require.Equal(t, want, r.phase(), fmt.Sprint(i))
			require.Contains(t, sandbox.Phase("").Words(), string(want))
			used := []time.Time{{}, began.Add(seconds(1)), began.Add(seconds(1)), began.Add(seconds(1)), began.Add(seconds(4))}[i]
			require.Equal(t, []sandbox.Info{{Key: q.Key, Phase: want, Calls: min(i, 1), Since: began, Used: used, Queued: max(1-i, 0)}}, r.List())
			time.Sleep(time.Second)
		}
		got := settled(t, results)
		require.Equal(t, sandbox.OK, got.Outcome)
		require.Equal(t, []time.Duration{0, seconds(1), seconds(3)}, []time.Duration{got.Queued, got.Starting, got.Duration})
	})
}
