package bootstrap

import _ "embed"

//go:embed dist/frame.js
var frame string

//go:embed dist/frame.sha256
var frameHash string

// Frame is the one inline script of a sandbox frame. It holds supervisor and tool runtime as strings.
func Frame() string { return frame }

// FrameHash names Frame as a Content-Security-Policy source, `sha256-…`.
func FrameHash() string { return frameHash }
