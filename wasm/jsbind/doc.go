// Package jsbind is the border between Go and JavaScript: the only place of the project that makes a callback.
//
// A panic inside a bare callback ends the whole Go program. Here every callback recovers, every exported function returns
// at once, works in a goroutine of its own and settles exactly once, and every error reaches JavaScript as an Error with a closed
// `code`, whether it was returned, panicked with, or a bad argument.
// A Scope owns what was made in it: closing it releases every callback.
package jsbind
