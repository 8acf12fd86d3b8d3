// Package console is the console page without its browser: the state a person sees and everything a click does to it.
//
// Model holds the state. Whoever draws it calls its methods with the Screen locked and reads its fields under the same lock;
// what takes time runs in a goroutine of its own and comes back under the lock. The page (package ui, in Vugu) only draws, so
// that all behaviour is tested natively here.
//
// Text that comes from a tool (names, logs, results, errors) is data: nothing here makes markup of it.
package console
