package sandbox_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// rig is a manager over a scripted wall. In a bubble of synctest, time is fake and a goroutine left behind fails the test.
type rig struct {
	*sandbox.Manager
	wall     *sandboxtest.Wall
	limits   limits.Limits
	reported []error
}

// quiet turns off what is done while nobody waits, so that a test meets one thing at a time.
func quiet(l *limits.Limits) { l.Warm, l.Prepared, l.Answer, l.Idle = 0, 0, 0, 0 }

// play runs a test in a bubble, quiet unless its settings say otherwise, and checks at its end that everything is closed and that the host kept the protocol.
func play(t *testing.T, script sandboxtest.Script, test func(t *testing.T, r *rig), settings ...func(*limits.Limits)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{wall: sandboxtest.New(script), limits: limits.Default()}
		quiet(&r.limits)
		for _, set := range settings {
			set(&r.limits)
		}
		r.Manager = sandbox.New(r.wall, sandbox.Options{Limits: r.limits, Report: func(err error) { r.reported = append(r.reported, err) }})
		defer r.Close()
		test(t, r)
		r.Close()
		synctest.Wait()
		require.Zero(t, r.wall.Live(), "a place was left open")
		require.Empty(t, r.List())
		require.NoError(t, r.wall.Breaches())
	})
}

func request() sandbox.Request {
	return sandbox.Request{
		Key:  sandbox.Key{Revision: "tool:b3:0"},
		Code: func(context.Context) (sandbox.Code, error) { return sandbox.Code{Name: "tool"}, nil },
		Args: map[string]any{},
	}
}

func with(change func(*sandbox.Request)) sandbox.Request {
	r := request()
	change(&r)
	return r
}

func args(v any) sandbox.Request { return with(func(r *sandbox.Request) { r.Args = v }) }

func (r *rig) run(q sandbox.Request) sandbox.Result { return r.Run(context.Background(), q) }

// begin runs a request in the background, and waits until nothing more happens by itself.
func (r *rig) begin(ctx context.Context, q sandbox.Request) <-chan sandbox.Result {
	out := make(chan sandbox.Result, 1)
	go func() { out <- r.Run(ctx, q) }()
	synctest.Wait()
	return out
}

// settled gives the result of a call that has one.
func settled(t *testing.T, results <-chan sandbox.Result) sandbox.Result {
	t.Helper()
	synctest.Wait()
	select {
	case got := <-results:
		return got
	default:
		require.Fail(t, "the call has not settled")
		return sandbox.Result{}
	}
}

func unsettled(t *testing.T, results <-chan sandbox.Result) {
	t.Helper()
	synctest.Wait()
	require.Empty(t, results, "the call has settled")
}

// place gives the nth place, from 1.
func (r *rig) place(n int) *sandboxtest.Place { return r.wall.Places()[n-1] }

func (r *rig) phase() sandbox.Phase {
	synctest.Wait()
	list := r.List()
	if len(list) == 0 {
		return ""
	}
	return list[0].Phase
}

// echo returns the arguments at once.
var echo = sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) { p.Return(c.Call, c.Args) })

// mute gets ready and says nothing more by itself.
var mute = sandboxtest.Tool(func(*sandboxtest.Place, *protocol.Call) {})

// never does not even get ready.
func never(*sandboxtest.Place, protocol.Message) {}

func seconds(n int) time.Duration { return time.Duration(n) * time.Second }
