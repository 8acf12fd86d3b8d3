package sandbox_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// unruly starts, serves, asks, dies and lies by chance, and says things after its end.
func unruly(p *sandboxtest.Place, m protocol.Message) {
	soon := func(f func()) { time.AfterFunc(time.Duration(rand.IntN(500))*time.Microsecond, f) }
	switch m := m.(type) {
	case *protocol.Start:
		soon(func() { p.Say(&protocol.Ready{Version: 1}) })
	case *protocol.Ping:
		soon(func() {
			switch rand.IntN(6) {
			case 0:
				p.Lose("exit 1")
			case 1: // busy
			default:
				p.Say(&protocol.Pong{Seq: m.Seq})
			}
		})
	case *protocol.Call:
		soon(func() {
			switch rand.IntN(12) {
			case 0:
				p.Lose("exit 1")
			case 1:
				p.Say(&protocol.Crashed{Call: m.Call, Reason: protocol.CrashError})
			case 2:
				p.SayText("garbage")
			case 3:
				p.Say(&protocol.Ask{Call: m.Call, Ask: 1, Capability: "fetch"})
			}
			p.Say(&protocol.Log{Call: m.Call, Lines: []protocol.Line{{Level: "info", Text: fmt.Sprint(m.Args)}}})
			p.Return(m.Call, m.Args)
			soon(func() { p.Return(m.Call, "late") })
		})
	}
}

// fast has limits under which everything that can happen happens soon.
func fast() limits.Limits {
	l := limits.Default()
	l.Start, l.Call, l.Wall, l.Overdue = 50*time.Millisecond, 20*time.Millisecond, 50*time.Millisecond, time.Millisecond
	l.RestartsPerMinute, l.Queue = 1<<30, 8
	l.Warm, l.Retained, l.Idle, l.Rest, l.Answer = 2, 2, 2*time.Millisecond, 200*time.Microsecond, time.Millisecond
	return l
}

func TestEveryCallSettlesOnceWithItsOwnValueWhateverHappensMeanwhile(t *testing.T) {
	before := runtime.NumGoroutine()
	wall := sandboxtest.New(unruly)
	m := sandbox.New(wall, sandbox.Options{Limits: fast()})
	var callers, tormentors sync.WaitGroup
	var mu sync.Mutex
	count := map[sandbox.Outcome]int{}
	var wrong []string
	for caller := range 8 {
		callers.Go(func() {
			for i := range 150 {
				ctx, cancel := context.WithCancel(context.Background())
				if rand.IntN(4) == 0 {
					time.AfterFunc(time.Duration(rand.IntN(1500))*time.Microsecond, cancel)
				}
				own := fmt.Sprintf("%d/%d", caller, i)
				over, late := false, false
				q := args(own)
				q.Key = sandbox.Key{Revision: fmt.Sprint(rand.IntN(3))}
				q.Disposable = rand.IntN(6) == 0
				q.OnLog = func(*protocol.Log) { late = late || over }
				q.Power = func(ctx context.Context, _ sandbox.Ask) sandbox.Answer { return answer(nil) }
				got := m.Run(ctx, q)
				over = true
				cancel()
				mu.Lock()
				count[got.Outcome]++
				if late || got.Outcome == sandbox.OK && got.Value != own || got.Outcome != sandbox.OK && got.Message == "" {
					wrong = append(wrong, fmt.Sprintf("%s: %+v", own, got))
				}
				mu.Unlock()
			}
		})
	}
	stop := make(chan struct{})
	for _, torment := range []func(){
		func() { m.Terminate(sandbox.Key{Revision: "0"}) }, func() { m.Retire("1") }, func() { m.Clear() }, func() { m.List(); m.Late(); m.Warm() },
		func() { // what is warm may die at any time
			for _, p := range wall.Places() {
				if len(p.Heard()) == 0 && !p.Closed() {
					p.Lose("exit 1")
				}
			}
		},
	} {
		tormentors.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(time.Duration(rand.IntN(3000)) * time.Microsecond):
					torment()
				}
			}
		})
	}
	callers.Wait()
	close(stop)
	tormentors.Wait()
	t.Log(count, "places", wall.Opened(), "late", m.Late())
	require.Empty(t, wrong)
	total := 0
	for _, n := range count {
		total += n
	}
	require.Equal(t, 8*150, total)
	for _, outcome := range []sandbox.Outcome{sandbox.OK, sandbox.Aborted, sandbox.Crashed} {
		require.NotZero(t, count[outcome], "the test did not reach %s", outcome)
	}
	m.Close()
	require.NoError(t, wall.Breaches())
	requireNothingLeft(t, wall, before)
}

func TestAThousandSandboxesLeaveNothingBehind(t *testing.T) {
	before := runtime.NumGoroutine()
	wall := sandboxtest.New(unruly)
	m := sandbox.New(wall, sandbox.Options{Limits: fast()})
	defer m.Close()
	for i := range 1000 {
		q := args("x")
		q.Disposable = i%2 == 0
		ctx, cancel := context.WithCancel(context.Background())
		if i%5 == 0 {
			time.AfterFunc(time.Duration(rand.IntN(800))*time.Microsecond, cancel)
		}
		require.NotEqual(t, sandbox.Unavailable, m.Run(ctx, q).Outcome)
		cancel()
		m.Terminate(q.Key)
	}
	require.GreaterOrEqual(t, wall.Opened(), 900)
	require.Empty(t, m.List())
	m.Close()
	requireNothingLeft(t, wall, before)
}

func TestClosingWhileCallsArriveSettlesThemAll(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		wall := sandboxtest.New(unruly)
		m := sandbox.New(wall, sandbox.Options{Limits: fast()})
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() { m.Run(context.Background(), args("x")) })
		}
		time.Sleep(time.Duration(rand.IntN(1000)) * time.Microsecond)
		m.Close()
		all.Wait()
		requireNothingLeft(t, wall, before)
	}
}

// requireNothingLeft waits for what is just ending, not for what stays.
func requireNothingLeft(t *testing.T, wall *sandboxtest.Wall, goroutines int) {
	t.Helper()
	require.Eventually(t, func() bool { return wall.Live() == 0 }, 5*time.Second, time.Millisecond, "a place was left open")
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 }, 5*time.Second, time.Millisecond,
		"goroutines were left")
}
