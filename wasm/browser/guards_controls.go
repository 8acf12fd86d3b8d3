//go:build js && wasm && controls

package browser

import (
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
)

// switchable lets a test page turn guards of the core off, by the list that those of sandboxhost are in.
func switchable() { guard.Switch(sandboxhost.Guarded) }
