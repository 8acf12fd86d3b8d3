//go:build js && wasm

package jsbind

import "github.com/hack-pad/safejs"

// TypeOf is the type of any value, also of one that syscall/js panics on when it is asked (a BigInt): that is undefined, so it is
// refused like whatever else is not wanted.
func TypeOf(v safejs.Value) (t safejs.Type) {
	defer func() {
		if recover() != nil {
			t = safejs.TypeUndefined
		}
	}()
	return v.Type()
}
