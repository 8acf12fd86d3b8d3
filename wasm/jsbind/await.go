//go:build js && wasm

package jsbind

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Await waits for a promise in a goroutine (never inside a callback). A rejection becomes an error with its text; a ctx that
// ends first gives aborted, and what the promise brings later is let go. The callbacks are released when it settles.
func Await(ctx context.Context, promise safejs.Value) (safejs.Value, error) {
	type settled struct {
		value safejs.Value
		err   error
	}
	done := make(chan settled, 1)
	scope := new(Scope)
	end := func(s settled) any {
		done <- s
		scope.Close()
		return nil
	}
	ok, err := scope.Func(func(args []safejs.Value) any { return end(settled{value: first(args)}) })
	if err != nil {
		return safejs.Value{}, err
	}
	bad, err := scope.Func(func(args []safejs.Value) any {
		return end(settled{err: fault.New(fault.Unavailable, "%s", textOf(first(args)))})
	})
	if err == nil {
		_, err = promise.Call("then", ok, bad)
	}
	if err != nil {
		scope.Close()
		return safejs.Value{}, err
	}
	select {
	case s := <-done:
		return s.value, s.err
	case <-ctx.Done():
		return safejs.Value{}, fault.New(fault.Aborted, "wait: %v", ctx.Err())
	}
}

func first(args []safejs.Value) safejs.Value {
	if len(args) == 0 {
		return safejs.Undefined()
	}
	return args[0]
}

// textOf describes a rejection. A getter that throws while Go reads a property would unwind the Go program, since only calls
// are guarded by Go's JavaScript side: so the property of a foreign value is read by a call, Reflect.get.
func textOf(v safejs.Value) (text string) {
	defer func() {
		if recover() != nil {
			text = "rejected"
		}
	}()
	if v.Type() == safejs.TypeObject {
		if reflect, err := safejs.Global().Get("Reflect"); err == nil {
			v, err = reflect.Call("get", v, "message")
			if err != nil {
				return "rejected with an unreadable error"
			}
		}
	}
	if v.Type() != safejs.TypeString {
		return "rejected with a " + v.Type().String()
	}
	text, _ = v.String()
	return text
}
