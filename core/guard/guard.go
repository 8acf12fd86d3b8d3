//go:build !controls

// Package guard names the protections of the core that test builds can turn off, to prove that a contract notices. core/contracts
// lists the names and says what each is.
package guard

// Fixed stands before each question for a guard (`guard.Fixed || guard.On("name")`). In what ships every guard is on: with a constant in
// front, the compiler leaves out the question and the name, whether it inlines or not.
const Fixed = true

// On tells whether a guard is on. A build with the tag `controls`, made for tests alone, can turn one off.
func On(string) bool { return true }
