package sandbox_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

func retained(n int) func(*limits.Limits) { return func(l *limits.Limits) { l.Retained = n } }

// waiting is a call of a revision that takes as many milliseconds, negative: for ever.
func waiting(revision string, ms float64) sandbox.Request {
	q := of(revision)
	q.Args = ms
	return q
}

func (r *rig) revisions() []string {
	synctest.Wait()
	var all []string
	for _, info := range r.List() {
		all = append(all, info.Key.Revision)
	}
	return all
}

func TestNoMoreSandboxesAreRetainedThanMayBeAndTheLeastRecentlyUsedEnds(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		for _, revision := range []string{"a", "b", "c", "a"} {
			require.Equal(t, sandbox.OK, r.run(waiting(revision, 1)).Outcome)
		}
		require.Equal(t, []string{"a", "b", "c"}, r.revisions(), "at the edge")
		require.Equal(t, sandbox.OK, r.run(waiting("d", 1)).Outcome)
		require.Equal(t, []string{"a", "c", "d"}, r.revisions(), "one past: b was used least recently")
		require.True(t, r.place(2).Closed())
		disposable := waiting("e", 1)
		disposable.Disposable = true
		require.Equal(t, sandbox.OK, r.run(disposable).Outcome)
		require.Equal(t, []string{"a", "c", "d"}, r.revisions(), "a disposable one is not retained")
		require.Equal(t, sandbox.OK, r.run(waiting("b", 1)).Outcome, "what was ended starts anew")
		require.Equal(t, []string{"a", "d", "b"}, r.revisions())
	}, retained(3))
}

func TestABusySandboxIsNeverEndedForRoom(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		first := r.begin(context.Background(), waiting("a", 3000))
		second := r.begin(context.Background(), waiting("b", 1000))
		third := r.begin(context.Background(), waiting("c", 2000))
		require.Equal(t, []string{"a", "b", "c"}, r.revisions(), "all are busy: there are more for the moment")
		require.Equal(t, sandbox.OK, (<-second).Outcome)
		require.Equal(t, []string{"a", "c"}, r.revisions(), "the first that is idle ends")
		require.Equal(t, sandbox.OK, (<-third).Outcome)
		require.Equal(t, sandbox.OK, (<-first).Outcome)
		require.Equal(t, []string{"a", "c"}, r.revisions())
	}, retained(2))
	play(t, wait, func(t *testing.T, r *rig) {
		running := r.begin(context.Background(), waiting("a", 1000))
		queued := r.begin(context.Background(), waiting("a", 1000))
		require.Equal(t, sandbox.OK, r.run(waiting("b", 1)).Outcome)
		require.Equal(t, []string{"a"}, r.revisions(), "of a busy one and one that has just become idle, the idle one ends")
		require.Equal(t, sandbox.OK, (<-running).Outcome)
		require.Equal(t, sandbox.OK, (<-queued).Outcome)
		require.Equal(t, []string{"a"}, r.revisions())
		require.Equal(t, []string{"start", "call", "call"}, r.place(1).Heard())
	}, retained(1))
}

func TestAWarmSandboxIsNotARetainedOne(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(waiting("a", 1)).Outcome)
		require.Equal(t, sandbox.OK, r.run(waiting("b", 1)).Outcome)
		time.Sleep(seconds(1))
		require.Equal(t, 3, r.Warm())
		require.Equal(t, []string{"a", "b"}, r.revisions())
	}, retained(2), warm(3))
}

func TestAnIdleSandboxEnds(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(waiting("a", 0)).Outcome)
		time.Sleep(seconds(30))
		require.Equal(t, sandbox.OK, r.run(waiting("b", 0)).Outcome)
		time.Sleep(seconds(30) - time.Millisecond)
		require.Equal(t, []string{"a", "b"}, r.revisions(), "just before the edge")
		time.Sleep(time.Millisecond)
		require.Equal(t, []string{"b"}, r.revisions())
		require.True(t, r.place(1).Closed())
		require.Equal(t, sandbox.OK, r.run(waiting("b", 0)).Outcome)
		time.Sleep(seconds(59))
		require.Equal(t, []string{"b"}, r.revisions(), "every call lets it live longer")
		running := r.begin(context.Background(), waiting("b", 90_000))
		time.Sleep(seconds(89))
		require.Equal(t, []string{"b"}, r.revisions(), "one that runs is not idle")
		require.Equal(t, sandbox.OK, (<-running).Outcome)
		time.Sleep(seconds(61))
		require.Empty(t, r.revisions())
		require.Zero(t, r.wall.Live())
	}, func(l *limits.Limits) { l.Idle, l.Call = time.Minute, time.Hour })
}

func TestWarmSandboxesEndWhenNothingWasUsedForLong(t *testing.T) {
	play(t, wait, func(t *testing.T, r *rig) {
		require.Equal(t, sandbox.OK, r.run(waiting("a", 0)).Outcome)
		time.Sleep(seconds(59))
		require.Equal(t, 1, r.Warm())
		require.Equal(t, sandbox.OK, r.run(waiting("a", 0)).Outcome)
		time.Sleep(seconds(59))
		require.Equal(t, 1, r.Warm())
		time.Sleep(seconds(2))
		require.Zero(t, r.Warm())
		require.Zero(t, r.wall.Live())
		time.Sleep(time.Hour)
		require.Equal(t, 2, r.wall.Opened())
		require.Equal(t, sandbox.OK, r.run(waiting("a", 0)).Outcome)
		pause()
		require.Equal(t, 1, r.Warm(), "the next start brings it back")
	}, warm(1), func(l *limits.Limits) { l.Idle = time.Minute })
}
