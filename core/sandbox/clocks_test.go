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

// A start that takes longer than a call may: only the code's own time counts.
func TestTheClockOfACallStartsWithItsCode(t *testing.T) {
	script := func(p *sandboxtest.Place, m protocol.Message) {
		switch m := m.(type) {
		case *protocol.Start:
			p.After(seconds(4), func() { p.Say(&protocol.Ready{Version: 1}) })
		case *protocol.Call:
			p.After(100*time.Millisecond, func() { p.Return(m.Call, "done") })
		}
	}
	play(t, script, func(t *testing.T, r *rig) {
		q := request()
		q.Timeout = 150 * time.Millisecond
		began := time.Now()
		first, second := r.begin(context.Background(), q), r.begin(context.Background(), q)
		got := <-first
		require.Equal(t, sandbox.OK, got.Outcome, got.Message)
		require.Equal(t, began.Add(seconds(4)), got.StartedAt)
		require.Equal(t, []time.Duration{0, seconds(4), 100 * time.Millisecond}, []time.Duration{got.Queued, got.Starting, got.Duration})
		got = <-second
		require.Equal(t, sandbox.OK, got.Outcome, got.Message)
		require.Equal(t, []time.Duration{4100 * time.Millisecond, 0}, []time.Duration{got.Queued, got.Starting})
	})
}

func TestFetchingTheCodeAndStartingHaveAClockEach(t *testing.T) {
	script := func(p *sandboxtest.Place, m protocol.Message) {
		if _, ok := m.(*protocol.Start); ok {
			p.After(seconds(4), func() { p.Say(&protocol.Ready{Version: 1}) })
			return
		}
		p.Return(1, nil)
	}
	play(t, script, func(t *testing.T, r *rig) {
		got := r.run(with(func(q *sandbox.Request) {
			q.Code = func(context.Context) (sandbox.Code, error) { time.Sleep(seconds(9)); return sandbox.Code{}, nil }
		}))
		require.Equal(t, sandbox.OK, got.Outcome, got.Message)
		require.Equal(t, seconds(13), got.Starting)
	})
}

func TestAStartThatIsLostIsMadeOnceMoreInANewPlace(t *testing.T) {
	hangs := func(lost int) sandboxtest.Script {
		return func(p *sandboxtest.Place, m protocol.Message) {
			if p.Number > lost {
				echo(p, m)
			}
		}
	}
	play(t, hangs(1), func(t *testing.T, r *rig) {
		began := time.Now()
		got := r.run(request())
		require.Equal(t, sandbox.OK, got.Outcome, got.Message)
		require.Equal(t, seconds(5), time.Since(began), "at half of the time")
		require.True(t, r.place(1).Closed())
		require.Equal(t, []string{"start", "call"}, r.place(2).Heard())
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
	})
	play(t, hangs(2), func(t *testing.T, r *rig) {
		began := time.Now()
		got := r.run(request())
		require.Equal(t, sandbox.Crashed, got.Outcome)
		require.Equal(t, `sandbox for tool "tool": did not start within 10s`, got.Message)
		require.Equal(t, seconds(15), time.Since(began))
		require.False(t, got.Started)
		require.Equal(t, sandbox.OK, r.run(request()).Outcome)
	})
	// A device that is slow, and not lost, has all of the time.
	slow := func(p *sandboxtest.Place, m protocol.Message) {
		if _, starts := m.(*protocol.Start); starts {
			p.After(seconds(9), func() { p.Say(&protocol.Ready{Version: 1}) })
			return
		}
		echo(p, m)
	}
	play(t, slow, func(t *testing.T, r *rig) { require.Equal(t, sandbox.OK, r.run(request()).Outcome) })
}

