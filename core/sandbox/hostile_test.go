package sandbox_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

func TestAToolThatGoesOnAskingAfterItWasToldToStopIsEnded(t *testing.T) {
	few := func(l *limits.Limits) { l.AsksPerCall = 3 }
	power := func(context.Context, sandbox.Ask) sandbox.Answer { return answer(nil) }
	play(t, asking, func(t *testing.T, r *rig) {
		results := r.begin(context.Background(), powered(6, power))
		unsettled(t, results)
		r.place(1).Return(1, "on")
		require.Equal(t, sandbox.OK, settled(t, results).Outcome, "each of as many more is refused")
	}, few)
	play(t, asking, func(t *testing.T, r *rig) {
		got := settled(t, r.begin(context.Background(), powered(7, power)))
		require.Equal(t, sandbox.Flooded, got.Outcome)
		require.Len(t, got.Asks, 3)
		require.True(t, r.place(1).Closed())
	}, few)
}

func TestNothingIsStartedAheadForWhatWasStoppedOrTerminated(t *testing.T) {
	for title, end := range map[string]func(r *rig){
		"stopped":    func(r *rig) { r.Stop(func(k sandbox.Key) bool { return k.Scope == "gone" }, sandbox.Result{}) },
		"terminated": func(r *rig) { r.TerminateAll(func(k sandbox.Key) bool { return k.Scope == "gone" }) },
		"one key":    func(r *rig) { r.Terminate(sandbox.Key{Revision: "a", Scope: "gone"}) },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, echo, func(t *testing.T, r *rig) {
				q := disposable("a")
				q.Key.Scope = "gone"
				require.Equal(t, sandbox.OK, r.run(q).Outcome)
				end(r)
				pause()
				require.Equal(t, 1, r.wall.Opened())
				require.Empty(t, r.List())
			}, prepared(1))
		})
	}
}

func TestCreditForABodyThatWasGivenUpOrNeverWasChangesNothing(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		body := &pieces{left: 100, size: protocol.BodyCredit / 2}
		results := r.begin(context.Background(), bodied(body))
		r.place(1).Say(&protocol.AskCancel{Call: 1, Ask: 1})
		n := chunks(r.place(1))
		r.place(1).Say(&protocol.Credit{Call: 1, Ask: 1, Bytes: 1 << 50})
		require.Equal(t, n, chunks(r.place(1)))
		require.EqualValues(t, 1, body.closed.Load())
		r.place(1).Say(&protocol.Credit{Call: 1, Ask: 2, Bytes: 1})
		require.Equal(t, sandbox.Crashed, settled(t, results).Outcome)
	})
}
