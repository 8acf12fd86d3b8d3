// Package sandboxtest tests walls and the manager over them.
//
// Wall is a wall without walls: its places follow a script, in Go, and may say anything at any time, also what no place should.
// It follows the host's side of every conversation too, so that a manager that speaks out of turn is noticed.
//
// Contract is what every wall promises to the manager. A wall joins it with a Host: itself, and the tools of the list of
// behaviours in its own language.
package sandboxtest
