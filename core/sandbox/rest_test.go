package sandbox_test

import (
	"context"
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

func asked(l *limits.Limits) { l.Answer = limits.Default().Answer }

// deaf serves calls, and answers pings only while the test says so.
func deaf(answers *bool) sandboxtest.Script {
	return func(p *sandboxtest.Place, m protocol.Message) {
		if _, ping := m.(*protocol.Ping); !ping || *answers {
			echo(p, m)
		}
	}
}

func TestASandboxIsAskedOnceAfterItsLastCallWhetherItRests(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		for range 100 {
			require.Equal(t, sandbox.OK, r.run(request()).Outcome)
		}
		require.NotContains(t, r.place(1).Heard(), "ping", "calls in a row are not held up")
		time.Sleep(time.Hour)
		require.Len(t, r.place(1).Heard(), 102)
		require.Equal(t, "ping", r.place(1).Heard()[101])
		require.Len(t, r.List(), 1)
	}, asked)
}

func TestASandboxThatDoesNotRestIsGoneBeforeTheNextCall(t *testing.T) {
	answers := false
	play(t, deaf(&answers), func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
		time.Sleep(1099 * time.Millisecond)
		require.Len(t, r.List(), 1, "just before the edge")
		time.Sleep(time.Millisecond)
		synctest.Wait()
		require.Empty(t, r.List())
		require.True(t, r.place(1).Closed())
		require.Equal(t, sandbox.OK, r.run(request()).Outcome, "the next call has a new one")
	}, asked)
}

func TestACallThatComesWhileASandboxIsAskedWaitsForTheAnswer(t *testing.T) {
	slow := func(p *sandboxtest.Place, m protocol.Message) {
		if ping, ok := m.(*protocol.Ping); ok && p.Number == 1 {
			p.After(500*time.Millisecond, func() { p.Say(&protocol.Pong{Seq: ping.Seq}) })
			return
		}
		echo(p, m)
	}
	play(t, slow, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
		time.Sleep(200 * time.Millisecond)
		got := r.run(request())
		require.Equal(t, sandbox.OK, got.Outcome)
		require.Equal(t, 400*time.Millisecond, got.Queued)
		require.Equal(t, 1, r.wall.Opened(), "it answered: its memory is kept")
	}, asked)
	answers := false
	play(t, deaf(&answers), func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
		time.Sleep(200 * time.Millisecond)
		ctx, cancel := context.WithCancel(context.Background())
		given := r.begin(ctx, request())
		first, second := r.begin(context.Background(), request()), r.begin(context.Background(), request())
		require.Equal(t, 3, r.List()[0].Queued)
		cancel()
		require.False(t, settled(t, given).Started)
		unsettled(t, first)
		got := <-first
		require.Equal(t, sandbox.OK, got.Outcome, "nobody pays for what an earlier call left behind")
		require.Equal(t, 900*time.Millisecond, got.Queued)
		require.Equal(t, sandbox.OK, (<-second).Outcome)
		require.Equal(t, 2, r.wall.Opened())
	}, asked)
}

func TestAToolThatNeverRestsIsNotStartedWithoutEnd(t *testing.T) {
	answers := false
	play(t, deaf(&answers), func(t *testing.T, r *rig) {
		for range 4 {
			require.Equal(t, sandbox.OK, r.run(request()).Outcome)
			time.Sleep(seconds(2))
		}
		require.Equal(t, sandbox.Unavailable, r.run(request()).Outcome)
	}, asked, func(l *limits.Limits) { l.RestartsPerMinute = 3 })
}

// The process of an idle sandbox dies, and no engine says so.
func TestASandboxThatDiedWhileItWasIdleCostsTheNextCallARestartAndNoMore(t *testing.T) {
	var dead atomic.Bool
	script := func(p *sandboxtest.Place, m protocol.Message) {
		if p.Number > 2 || !dead.Load() {
			echo(p, m)
		}
	}
	play(t, script, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
		time.Sleep(time.Minute)
		require.Equal(t, 1, r.Warm())
		dead.Store(true)
		got := r.run(request())
		require.Equal(t, sandbox.OK, got.Outcome, got.Message)
		require.Equal(t, time.Second, got.Queued)
		require.True(t, r.place(2).Closed(), "the warm one lived in the same process")
		require.Equal(t, []string{"start", "call"}, r.place(3).Heard())
	}, asked, warm(1))
	// Positive control: a tool that does not rest is no reason to mistrust the warm one.
	answers := false
	play(t, deaf(&answers), func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
		time.Sleep(seconds(2))
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
		require.Equal(t, []string{"start", "call"}, r.place(2).Heard()[:2])
	}, asked, warm(1))
}

func TestWhenOneSandboxIsLostTheOthersMustAnswerBeforeTheirNextCall(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(of("a")).Outcome)
		require.Equal(t, sandbox.OK, r.run(of("b")).Outcome)
		time.Sleep(time.Millisecond)
		r.place(1).Lose("its process has died")
		require.Equal(t, sandbox.OK, r.run(of("b")).Outcome)
		require.Equal(t, []string{"start", "call", "ping", "call"}, r.place(2).Heard())
		require.Equal(t, sandbox.OK, r.run(of("b")).Outcome)
		require.Equal(t, []string{"start", "call", "ping", "call", "call"}, r.place(2).Heard())
	}, asked)
}

// The machine sleeps while an answer is on its way: at the wake-up the timer is there before the answer.
func TestASleepOfTheMachineIsNoSilence(t *testing.T) {
	for _, answers := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			clock := &sleepyClock{}
			script := func(p *sandboxtest.Place, m protocol.Message) {
				if ping, ok := m.(*protocol.Ping); ok {
					p.After(1200*time.Millisecond, func() {
						if answers {
							p.Say(&protocol.Pong{Seq: ping.Seq})
						}
					})
					return
				}
				echo(p, m)
			}
			l := limits.Default()
			l.Idle = 0
			m := sandbox.New(sandboxtest.New(script), sandbox.Options{Limits: l, Clock: clock})
			defer m.Close()
			require.Equal(t, sandbox.OK, m.Run(context.Background(), request()).Outcome)
			time.Sleep(seconds(1))
			clock.slept.Store(int64(time.Hour))
			time.Sleep(seconds(1))
			clock.slept.Store(int64(2 * time.Hour)) // once more: no answer is waited for without end
			time.Sleep(200 * time.Millisecond)
			synctest.Wait()
			require.Equal(t, answers, len(m.List()) == 1)
		})
	}
}
