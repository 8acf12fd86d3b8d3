package sandboxtest

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Host is a wall under contract.
type Host struct {
	Wall sandbox.Wall
	Code func(Behaviour) sandbox.Code // each behaviour as a program for this wall
	Live func() int                   // how many places are open; nil when the host cannot tell
}

// Contract runs what every wall promises, in real time, about ten seconds in all. The function gives a new wall to each promise.
func Contract(t *testing.T, host func(testing.TB) Host) {
	for _, promise := range promises {
		t.Run(promise.title, func(t *testing.T) {
			b := newBench(t, host(t))
			promise.check(t, b)
			b.close(t)
		})
	}
}

// bench is a manager over the wall under contract.
type bench struct {
	*sandbox.Manager
	host   Host
	limits limits.Limits
}

func newBench(t testing.TB, host Host) *bench {
	l := limits.Default()
	l.Start = 5 * time.Second
	return &bench{sandbox.New(host.Wall, sandbox.Options{Limits: l}), host, l}
}

// close also checks that nothing is left.
func (b *bench) close(t *testing.T) {
	b.Close()
	require.Empty(t, b.List())
	if b.host.Live != nil {
		require.Eventually(t, func() bool { return b.host.Live() == 0 }, 5*time.Second, time.Millisecond, "a place was left open")
	}
}

// request gives a call of a behaviour's retained sandbox.
func (b *bench) request(behaviour Behaviour, args map[string]any) sandbox.Request {
	if args == nil {
		args = map[string]any{}
	}
	return sandbox.Request{
		Key:  sandbox.Key{Revision: string(behaviour)},
		Code: func(context.Context) (sandbox.Code, error) { return b.host.Code(behaviour), nil },
		Args: args,
	}
}

func (b *bench) call(behaviour Behaviour, args map[string]any) sandbox.Result {
	return b.Run(context.Background(), b.request(behaviour, args))
}

func (b *bench) together(requests []sandbox.Request) []sandbox.Result {
	results := make([]sandbox.Result, len(requests))
	var all sync.WaitGroup
	for i, r := range requests {
		all.Go(func() { results[i] = b.Run(context.Background(), r) })
	}
	all.Wait()
	return results
}

func requireOK(t *testing.T, want protocol.Value, got sandbox.Result) {
	t.Helper()
	require.Equal(t, sandbox.OK, got.Outcome, got.Reason())
	require.Equal(t, want, got.Value)
	require.True(t, got.Started)
}