func TestACallWithoutWordEndsAtItsDeadlineAtTheLatest(t *testing.T) {
	asking := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Ask{Call: c.Call, Ask: 1, Capability: "fetch"})
	})
	forever := func(ctx context.Context, _ sandbox.Ask) sandbox.Answer { <-ctx.Done(); return sandbox.Answer{} }
	for _, row := range []struct {
		title  string
		script sandboxtest.Script
		change func(*sandbox.Request)
		after  time.Duration
		reason string
	}{
		{"running", mute, func(q *sandbox.Request) { q.Timeout = seconds(3) }, seconds(5),
			`tool "tool": did not end within 3s of running time`},
		{"running, by default", mute, func(*sandbox.Request) {}, seconds(32), `tool "tool": did not end within 30s of running time`},
		{"in total", mute, func(q *sandbox.Request) { q.Wall = seconds(4) }, seconds(6),
			`tool "tool": did not end within 4s in total, waits included`},
		{"waiting for an ask", asking, func(q *sandbox.Request) { q.Wall, q.Power = seconds(60), forever }, seconds(62),
			`tool "tool": did not end within 1m0s in total, waits included`},
		{"waiting for an ask, by default", asking, func(q *sandbox.Request) { q.Power = forever }, 10*time.Minute + seconds(2),
			`tool "tool": did not end within 10m0s in total, waits included`},
	} {
		t.Run(row.title, func(t *testing.T) {
			play(t, row.script, func(t *testing.T, r *rig) {
				began := time.Now()
				got := r.run(with(row.change))
				require.Equal(t, sandbox.Timeout, got.Outcome)
				require.Equal(t, row.reason, got.Message)
				require.Equal(t, row.after, time.Since(began))
				require.Equal(t, row.after, got.Duration)
				require.True(t, r.place(1).Closed())
				require.Equal(t, "cancel", r.place(1).Heard()[len(r.place(1).Heard())-1])
				require.Equal(t, sandbox.Timeout, r.run(with(row.change)).Outcome, "and the next one in a new sandbox")
				require.Equal(t, 2, r.wall.Opened())
			})
		})
	}
}

// Two seconds of work, an ask of ten, two seconds of work: four seconds of running time.
func TestRunningTimeStandsStillWhileAnAskIsOpen(t *testing.T) {
	script := func(p *sandboxtest.Place, m protocol.Message) {
		switch m := m.(type) {
		case *protocol.Start:
			p.Say(&protocol.Ready{Version: 1})
		case *protocol.Call:
			p.After(seconds(2), func() {
				p.Say(&protocol.Ask{Call: m.Call, Ask: 1, Capability: "fetch"})
				p.Say(&protocol.Ask{Call: m.Call, Ask: 2, Capability: "fetch"})
				p.After(seconds(1), func() { p.Say(&protocol.AskCancel{Call: m.Call, Ask: 2}) })
			})
		case *protocol.Answer:
			p.After(seconds(2), func() { p.Return(m.Call, "done") })
		}
	}
	power := func(ctx context.Context, ask sandbox.Ask) sandbox.Answer {
		select {
		case <-time.After(seconds(10)):
		case <-ctx.Done():
		}
		return sandbox.Answer{}
	}
	for timeout, outcome := range map[time.Duration]sandbox.Outcome{seconds(3): sandbox.OK, seconds(1): sandbox.Timeout} {
		play(t, script, func(t *testing.T, r *rig) {
			got := r.run(with(func(q *sandbox.Request) { q.Timeout, q.Power = timeout, power }))
			require.Equal(t, outcome, got.Outcome, got.Message)
			if outcome == sandbox.Timeout {
				require.Equal(t, seconds(13), got.Duration, "two, ten, and one that is left of one and the host's two of grace")
			}
		}, func(l *limits.Limits) { l.Overdue = seconds(2) })
	}
}

func TestNothingOfACallCountsAfterItsTimeout(t *testing.T) {
	script := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Log{Call: c.Call, Lines: []protocol.Line{{Level: "info", Text: "early"}}})
		time.AfterFunc(seconds(8), func() { // also after the place was closed: it was on its way
			p.Say(&protocol.Log{Call: c.Call, Lines: []protocol.Line{{Level: "info", Text: "late"}}})
			p.Say(&protocol.Ask{Call: c.Call, Ask: 1, Capability: "fetch"})
			p.Return(c.Call, "late")
		})
	})
	play(t, script, func(t *testing.T, r *rig) {
		var told []string
		q := request()
		q.Timeout = seconds(5)
		q.OnLog = func(l *protocol.Log) { told = append(told, l.Lines[0].Text) }
		q.Power = func(context.Context, sandbox.Ask) sandbox.Answer { told = append(told, "ask"); return sandbox.Answer{} }
		got := r.run(q)
		require.Equal(t, sandbox.Timeout, got.Outcome)
		time.Sleep(seconds(10))
		synctest.Wait()
		require.Equal(t, []string{"early"}, told)
		require.Len(t, got.Logs, 1)
		require.Equal(t, 3, r.Late())
	})
}

