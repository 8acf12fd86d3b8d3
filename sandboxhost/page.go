package sandboxhost

import "strings"

// Page is the whole text of a place's frame, and of the file sandbox.html that holds the same for a frame with an address. Policy
// may be empty in builds for tests alone.
func Page(policy, script string) string {
	meta := ""
	if policy != "" {
		meta = `<meta http-equiv="Content-Security-Policy" content="` + policy + `">`
	}
	return `<!doctype html><html><head><meta charset="utf-8">` + meta + `<title>sandbox</title></head><body><script>` + script +
		`</script></body></html>`
}

// PagePolicy is the Content-Security-Policy that sandbox.html is sent with: its own once more, and what a file cannot say of
// itself. Who opens the file by its address gets an opaque origin too, and only pages of its own origin may show it in a frame.
func PagePolicy(scriptHash string) string {
	return strings.Join([]string{FramePolicy(scriptHash), "sandbox allow-scripts", "frame-ancestors 'self'"}, "; ")
}
