package sandbox_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// pause is longer than the moment after which chores are done.
func pause() {
	time.Sleep(150 * time.Millisecond)
	synctest.Wait()
}

func warm(n int) func(*limits.Limits) {
	return func(l *limits.Limits) { l.Warm, l.RestartsPerMinute = n, 3 }
}

func of(revision string) sandbox.Request {
	return with(func(q *sandbox.Request) { q.Key.Revision = revision })
}

func TestAWarmSandboxIsReadyForTheFirstCallOfAnyRevision(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		pause()
		require.Zero(t, r.wall.Opened(), "an engine that runs nothing opens nothing")
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		require.Zero(t, r.Warm())
		require.Equal(t, 1, r.wall.Opened(), "not in the path of a call")
		pause()
		require.Equal(t, 1, r.Warm())
		require.Equal(t, 2, r.wall.Opened())
		require.Empty(t, r.place(2).Heard(), "it knows no code")
		require.Len(t, r.List(), 1, "and is in no list")

		require.Equal(t, sandbox.OK, r.run(of("b")).Outcome)
		require.Equal(t, []string{"start", "call"}, r.place(2).Heard())
		require.Equal(t, 2, r.wall.Opened(), "nothing was opened for it")
		pause()
		disposable := of("a")
		disposable.Disposable = true
		require.Equal(t, sandbox.OK, r.run(disposable).Outcome)
		require.Equal(t, []string{"start", "call"}, r.place(3).Heard())
		require.True(t, r.place(3).Closed(), "a used one is never handed on")
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		require.Equal(t, []string{"start", "call", "call"}, r.place(1).Heard(), "a retained one is used before")
		require.Equal(t, 3, r.wall.Opened())
	}, warm(1))
}

func TestAWarmSandboxTakesTheCodeOfItsCallerAndIsThatRevisionsAlone(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		pause()
		q := of("b")
		q.Code = func(context.Context) (sandbox.Code, error) { return sandbox.Code{Name: "b", Program: "of b"}, nil }
		require.Equal(t, sandbox.OK, r.run(q).Outcome)
		require.Equal(t, "b", r.List()[1].Key.Revision)
		r.Retire("b")
		require.True(t, r.place(2).Closed())
		require.Equal(t, sandbox.OK, r.run(of("c")).Outcome)
		require.Equal(t, 3, r.wall.Opened())
	}, warm(1))
}

func TestAsManySandboxesAreWarmAsTheLimitSays(t *testing.T) {
	for n := range 4 {
		play(t, echo, func(t *testing.T, r *rig) {
			require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
			time.Sleep(seconds(2))
			require.Equal(t, n, r.Warm())
			require.Equal(t, 1+n, r.wall.Opened())
			time.Sleep(time.Hour)
			require.Equal(t, 1+n, r.wall.Opened())
		}, warm(n))
	}
}

func TestNoSandboxIsWarmedWhileOneStarts(t *testing.T) {
	script := func(p *sandboxtest.Place, m protocol.Message) {
		if _, starts := m.(*protocol.Start); starts && p.Number > 1 {
			p.After(seconds(3), func() { p.Say(&protocol.Ready{Version: 1}) })
			return
		}
		echo(p, m)
	}
	play(t, script, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		results := r.begin(context.Background(), of("b"))
		time.Sleep(seconds(2))
		require.Equal(t, 2, r.wall.Opened())
		require.Equal(t, sandbox.OK, (<-results).Outcome)
		pause()
		require.Equal(t, 1, r.Warm())
	}, warm(1))
}

func TestTheCallAfterAKilledOneTakesAWarmSandbox(t *testing.T) {
	for title, kill := range map[string]func(*rig, context.CancelFunc){
		"deadline":  func(*rig, context.CancelFunc) { time.Sleep(seconds(32) - 149*time.Millisecond) },
		"abort":     func(_ *rig, cancel context.CancelFunc) { cancel() },
		"terminate": func(r *rig, _ context.CancelFunc) { r.Terminate(request().Key) },
		"flood":     func(r *rig, _ context.CancelFunc) { r.place(1).Say(&protocol.Flooded{Call: 2, Reason: "messages"}) },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, wait, func(t *testing.T, r *rig) {
				require.Equal(t, sandbox.OK, r.run(args(1.0)).Outcome)
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				results := r.begin(ctx, args(-1.0))
				next := r.begin(context.Background(), args(2.0))
				pause()
				require.Equal(t, 1, r.Warm())
				kill(r, cancel)
				require.NotEqual(t, sandbox.OK, settled(t, results).Outcome)
				require.Equal(t, []string{"start", "call"}, r.place(2).Heard())
				require.Equal(t, 2, r.wall.Opened())
				require.Equal(t, 2.0, (<-next).Value)
				pause()
				require.Equal(t, 1, r.Warm(), "and there is a warm one again")
			}, warm(1))
		})
	}
}