// A tool that opens an ask and then loops does not wait: the supervisor says so, whatever the host's own clock thinks.
func TestALoopBesideAnOpenAskEndsAtTheSupervisorsWord(t *testing.T) {
	script := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Ask{Call: c.Call, Ask: 1, Capability: "fetch"})
		p.After(seconds(30), func() { p.Say(&protocol.Crashed{Call: c.Call, Reason: protocol.CrashTimeout}) })
	})
	play(t, script, func(t *testing.T, r *rig) {
		ended := false
		got := r.run(with(func(q *sandbox.Request) {
			q.Power = func(ctx context.Context, _ sandbox.Ask) sandbox.Answer {
				<-ctx.Done()
				ended = true
				return sandbox.Answer{}
			}
		}))
		synctest.Wait()
		require.Equal(t, sandbox.Timeout, got.Outcome)
		require.Equal(t, seconds(30), got.Duration)
		require.True(t, ended)
	})
}

// sleepyClock is of a machine that sleeps: its time jumps, and timers that were due meanwhile fire at the wake-up, or, where the
// timers' own clock stood still, with what was left of their time.
type sleepyClock struct {
	sandbox.SystemClock
	slept atomic.Int64
}

func (c *sleepyClock) Now() time.Time { return time.Now().Add(time.Duration(c.slept.Load())) }

func TestCallsEndInBoundedTimeAfterTheMachineHasSlept(t *testing.T) {
	for _, script := range []sandboxtest.Script{mute, never} {
		synctest.Test(t, func(t *testing.T) {
			clock := &sleepyClock{}
			m := sandbox.New(sandboxtest.New(script), sandbox.Options{Limits: limits.Default(), Clock: clock})
			defer m.Close()
			began := time.Now()
			results := make(chan sandbox.Result, 2)
			for range 2 {
				go func() { results <- m.Run(context.Background(), request()) }()
			}
			time.Sleep(seconds(5))
			clock.slept.Store(int64(8 * time.Hour))
			for range 2 {
				require.Contains(t, []sandbox.Outcome{sandbox.Timeout, sandbox.Crashed}, (<-results).Outcome)
			}
			require.Less(t, time.Since(began), seconds(70))
		})
	}
}

func TestTheSystemClockDoesNotFollowTheDate(t *testing.T) {
	require.Contains(t, sandbox.SystemClock{}.Now().String(), " m=", "it carries a monotonic reading")
}

// countingClock counts the timers that are set, which cost a page a call into JavaScript each.
type countingClock struct {
	sandbox.SystemClock
	set, stopped atomic.Int64
	deaf         bool // a timer that is stopped fires all the same, as one that was just about to
}

func (c *countingClock) counts() []int64 { return []int64{c.set.Load(), c.stopped.Load()} }

func (c *countingClock) AfterFunc(d time.Duration, f func()) func() {
	c.set.Add(1)
	stop := c.SystemClock.AfterFunc(d, f)
	return func() {
		c.stopped.Add(1)
		if !c.deaf {
			stop()
		}
	}
}

func TestATimerThatWasStoppedTooLateChangesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &countingClock{deaf: true}
		l := limits.Default()
		quiet(&l)
		m := sandbox.New(sandboxtest.New(wait), sandbox.Options{Limits: l, Clock: clock})
		defer m.Close()
		short := args(1.0)
		short.Timeout = seconds(1)
		require.Equal(t, sandbox.OK, m.Run(context.Background(), short).Outcome)
		require.Equal(t, []int64{3, 2}, clock.counts(), "those of the start, stopped for the earlier one of the call")
		time.Sleep(seconds(5))
		require.Equal(t, seconds(32), m.Run(context.Background(), args(-1.0)).Duration)
		require.Equal(t, []int64{4, 2}, clock.counts(), "that of the call fired meanwhile")
		require.Equal(t, sandbox.OK, m.Run(context.Background(), args(1.0)).Outcome)
		m.Clear()
		require.Equal(t, []int64{6, 4}, clock.counts(), "a sandbox takes its timer with it")
	})
}

