//go:build controls && js && wasm

package sandboxhost

import (
	"crypto/sha256"
	"encoding/base64"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/sandboxhost/bootstrap"
)

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

// Guarded tells the core of the same list.
func Guarded(name string) bool { return guarded(name) }

// script is the script that a test page has put in the place of the frame's: `globalThis.taskyonFrame`, a text. Guards behind
// the wall are off in such a script, or it plays a frame that an attacker holds.
func script() (text, hash string) {
	given, err := safejs.Global().Get("taskyonFrame")
	if err == nil && given.Type() == safejs.TypeString {
		if text, err = given.String(); err == nil {
			sum := sha256.Sum256([]byte(text))
			return text, "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
		}
	}
	return bootstrap.Frame(), bootstrap.FrameHash()
}
