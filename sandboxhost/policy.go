package sandboxhost

import "strings"

// FramePolicy is the frame's own Content-Security-Policy, enforced beside the page's, which the frame inherits. scriptHash
// is the CSP source of the frame's one script, `sha256-…`.
func FramePolicy(scriptHash string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src '" + scriptHash + "' 'wasm-unsafe-eval'", "worker-src blob:", "frame-src 'none'",
		"form-action 'none'", "base-uri 'none'", "webrtc 'block'",
	}, "; ")
}

// HostPolicy is the smallest Content-Security-Policy of a page under which the sandbox works. With sandboxes of a served page
// it needs neither the hash nor worker-src, and frame-src is that page's address.
func HostPolicy(scriptHash string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'self' 'wasm-unsafe-eval' '" + scriptHash + "'", "worker-src blob:", "style-src 'self'",
		"img-src 'self' data: blob:", "font-src 'self'", "connect-src 'self' https:", "frame-src 'none'", "form-action 'none'",
		"base-uri 'none'", "frame-ancestors 'none'", "object-src 'none'",
	}, "; ")
}