func TestCallsThatEndInTimeSetNoTimersOfTheirOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &countingClock{}
		wall := sandboxtest.New(wait)
		l := limits.Default()
		quiet(&l)
		m := sandbox.New(wall, sandbox.Options{Limits: l, Clock: clock})
		defer m.Close()
		for range 1000 {
			require.Equal(t, sandbox.OK, m.Run(context.Background(), args(1.0)).Outcome)
		}
		require.Equal(t, []int64{2, 1}, clock.counts(), "those of the start")
		short := args(-1.0)
		short.Timeout = seconds(1)
		began := time.Now()
		require.Equal(t, sandbox.Timeout, m.Run(context.Background(), short).Outcome)
		require.Equal(t, seconds(3), time.Since(began), "an earlier deadline is not missed")
		require.Equal(t, []int64{3, 2}, clock.counts())
		require.Equal(t, sandbox.OK, m.Run(context.Background(), args(1.0)).Outcome)
		time.Sleep(time.Hour)
		require.EqualValues(t, 5, clock.set.Load(), "an idle sandbox has no timer")
		late := m.Run(context.Background(), args(-1.0))
		require.Equal(t, seconds(32), late.Duration, "and gets one again")
		require.Empty(t, m.List())
	})
}

func TestTheChoresShareOneTimerThatCallsInARowDoNotTouch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &countingClock{}
		wall := sandboxtest.New(wait)
		m := sandbox.New(wall, sandbox.Options{Limits: limits.Default(), Clock: clock})
		defer m.Close()
		for range 1000 { // in a second
			require.Equal(t, sandbox.OK, m.Run(context.Background(), args(1.0)).Outcome)
		}
		require.LessOrEqual(t, clock.set.Load(), int64(22), "ten times a second, and once more when the chore was of another sandbox")
		require.Equal(t, "start", wall.Places()[0].Heard()[0])
		require.NotContains(t, wall.Places()[0].Heard(), "ping")
		set := clock.set.Load()
		time.Sleep(9 * time.Minute)
		require.LessOrEqual(t, clock.set.Load()-set, int64(5), "one asks, one waits for its answer, one waits for the idle end")
	})
}

func TestARevisionThatEndsBadlyIsNotStartedAgainWithoutEnd(t *testing.T) {
	crash := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.After(seconds(1), func() { p.Say(&protocol.Crashed{Call: c.Call, Reason: protocol.CrashError}) })
	})
	three := func(l *limits.Limits) { l.RestartsPerMinute = 3 }
	play(t, crash, func(t *testing.T, r *rig) {
		for range 4 { // one start and three restarts, at seconds 0 to 3, ends at seconds 1 to 4
			require.Equal(t, sandbox.Crashed, r.run(request()).Outcome)
		}
		got := r.run(request())
		require.Equal(t, sandbox.Unavailable, got.Outcome)
		require.Equal(t, `tool "tool:b3:0": its sandbox ended badly more than 3 times within a minute, try again in 57s`, got.Message)
		require.Equal(t, sandbox.Unavailable, r.run(with(func(q *sandbox.Request) { q.Disposable = true })).Outcome)
		require.Equal(t, sandbox.Crashed, r.run(with(func(q *sandbox.Request) { q.Key.Revision = "other" })).Outcome, "it is one revision's brake")
		require.Equal(t, 5, r.wall.Opened())
		time.Sleep(seconds(56))
		require.Equal(t, sandbox.Crashed, r.run(request()).Outcome)
		require.Equal(t, sandbox.Crashed, r.run(request()).Outcome, "and the next end was a second later")
	}, three)
	for _, script := range []sandboxtest.Script{mute, sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Flooded{Call: c.Call, Reason: "messages"})
	})} {
		play(t, script, func(t *testing.T, r *rig) {
			for range 5 {
				r.run(with(func(q *sandbox.Request) { q.Timeout = seconds(1) }))
			}
			require.Equal(t, 4, r.wall.Opened(), "timeouts and floods count too")
		}, three)
	}
	// Positive control: ends that are nobody's fault do not count.
	play(t, mute, func(t *testing.T, r *rig) {
		for range 20 {
			results := r.begin(context.Background(), request())
			r.Terminate(request().Key)
			require.Equal(t, sandbox.Aborted, settled(t, results).Outcome)
		}
		require.Equal(t, 20, r.wall.Opened())
	}, three)
	// Calls that wait while the brake takes hold are told so too.
	play(t, func(p *sandboxtest.Place, _ protocol.Message) { p.Lose("exit 1") }, func(t *testing.T, r *rig) {
		var results []<-chan sandbox.Result
		for range 6 {
			c := make(chan sandbox.Result, 1)
			go func() { c <- r.run(request()) }()
			results = append(results, c)
		}
		count := map[sandbox.Outcome]int{}
		for _, c := range results {
			count[(<-c).Outcome]++
		}
		require.Equal(t, map[sandbox.Outcome]int{sandbox.Crashed: 4, sandbox.Unavailable: 2}, count)
	}, three)
}
