package bootstrap

import _ "embed"

//go:embed dist/popup.js
var popup string

//go:embed dist/popup.sha256
var popupHash string

//go:embed dist/popupframe.js
var popupFrame string

// Popup is the one inline script of popup.html, the window that a page opens for one of its functions.
func Popup() string { return popup }

// PopupHash names Popup as a Content-Security-Policy source, `sha256-…`.
func PopupHash() string { return popupHash }

// PopupFrame is the script of popup-frame.html, the frame in that window in which html of a tool lives.
func PopupFrame() string { return popupFrame }
