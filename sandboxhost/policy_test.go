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

func TestTheWindowsOfToolsHaveThePoliciesThatAreDocumented(t *testing.T) {
	require.Equal(t, "default-src 'none'; script-src 'sha256-x'; img-src data:; frame-src 'self'; form-action 'none'; base-uri 'none'; "+
		"require-trusted-types-for 'script'; trusted-types 'none'; webrtc 'block'; frame-ancestors 'none'", sandboxhost.PopupPagePolicy("sha256-x"))
	require.Equal(t, "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; media-src data: blob:; font-src data:; "+
		"form-action 'none'; base-uri 'none'; webrtc 'block'; sandbox allow-scripts allow-forms; frame-ancestors 'self'", sandboxhost.PopupFramePagePolicy())
	for _, file := range []string{sandboxhost.PopupPage("sha256-x", "s"), sandboxhost.PopupFramePage("s")} {
		require.Contains(t, file, `<meta name="referrer" content="no-referrer">`)
		require.Contains(t, file, `<body><script>s</script></body></html>`)
	}
	require.Contains(t, sandboxhost.PopupPage("sha256-x", "s"), `content="`+sandboxhost.PopupPolicy("sha256-x")+`"`)
	require.Contains(t, sandboxhost.PopupFramePage("s"), `content="`+sandboxhost.PopupFramePolicy()+`"`)
}
