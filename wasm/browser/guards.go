//go:build js && wasm && !controls

package browser

// switchable lets tests turn guards of the core off, in builds with the tag `controls` alone.
func switchable() {}
