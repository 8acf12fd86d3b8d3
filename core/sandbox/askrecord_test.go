package sandbox_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

func TestTheRecordOfACallTellsEveryAskAndWhatBecameOfIt(t *testing.T) {
	power := func(_ context.Context, ask sandbox.Ask) sandbox.Answer {
		switch ask.Params {
		case 1.0:
			ask.Note(func(r *sandbox.AskRecord) { r.Scope, r.Class, r.BytesIn = "https://api.example.com", "read", 7 })
			_ = ask.Send()
			time.Sleep(seconds(1))
			return answer("yes")
		case 2.0:
			return sandbox.Answer{Answer: protocol.Answer{Error: &protocol.Fault{Code: "denied", Message: "no"}}}
		case 3.0:
			ask.Note(func(r *sandbox.AskRecord) { r.Reason = "too_large"; r.Scope = strings.Repeat("s", 600) })
			return sandbox.Answer{Answer: protocol.Answer{Error: &protocol.Fault{Code: "failed", Message: "no"}}}
		}
		return answer(nil)
	}
	play(t, asking, func(t *testing.T, r *rig) {
		results := r.begin(context.Background(), powered(4, power))
		time.Sleep(seconds(2))
		r.place(1).Return(1, "on")
		require.Equal(t, []sandbox.AskRecord{
			{Capability: "fetch", Decision: sandbox.AskAllowed, Scope: "https://api.example.com", Class: "read", Sent: true, BytesIn: 7, Duration: seconds(1)},
			{Capability: "fetch", Decision: sandbox.AskDenied, Reason: "denied"},
			{Capability: "fetch", Decision: sandbox.AskFailed, Reason: "too_large", Scope: strings.Repeat("s", 512)},
		}, settled(t, results).Asks, "the last one was more than there may be, and was refused")
		require.Contains(t, r.place(1).Heard(), "answer")
	}, func(l *limits.Limits) { l.AsksPerCall = 3 })
}

func TestAWriteThatHasLeftIsInTheRecordOfACallThatWasEndedAndNoneLeavesAfterwards(t *testing.T) {
	for title, end := range map[string]func(*rig, context.CancelFunc){
		"aborted":  func(_ *rig, cancel context.CancelFunc) { cancel() },
		"timeout":  func(*rig, context.CancelFunc) { time.Sleep(11 * time.Minute) },
		"lost":     func(r *rig, _ context.CancelFunc) { r.place(1).Lose("gone") },
		"returned": func(r *rig, _ context.CancelFunc) { r.place(1).Return(1, nil) },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, asking, func(t *testing.T, r *rig) {
				over, late := make(chan struct{}), make(chan error, 2)
				power := func(_ context.Context, ask sandbox.Ask) sandbox.Answer {
					if ask.Params == 1.0 {
						ask.Note(func(r *sandbox.AskRecord) { r.Class = "write" })
						if err := ask.Send(); err != nil {
							late <- err
						}
					}
					<-over
					ask.Note(func(r *sandbox.AskRecord) { r.Scope = "late" })
					late <- ask.Send()
					return answer(nil)
				}
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				results := r.begin(ctx, powered(2, power))
				end(r, cancel)
				got := settled(t, results).Asks
				close(over)
				synctest.Wait()
				require.Len(t, got, 2)
				require.Equal(t, []bool{true, false}, []bool{got[0].Sent, got[1].Sent})
				require.Equal(t, "write", got[0].Class)
				require.Equal(t, sandbox.AskOpen, got[0].Decision)
				for range 2 {
					require.Equal(t, fault.Aborted, fault.CodeOf(<-late), "what has not left by then never does")
				}
			})
		})
	}
}

func TestAnAskThatTheToolGaveUpSendsNothingMore(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		late := make(chan error, 1)
		power := func(ctx context.Context, ask sandbox.Ask) sandbox.Answer {
			<-ctx.Done()
			late <- ask.Send()
			return answer(nil)
		}
		results := r.begin(context.Background(), powered(1, power))
		r.place(1).Say(&protocol.AskCancel{Call: 1, Ask: 1})
		synctest.Wait()
		require.Equal(t, fault.Aborted, fault.CodeOf(<-late))
		r.place(1).Return(1, nil)
		got := settled(t, results).Asks
		require.Len(t, got, 1)
		require.Equal(t, sandbox.AskWithdrawn, got[0].Decision)
		require.False(t, got[0].Sent)
	})
}
