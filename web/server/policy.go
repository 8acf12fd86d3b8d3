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

// own is what the files with a policy of their own are sent with.
func (o Options) own() map[string]func(http.Header) {
	own := map[string]func(http.Header){}
	for path, row := range map[string]struct {
		policy string
		secure func(http.Header, string)
	}{"/sandbox.html": {o.Frame, secureFrame}, "/popup.html": {o.Popup, securePopup}, "/popup-frame.html": {o.PopupFrame, secureFrame}} {
		if row.policy != "" {
			own[path] = func(h http.Header) { row.secure(h, row.policy) }
		}
	}
	return own
}

// secureFrame gives a page in which code of a tool may run a policy of its own. Connection-Allowlist, where a browser knows it, closes ways that
// no Content-Security-Policy does: names that are looked up, connections opened ahead, WebRTC.
func secureFrame(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Connection-Allowlist", "()")
}

// securePopup is for the window that is led to another site: with an opener policy of its own, the browser would part it from the page at that
// moment, and the page could neither close it nor see that it was closed.
func securePopup(h http.Header, policy string) {
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Opener-Policy", "unsafe-none")
}