var promises = []struct {
	title string
	check func(*testing.T, *bench)
}{
	{"a value comes back as it was sent, whatever its kind", func(t *testing.T, b *bench) {
		args := map[string]any{"text": "ä\u2028\x00", "n": 1.5, "list": []any{nil, true, map[string]any{"$$t": "date"}},
			"undefined": map[string]any{"$t": "undefined"}, "nan": map[string]any{"$t": "number", "v": "NaN"},
			"zero": map[string]any{"$t": "number", "v": "-0"}, "big": map[string]any{"$t": "bigint", "v": "-12345678901234567890"},
			"date": map[string]any{"$t": "date", "v": "2026-01-02T03:04:05.678Z"}, "bytes": map[string]any{"$t": "bytes", "v": "AAE="},
			"map": map[string]any{"$t": "map", "v": []any{[]any{1.0, "a"}}}, "set": map[string]any{"$t": "set", "v": []any{"a"}}}
		requireOK(t, args, b.call(Echo, args))
	}},
	{"a text over the inline limit comes back whole", func(t *testing.T, b *bench) {
		text := strings.Repeat("é", b.limits.InlineTextBytes)
		requireOK(t, map[string]any{"text": text}, b.call(Echo, map[string]any{"text": text}))
		requireOK(t, strings.Repeat("x", b.limits.InlineTextBytes+1), b.call(Long, map[string]any{"n": float64(b.limits.InlineTextBytes + 1)}))
	}},
	{"a retained sandbox keeps its memory, another partition and a disposable call do not share it", func(t *testing.T, b *bench) {
		requireOK(t, 1.0, b.call(Count, nil))
		requireOK(t, 2.0, b.call(Count, nil))
		other := b.request(Count, nil)
		other.Key.Partition = "other"
		requireOK(t, 1.0, b.Run(context.Background(), other))
		disposable := b.request(Count, nil)
		disposable.Disposable = true
		requireOK(t, 1.0, b.Run(context.Background(), disposable))
		requireOK(t, 3.0, b.call(Count, nil))
	}},
	{"five calls at once are answered one after another, each with its own value", func(t *testing.T, b *bench) {
		var requests []sandbox.Request
		for i, ms := range []float64{50, 10, 40, 0, 20} {
			requests = append(requests, b.request(Wait, map[string]any{"ms": ms, "value": float64(i)}))
		}
		for i, got := range b.together(requests) {
			requireOK(t, float64(i), got)
		}
	}},
	{"twenty sandboxes that start at once do not cross their wires", func(t *testing.T, b *bench) {
		var requests []sandbox.Request
		for i := range 20 {
			r := b.request(Echo, map[string]any{"i": float64(i)})
			r.Key.Partition = fmt.Sprint(i)
			requests = append(requests, r)
		}
		for i, got := range b.together(requests) {
			requireOK(t, requests[i].Args, got)
		}
	}},
	{"log lines arrive in order and before the call has ended", func(t *testing.T, b *bench) {
		r := b.request(Logs, map[string]any{"n": 20.0})
		var streamed []protocol.Line
		r.OnLog = func(l *protocol.Log) { streamed = append(streamed, l.Lines...) }
		got := b.Run(context.Background(), r)
		require.Equal(t, sandbox.OK, got.Outcome, got.Reason())
		require.Len(t, got.Logs, 20)
		for i, line := range got.Logs {
			require.Equal(t, protocol.Line{Level: "info", Text: fmt.Sprintf("line %d", i)}, line)
		}
		require.Equal(t, got.Logs, streamed)
	}},
	{"progress arrives before the call has ended", func(t *testing.T, b *bench) {
		r := b.request(Progress, nil)
		var last protocol.Progress
		r.OnProgress = func(p *protocol.Progress) { last = *p }
		requireOK(t, nil, b.Run(context.Background(), r))
		require.Equal(t, 0.5, last.Fraction)
		require.Equal(t, "half", last.Text)
	}},
	{"a log line of an ended call does not show in the next one", func(t *testing.T, b *bench) {
		requireOK(t, nil, b.call(Leave, nil))
		time.Sleep(60 * time.Millisecond)
		got := b.call(Leave, nil)
		requireOK(t, nil, got)
		require.Empty(t, got.Logs)
	}},
	{"what a tool throws is the call's error, and the sandbox lives on", func(t *testing.T, b *bench) {
		for range 2 {
			got := b.call(Throw, nil)
			require.Equal(t, sandbox.ToolError, got.Outcome, got.Reason())
			require.Equal(t, "TypeError: no", got.Reason())
		}
		require.Equal(t, 2, b.List()[0].Calls)
	}},
	{"a result that cannot travel is named by its path", func(t *testing.T, b *bench) {
		got := b.call(Unsendable, nil)
		require.Equal(t, sandbox.InvalidResult, got.Outcome, got.Reason())
		require.Equal(t, "$.cb", got.Thrown.Path)
	}},
	{"a tool that never lets go ends as timeout, and the next call has a new sandbox", func(t *testing.T, b *bench) {
		for range 2 {
			r := b.request(Hang, nil)
			r.Timeout = 300 * time.Millisecond
			began := time.Now()
			got := b.Run(context.Background(), r)
			require.Equal(t, sandbox.Timeout, got.Outcome, got.Reason())
			require.True(t, got.Started)
			require.Less(t, time.Since(began), b.limits.Overdue+b.limits.Start)
			require.GreaterOrEqual(t, time.Since(began), r.Timeout)
		}
	}},
	{"a call can be aborted while its tool never lets go, and the next call has a new sandbox", func(t *testing.T, b *bench) {
		for range 2 {
			ctx, cancel := context.WithCancel(context.Background())
			time.AfterFunc(200*time.Millisecond, cancel)
			got := b.Run(ctx, b.request(Hang, nil))
			require.Equal(t, sandbox.Aborted, got.Outcome, got.Reason())
		}
	}},
	{"an ask reaches the host, and its answer the tool", func(t *testing.T, b *bench) {
		r := b.request(Ask, map[string]any{"name": "weather"})
		var asked protocol.Ask
		r.Power = func(_ context.Context, ask sandbox.Ask) sandbox.Answer {
			asked = *ask.Ask
			return sandbox.Answer{Answer: protocol.Answer{Value: map[string]any{"tool": "a", "settings": "b"}}}
		}
		requireOK(t, map[string]any{"tool": "a", "settings": "b"}, b.Run(context.Background(), r))
		require.Equal(t, protocol.CapabilityResolve, asked.Capability)
		require.Equal(t, map[string]any{"name": "weather"}, asked.Params)
	}},
	{"an ask without a power is denied, as an error in the tool", func(t *testing.T, b *bench) {
		got := b.call(Ask, map[string]any{"name": "weather"})
		require.Equal(t, sandbox.ToolError, got.Outcome, got.Reason())
		require.Contains(t, got.Message, "resolve is not available to this call")
	}},
	{"an open ask ends with its call", func(t *testing.T, b *bench) {
		r := b.request(Ask, map[string]any{"name": "weather"})
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan struct{})
		r.Power = func(ctx context.Context, _ sandbox.Ask) sandbox.Answer {
			cancel()
			<-ctx.Done()
			close(ended)
			return sandbox.Answer{}
		}
		require.Equal(t, sandbox.Aborted, b.Run(ctx, r).Outcome)
		<-ended
	}},
	{"an answer that crosses the end of its call harms nothing", func(t *testing.T, b *bench) {
		r := b.request(Drop, map[string]any{"name": "weather"})
		r.Power = func(context.Context, sandbox.Ask) sandbox.Answer {
			return sandbox.Answer{Answer: protocol.Answer{Value: map[string]any{"tool": "a", "settings": "b"}}}
		}
		for range 50 {
			requireOK(t, nil, b.Run(context.Background(), r))
		}
		require.Len(t, b.List(), 1)
		require.Equal(t, 50, b.List()[0].Calls, "it is the same sandbox still")
	}},
	{"a tool that does not start says why", func(t *testing.T, b *bench) {
		got := b.call(Broken, nil)
		require.Equal(t, sandbox.Crashed, got.Outcome, got.Reason())
		require.False(t, got.Started)
		require.Contains(t, got.Message, "broken")
	}},
	{"a sandbox that never gets ready ends in the start's own limit", func(t *testing.T, b *bench) {
		b.limits.Start = 300 * time.Millisecond
		b.Close()
		b.Manager = sandbox.New(b.host.Wall, sandbox.Options{Limits: b.limits})
		got := b.call(Silent, nil)
		require.Equal(t, sandbox.Crashed, got.Outcome, got.Reason())
		require.False(t, got.Started)
		require.Contains(t, got.Message, "did not start within 300ms")
	}},
	{"a running sandbox can be terminated, and the next call has a new one", func(t *testing.T, b *bench) {
		time.AfterFunc(300*time.Millisecond, func() { b.Terminate(sandbox.Key{Revision: string(Hang)}) })
		got := b.call(Hang, nil)
		require.Equal(t, sandbox.Aborted, got.Outcome, got.Reason())
		require.Empty(t, b.List())
		requireOK(t, map[string]any{}, b.call(Echo, nil))
	}},
	{"a sandbox that an ended call keeps busy is gone before the next call", func(t *testing.T, b *bench) {
		requireOK(t, nil, b.call(Spin, nil))
		require.Eventually(t, func() bool { return len(b.List()) == 0 }, b.limits.Rest+b.limits.Answer+5*time.Second, 10*time.Millisecond)
		requireOK(t, nil, b.call(Spin, nil))
	}},
	{"a sandbox that rests is kept", func(t *testing.T, b *bench) {
		requireOK(t, 1.0, b.call(Count, nil))
		time.Sleep(b.limits.Rest + b.limits.Answer + 100*time.Millisecond)
		requireOK(t, 2.0, b.call(Count, nil))
	}},
	{"a warm sandbox serves the first call of any revision, and one alone", func(t *testing.T, b *bench) {
		requireOK(t, map[string]any{}, b.call(Echo, nil))
		for range 2 {
			require.Eventually(t, func() bool { return b.Warm() == b.limits.Warm }, 5*time.Second, time.Millisecond)
			disposable := b.request(Count, nil)
			disposable.Disposable = true
			requireOK(t, 1.0, b.Run(context.Background(), disposable))
			requireOK(t, map[string]any{}, b.call(Echo, nil))
		}
	}},
	{"no more sandboxes are retained than may be, and an idle one ends", func(t *testing.T, b *bench) {
		b.limits.Retained, b.limits.Idle, b.limits.Warm = 2, 500*time.Millisecond, 0
		b.Close()
		b.Manager = sandbox.New(b.host.Wall, sandbox.Options{Limits: b.limits})
		for i := range 4 {
			r := b.request(Echo, nil)
			r.Key.Partition = fmt.Sprint(i)
			requireOK(t, r.Args, b.Run(context.Background(), r))
			require.LessOrEqual(t, len(b.List()), 2)
		}
		require.Eventually(t, func() bool { return len(b.List()) == 0 }, 5*time.Second, time.Millisecond)
		if b.host.Live != nil {
			require.Eventually(t, func() bool { return b.host.Live() == 0 }, 5*time.Second, time.Millisecond)
		}
	}},
	{"closing ends what runs", func(t *testing.T, b *bench) {
		time.AfterFunc(300*time.Millisecond, b.Close)
		require.Equal(t, sandbox.Aborted, b.call(Hang, nil).Outcome)
		require.Equal(t, sandbox.Unavailable, b.call(Echo, nil).Outcome)
	}},
}
