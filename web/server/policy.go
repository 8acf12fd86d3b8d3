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
