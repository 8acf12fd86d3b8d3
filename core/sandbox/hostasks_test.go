package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

func answered(code string) sandbox.Answer {
	if code == "" {
		return sandbox.Answer{}
	}
	return sandbox.Answer{Answer: protocol.Answer{Error: &protocol.Fault{Code: code}}}
}

func TestWhatAFunctionOfTheHostAsksForIsKeptInOrderAndBounded(t *testing.T) {
	l := limits.Default()
	l.AsksPerCall = 3
	h := sandbox.NewHostAsks(l, sandbox.SystemClock{})
	for _, code := range []string{"", "denied", "blocked", ""} {
		a := h.Do(protocol.CapabilityPopup, func(ask sandbox.Ask) sandbox.Answer {
			ask.Note(func(r *sandbox.AskRecord) { r.Scope = "custom-html" })
			require.NoError(t, ask.Send())
			return answered(code)
		})
		if a.Error != nil && code == "" {
			require.Equal(t, "denied", a.Error.Code)
		}
	}
	var decisions []sandbox.Decision
	for _, r := range h.End() {
		require.Equal(t, []any{"popup", "custom-html", true}, []any{r.Capability, r.Scope, r.Sent})
		decisions = append(decisions, r.Decision)
	}
	require.Equal(t, []sandbox.Decision{sandbox.AskAllowed, sandbox.AskDenied, sandbox.AskFailed}, decisions)
}

func TestNothingIsSentOrNotedForAFunctionWhoseCallHasEnded(t *testing.T) {
	l := limits.Default()
	l.Asks = 1
	h := sandbox.NewHostAsks(l, sandbox.SystemClock{})
	h.Do(protocol.CapabilityPopup, func(ask sandbox.Ask) sandbox.Answer {
		require.NotNil(t, h.Do(protocol.CapabilityPopup, func(sandbox.Ask) sandbox.Answer { return answered("") }).Error, "so many are open at once")
		records := h.End()
		require.Len(t, records, 1)
		require.Equal(t, sandbox.AskOpen, records[0].Decision)
		require.Error(t, ask.Send())
		ask.Note(func(*sandbox.AskRecord) { t.Error("noted") })
		return answered("")
	})
	require.NotNil(t, h.Do(protocol.CapabilityPopup, func(sandbox.Ask) sandbox.Answer { return answered("") }).Error)
	require.Equal(t, sandbox.AskOpen, h.End()[0].Decision)
}
