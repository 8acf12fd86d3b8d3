package sandbox_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

func prepared(n int) func(*limits.Limits) {
	return func(l *limits.Limits) { l.Prepared, l.RestartsPerMinute = n, 3 }
}

func disposable(revision string) sandbox.Request {
	return with(func(q *sandbox.Request) { q.Key.Revision, q.Disposable = revision, true })
}

func TestTheNextDisposableCallOfARevisionFindsItsSandboxStarted(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
		require.True(t, r.place(1).Closed())
		require.Equal(t, 1, r.wall.Opened(), "not in the path of a call")
		require.Empty(t, r.List())
		pause()
		require.Equal(t, []string{"start"}, r.place(2).Heard())
		require.Equal(t, sandbox.Idle, r.List()[0].Phase)
		require.True(t, r.List()[0].Disposable)
		require.Zero(t, r.List()[0].Calls)

		q := disposable("a")
		q.Key.Partition = "other"
		got := r.run(q)
		require.Equal(t, sandbox.OK, got.Outcome)
		require.Zero(t, got.Starting)
		require.Equal(t, []string{"start", "call"}, r.place(2).Heard())
		require.True(t, r.place(2).Closed(), "for one call alone")
		require.Equal(t, 2, r.wall.Opened())
	}, prepared(1))
}

func TestACallThatIsNotDisposableAndAnotherRevisionLeaveAPreparedSandboxAlone(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
		pause()
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		require.Equal(t, sandbox.OK, r.run(disposable("b")).Outcome)
		require.Equal(t, []string{"start"}, r.place(2).Heard())
		require.False(t, r.place(2).Closed())
		pause()
		require.Equal(t, []string{"start"}, r.place(5).Heard())
		require.True(t, r.place(2).Closed(), "there may be one: the older one goes")
	}, prepared(1))
}

func TestAPreparedSandboxEndsWhenNobodyUsesIt(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
		time.Sleep(9 * time.Minute)
		require.False(t, r.place(2).Closed())
		time.Sleep(2 * time.Minute)
		require.True(t, r.place(2).Closed())
		require.Equal(t, 2, r.wall.Opened(), "and is not prepared again")
	}, prepared(2), func(l *limits.Limits) { l.Idle = 10 * time.Minute })
}

func TestARevisionThatIsRetiredRefusedOrClearedHasNoPreparedSandbox(t *testing.T) {
	for title, end := range map[string]func(*rig){
		"retired":    func(r *rig) { r.Retire("a") },
		"refused":    func(r *rig) { r.Refuse("a", "is blocked") },
		"terminated": func(r *rig) { r.Terminate(disposable("a").Key) },
		"cleared":    func(r *rig) { r.Clear() },
		"closed":     func(r *rig) { r.Close() },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, echo, func(t *testing.T, r *rig) {
				require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
				pause()
				end(r)
				require.True(t, r.place(2).Closed())
				require.Empty(t, r.List())
			}, prepared(1))
			if title == "terminated" { // it is a sandbox that is terminated, not a revision
				return
			}
			play(t, echo, func(t *testing.T, r *rig) {
				require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
				end(r)
				pause()
				require.Equal(t, 1, r.wall.Opened(), "nor gets one")
			}, prepared(1))
		})
	}
}

func TestARevisionThatEndedBadlyGetsNoPreparedSandbox(t *testing.T) {
	crash := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Crashed{Call: c.Call, Reason: protocol.CrashError})
	})
	play(t, crash, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.Crashed, r.run(disposable("a")).Outcome)
		pause()
		require.Equal(t, 1, r.wall.Opened())
	}, prepared(1))
}

func TestAPreparedSandboxThatFailsIsForgottenAndTheNextCallStartsItsOwn(t *testing.T) {
	for title, fail := range map[string]func(*rig){
		"lost":       func(r *rig) { r.place(2).Lose("gone") },
		"breach":     func(r *rig) { r.place(2).Say(&protocol.Result{Call: 1}) },
		"last word":  func(r *rig) { r.place(2).Say(&protocol.Crashed{Reason: protocol.CrashError}) },
		"no rest":    func(*rig) { time.Sleep(seconds(3)) },
		"other lost": func(r *rig) { r.run(of("b")); r.place(3).Lose("gone") },
	} {
		t.Run(title, func(t *testing.T) {
			script := func(p *sandboxtest.Place, m protocol.Message) {
				if _, pinged := m.(*protocol.Ping); pinged && p.Number == 2 && title == "no rest" {
					return
				}
				echo(p, m)
			}
			play(t, script, func(t *testing.T, r *rig) {
				require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
				pause()
				fail(r)
				pause()
				require.True(t, r.place(2).Closed())
				require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
			}, prepared(1), func(l *limits.Limits) { l.Answer = time.Second })
		})
	}
}

func TestACallThatComesWhileItsSandboxIsPreparedWaitsForThatOne(t *testing.T) {
	slow := func(p *sandboxtest.Place, m protocol.Message) {
		if _, starts := m.(*protocol.Start); starts && p.Number > 1 {
			p.After(seconds(3), func() { p.Say(&protocol.Ready{Version: 1}) })
			return
		}
		echo(p, m)
	}
	play(t, slow, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
		pause()
		require.Equal(t, sandbox.Starting, r.List()[0].Phase)
		require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
		require.Equal(t, 2, r.wall.Opened())
	}, prepared(1))
}

func TestCodeThatIsGoneLeavesNothingPrepared(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		q, asked := disposable("a"), 0
		q.Code = func(context.Context) (sandbox.Code, error) {
			if asked++; asked > 1 {
				return sandbox.Code{}, errors.New("is gone")
			}
			return sandbox.Code{Name: "a"}, nil
		}
		require.Equal(t, sandbox.OK, r.run(q).Outcome)
		pause()
		require.Equal(t, 2, asked)
		require.Empty(t, r.List())
	}, prepared(1))
}

func TestNothingIsPreparedWhereTheLimitIsNone(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(disposable("a")).Outcome)
		pause()
		require.Equal(t, 1, r.wall.Opened())
	}, prepared(0))
}
