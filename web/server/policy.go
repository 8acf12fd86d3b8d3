package server

import "net/http"

// permissions turns off what neither the console nor a popup of a trusted tool needs.
const permissions = "camera=(), microphone=(), geolocation=(), display-capture=(), payment=(), usb=(), serial=(), hid=(), " +
	"midi=(), clipboard-read=(), screen-wake-lock=(), xr-spatial-tracking=()"

func secure(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin-allow-popups")
	h.Set("Permissions-Policy", permissions)
	h.Set("Cache-Control", "no-cache")
}

// sandboxPage is what frames of the served kind show.
const sandboxPage = "sandbox.html"

// secureFrame gives the sandbox page a policy of its own. Connection-Allowlist, where a browser knows it, closes ways that no
// Content-Security-Policy does: names that are looked up, connections opened ahead, WebRTC.
func secureFrame(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Connection-Allowlist", "()")
}
