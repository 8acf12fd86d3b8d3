// Package contracts holds the security contracts as data: promises that a program can check on every host.
//
// A contract brings its own tools, what to do with them and what must come of it. Whoever runs it installs the tools, takes the
// steps and compares; a canary listens all the while. Each contract names the guard that it watches: with that guard turned off,
// which only test builds can do, the contract must fail. An id never changes its meaning; Version counts changes of the list.
package contracts
