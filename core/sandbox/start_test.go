package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

func TestASandboxIsToldHowMuchItsToolMaySend(t *testing.T) {
	for given, want := range map[int]int{1000: 1000, 16 << 20: 16 << 20, 1 << 30: 63 << 20} {
		var told protocol.Budget
		script := func(p *sandboxtest.Place, m protocol.Message) {
			if start, ok := m.(*protocol.Start); ok {
				told = start.Limits
			}
			echo(p, m)
		}
		play(t, script, func(t *testing.T, r *rig) { r.run(request()) }, func(l *limits.Limits) { l.BodyBytes = given })
		require.Equal(t, want, told.BodyBytes, "a body that no message holds would end the sandbox and not the request")
		require.Equal(t, limits.Default().BytesPerWindow, told.BytesPerWindow)
	}
}
