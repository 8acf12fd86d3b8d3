//go:build !controls

package sandboxhost

// guarded tells whether a named guard is on. In what ships every guard is on; a build with the tag `controls`, made for
// tests alone, can turn one off to prove that a contract notices.
func guarded(string) bool { return true }
