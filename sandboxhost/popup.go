package sandboxhost

import "strings"

// PopupPage is the file popup.html: a window that a page opens for one of its functions.
func PopupPage(scriptHash, script string) string {
	return popupFile(PopupPolicy(scriptHash), script)
}

// PopupFramePage is the file popup-frame.html: the frame in that window in which html of a tool lives.
func PopupFramePage(script string) string { return popupFile(PopupFramePolicy(), script) }

func popupFile(policy, script string) string {
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="` + policy +
		`"><meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,"><title>Tool window</title></head><body><script>` +
		script + `</script></body></html>`
}

// PopupPolicy is the Content-Security-Policy in popup.html: its one script, and frames of this site, which that script forbids too when it
// has the one that it wants.
func PopupPolicy(scriptHash string) string {
	return strings.Join([]string{
		"default-src 'none'", "script-src '" + scriptHash + "'", "img-src data:", "frame-src 'self'", "form-action 'none'", "base-uri 'none'",
		"require-trusted-types-for 'script'", "trusted-types 'none'", "webrtc 'block'",
	}, "; ")
}

// PopupPagePolicy is what popup.html is sent with: its own policy once more, and what a file cannot say of itself.
func PopupPagePolicy(scriptHash string) string {
	return PopupPolicy(scriptHash) + "; frame-ancestors 'none'"
}

// PopupFramePolicy is the Content-Security-Policy in popup-frame.html. What html of a tool brings along it may use; it reaches nothing else.
func PopupFramePolicy() string {
	return strings.Join([]string{
		"default-src 'none'", "script-src 'unsafe-inline'", "style-src 'unsafe-inline'", "img-src data: blob:", "media-src data: blob:", "font-src data:",
		"form-action 'none'", "base-uri 'none'", "webrtc 'block'",
	}, "; ")
}

// PopupFramePagePolicy is what popup-frame.html is sent with. Who opens the file by its address gets an opaque origin too.
func PopupFramePagePolicy() string {
	return PopupFramePolicy() + "; sandbox allow-scripts allow-forms; frame-ancestors 'self'"
}
