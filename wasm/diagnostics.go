//go:build js && wasm

package main

import "context"

// environment tells what this page lets the engine do, as facts with closed ids.
func environment(ctx context.Context, r request) (string, error) {
	return encode(r.api.opened.Environment(ctx))
}
