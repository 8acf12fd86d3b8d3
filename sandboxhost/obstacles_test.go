package sandboxhost_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
)

func TestTheMessageNamesTheDirectiveThatBlocksAndTheLineToAdd(t *testing.T) {
	const noScript = "the page's policy blocks it: script-src lacks 'sha256-x'; add it to the page's script-src"
	for _, c := range []struct{ policy, want string }{
		{"", ""},
		{"img-src 'none'", ""},
		{sandboxhost.HostPolicy("sha256-x"), ""},
		{sandboxhost.FramePolicy("sha256-x"), ""},
		{"script-src 'self' blob:", noScript},
		{" Script-Src 'self' BLOB: ; script-src 'sha256-x'", noScript},
		{"script-src 'unsafe-inline' blob:", ""},
		{"script-src 'unsafe-inline' 'nonce-a' blob:", noScript},
		{"script-src 'unsafe-inline' 'sha256-X' blob:", noScript},
		{"script-src 'unsafe-inline' 'strict-dynamic'", noScript},
		{"script-src 'sha384-x' blob:", ""},
		{"script-src 'sha256-x'; script-src-elem 'self'; worker-src blob:",
			"the page's policy blocks it: script-src-elem lacks 'sha256-x'; add it to the page's script-src-elem"},
		{"default-src 'self' blob:", "the page's policy blocks it: there is no script-src, and default-src lacks 'sha256-x'; add script-src with 'sha256-x' to the page's policy"},
		{"script-src 'sha256-x'; worker-src 'self'", "the page's policy blocks it: worker-src lacks blob:; add it to the page's worker-src"},
		{"script-src 'sha256-x'", "the page's policy blocks it: there is no worker-src, and script-src lacks blob:; add worker-src with blob: to the page's policy"},
		{"child-src 'self'; script-src 'sha256-x' blob:", "the page's policy blocks it: there is no worker-src, and child-src lacks blob:; add worker-src with blob: to the page's policy"},
		{"require-trusted-types-for 'script'", "the page's policy blocks it: require-trusted-types-for 'script' lets no text become a frame; " +
			"leave it out, or load with sandbox: { page: … }"},
		{"script-src 'self'; worker-src 'none'", noScript + "; and worker-src lacks blob:; add it to the page's worker-src"},
	} {
		require.Equal(t, c.want, sandboxhost.Blocked("the page's", sandboxhost.Obstacles([]string{c.policy}, "sha256-x")), c.policy)
	}
}

func TestEveryPolicyOfAPageCountsAndNoObstacleIsToldTwice(t *testing.T) {
	all := sandboxhost.Obstacles([]string{"script-src 'self' blob:", "worker-src 'none'", "script-src https: blob:"}, "sha256-x")
	require.Equal(t, []sandboxhost.Need{sandboxhost.NeedScript, sandboxhost.NeedWorker}, []sandboxhost.Need{all[0].Need, all[1].Need})
	require.Len(t, all, 2)
}

func TestTheSandboxPageIsSentWithItsOwnPolicyAndWhatAFileCannotSay(t *testing.T) {
	require.Equal(t, "default-src 'none'; script-src 'sha256-x' 'wasm-unsafe-eval'; worker-src blob:; frame-src 'none'; form-action 'none'; "+
		"base-uri 'none'; webrtc 'block'; sandbox allow-scripts; frame-ancestors 'self'", sandboxhost.PagePolicy("sha256-x"))
	require.Equal(t, `<!doctype html><html><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="p"><title>sandbox</title></head>`+
		`<body><script>s</script></body></html>`, sandboxhost.Page("p", "s"))
}
