//go:build !controls

// Package guard names the protections of the core that test builds can turn off, to prove that a contract notices. core/contracts
// lists the names and says what each is.
package guard

// On tells whether a guard is on. In what ships every guard is on: this is a constant to the compiler, which leaves out the switch and
// the name. A build with the tag `controls`, made for tests alone, can turn one off.
func On(string) bool { return true }
