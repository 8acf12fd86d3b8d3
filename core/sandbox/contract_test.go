package sandbox_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

func TestAScriptedWallKeepsTheContract(t *testing.T) {
	sandboxtest.Contract(t, func(t testing.TB) sandboxtest.Host {
		wall := sandboxtest.New(sandboxtest.Player)
		t.Cleanup(func() { require.NoError(t, wall.Breaches()) })
		return sandboxtest.Host{Wall: wall, Code: sandboxtest.Scripted, Live: wall.Live}
	})
}