func TestAWarmSandboxThatDiesIsReplacedButNotWithoutEnd(t *testing.T) {
	for title, die := range map[string]func(*sandboxtest.Place){
		"lost":  func(p *sandboxtest.Place) { p.Lose("its process has died") },
		"word":  func(p *sandboxtest.Place) { p.SayText(`{"kind":"ready","version":1}`) },
		"trash": func(p *sandboxtest.Place) { p.SayText("trash") },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, echo, func(t *testing.T, r *rig) {
				require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
				for i := range 4 {
					pause()
					require.Equal(t, 1, r.Warm())
					die(r.place(2 + i))
					synctest.Wait()
					require.Zero(t, r.Warm())
					require.True(t, r.place(2+i).Closed())
				}
				time.Sleep(seconds(50))
				require.Equal(t, 5, r.wall.Opened(), "three restarts a minute")
				time.Sleep(seconds(20))
				require.Equal(t, 6, r.wall.Opened())
				require.Equal(t, 1, r.Warm())
				require.Equal(t, sandbox.OK, r.run(of("a")).Outcome, "no call noticed")
				require.Equal(t, sandbox.OK, r.run(of("b")).Outcome)
			}, warm(1))
		})
	}
}

func TestWhereNoSandboxStartsNoneIsWarmed(t *testing.T) {
	play(t, never, func(t *testing.T, r *rig) {
		for range 3 {
			require.Equal(t, sandbox.Crashed, r.run(request()).Outcome)
			time.Sleep(seconds(5))
		}
		require.Equal(t, 6, r.wall.Opened(), "each start is made twice")
	}, warm(2))
	// Nor is it any more when starts have begun to fail, until one succeeds.
	var blocked atomic.Bool
	script := func(p *sandboxtest.Place, m protocol.Message) {
		if !blocked.Load() {
			echo(p, m)
		}
	}
	play(t, script, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		pause()
		require.Equal(t, 1, r.Warm())
		blocked.Store(true)
		require.Equal(t, sandbox.Crashed, r.run(of("b")).Outcome)
		time.Sleep(time.Minute)
		require.Zero(t, r.Warm())
		require.Equal(t, 3, r.wall.Opened())
		r.wall.Refuse(errors.New("no more frames"))
		blocked.Store(false)
		require.Equal(t, sandbox.Unavailable, r.run(of("c")).Outcome)
		pause()
		require.Zero(t, r.Warm())
		r.wall.Refuse(nil)
		require.Equal(t, sandbox.OK, r.run(of("c")).Outcome)
		pause()
		require.Equal(t, 1, r.Warm())
	}, warm(1))
}

func TestAWarmSandboxThatIsGoneCostsACallARestartAndNoMore(t *testing.T) {
	script := func(p *sandboxtest.Place, m protocol.Message) {
		if p.Number == 2 || p.Number == 3 { // both lived in one process, which is dead, and nobody noticed
			if p.Number == 2 {
				p.After(seconds(4), func() { p.Lose("its process has died") })
			}
			return
		}
		echo(p, m)
	}
	play(t, script, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		pause()
		pause()
		require.Equal(t, 2, r.Warm())
		got := r.run(of("b"))
		require.Equal(t, sandbox.OK, got.Outcome, got.Message)
		require.Equal(t, []string{"start", "call"}, r.place(4).Heard())
		require.True(t, r.place(3).Closed(), "the other one was in doubt")
		require.Equal(t, seconds(4), got.Queued)
	}, warm(2))
	// Nor is it more when nobody notices at all, or when another one's end tells.
	for _, end := range []func(*rig){
		func(*rig) { time.Sleep(seconds(10)) },
		func(r *rig) { r.place(1).Lose("its process has died") },
	} {
		play(t, func(p *sandboxtest.Place, m protocol.Message) {
			if p.Number != 2 {
				echo(p, m)
			}
		}, func(t *testing.T, r *rig) {
			require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
			pause()
			results := r.begin(context.Background(), of("b"))
			end(r)
			require.Equal(t, sandbox.OK, settled(t, results).Outcome)
			require.Equal(t, []string{"start", "call"}, r.place(3).Heard())
		}, warm(1))
	}
	// Positive control: one that was opened for the call has died by its start, and is not tried again.
	play(t, func(p *sandboxtest.Place, _ protocol.Message) { p.Lose("exit 1") }, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.Crashed, r.run(request()).Outcome)
		require.Equal(t, 1, r.wall.Opened())
	}, warm(2))
}

func TestWarmSandboxesEndWithClearAndClose(t *testing.T) {
	for _, end := range []func(*rig){func(r *rig) { r.Clear() }, func(r *rig) { r.Close() }} {
		play(t, echo, func(t *testing.T, r *rig) {
			require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
			time.Sleep(seconds(1))
			require.Equal(t, 2, r.Warm())
			end(r)
			synctest.Wait()
			require.Zero(t, r.Warm())
			require.Zero(t, r.wall.Live())
			time.Sleep(time.Minute)
			require.Equal(t, 3, r.wall.Opened(), "nothing comes back by itself")
		}, warm(2))
	}
}

// A warm place that is being opened when everything ends is closed as soon as it is there.
func TestClosingWhileAWarmSandboxOpensLeavesNothing(t *testing.T) {
	for title, end := range map[string]func(*sandbox.Manager){"clear": (*sandbox.Manager).Clear, "close": (*sandbox.Manager).Close} {
		t.Run(title, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				wall := sandboxtest.New(echo)
				g := &gate{Wall: wall}
				m := sandbox.New(g, sandbox.Options{Limits: limits.Default()})
				defer m.Close()
				require.Equal(t, sandbox.OK, m.Run(context.Background(), request()).Outcome)
				g.open = make(chan struct{})
				require.Zero(t, m.Warm())
				pause()
				require.Zero(t, m.Warm())
				end(m)
				close(g.open)
				pause()
				require.Equal(t, 2, wall.Opened())
				require.Zero(t, wall.Live())
			})
		})
	}
}
