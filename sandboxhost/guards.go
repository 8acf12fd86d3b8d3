//go:build !controls

package sandboxhost

import "github.com/xyntopia/taskyon-sandbox/sandboxhost/bootstrap"

// guarded tells whether a named guard is on. In what ships every guard is on; a build with the tag `controls`, made for
// tests alone, can turn one off to prove that a contract notices. core/contracts lists the names.
func guarded(string) bool { return true }

// script is the frame's one script and the CSP source that names it.
func script() (text, hash string) { return bootstrap.Frame(), bootstrap.FrameHash() }
