package sandboxhost_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
)

func TestThePoliciesAreTheDocumentedOnesWordForWord(t *testing.T) {
	require.Equal(t, "default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-x'; worker-src blob:; style-src 'self'; "+
		"img-src 'self' data: blob:; font-src 'self'; connect-src 'self' https:; frame-src 'none'; form-action 'none'; "+
		"base-uri 'none'; frame-ancestors 'none'; object-src 'none'", sandboxhost.HostPolicy("sha256-x"))
	require.Equal(t, "default-src 'none'; script-src 'sha256-x' 'wasm-unsafe-eval'; worker-src blob:; frame-src 'none'; "+
		"form-action 'none'; base-uri 'none'; webrtc 'block'", sandboxhost.FramePolicy("sha256-x"))
}
