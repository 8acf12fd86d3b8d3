//go:build controls && js && wasm

package sandboxhost

import "github.com/hack-pad/safejs"

// guarded reads the guards that a test page has turned off: `globalThis.taskyonGuardsOff = ['frame-policy']`.
func guarded(name string) bool {
	off, err := safejs.Global().Get("taskyonGuardsOff")
	if err != nil || off.IsUndefined() {
		return true
	}
	found, err := off.Call("includes", name)
	if err != nil {
		return true
	}
	yes, err := found.Bool()
	return err != nil || !yes
}
