// Package server serves the built console, or any other folder of static files, under the host policy.
//
// New returns an http.Handler. Every response, errors included, carries the policy given (the sandbox page its
// own): a page gets no other one later. Files are read when they are asked for, so that a rebuild shows
// without a restart; their ETag is the hash of their content. Precompressed siblings (.br, .gz) are sent to whoever accepts them.
//
// Names that lead to this machine only by DNS are refused unless allowed: without that, a page elsewhere could have its own
// name point at 127.0.0.1 and read what is served here.
package server
