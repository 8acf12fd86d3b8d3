//go:build js && wasm

package jsbind

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Export makes a JavaScript function (id, ...args) of fn. It returns at once; fn works in a goroutine of its own, and its text
// or its error goes to settle, a JavaScript function (id, text, error), exactly once. A panic in fn is an error too, and errors
// are Errors that carry the fault's fields. JavaScript makes a promise of it in three lines; Go making it would cost more than
// all the rest of a short call, since every promise, and both its ends, would be objects that Go has to track.
func Export(s *Scope, settle safejs.Value, fn func(id int, args []safejs.Value) (string, error)) (safejs.Value, error) {
	return s.Func(func(args []safejs.Value) any {
		id, err := 0, error(nil)
		if len(args) > 0 && args[0].Type() == safejs.TypeNumber {
			id, err = args[0].Int()
		}
		if id == 0 || err != nil {
			report("an exported function was called without an id")
			return nil
		}
		s.pending.Add(1)
		s.work(func() {
			defer s.pending.Done()
			answer(settle, id, func() (string, error) { return fn(id, args[1:]) })
		})
		return nil
	})
}

func answer(settle safejs.Value, id int, fn func() (string, error)) {
	text, err := guarded(fn)
	if err == nil {
		_, err = settle.Invoke(id, text)
	} else {
		_, err = settle.Invoke(id, "", errorOf(err))
	}
	if err != nil {
		report(err)
	}
}

func guarded(fn func() (string, error)) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fault.New(fault.Internal, "BUG: %v", p)
		}
	}()
	return fn()
}

// Text reads a string argument; anything else, and a missing one, is invalid_request. A raw foreign value is never asked
// for more than its type.
func Text(args []safejs.Value, i int, name string) (string, error) {
	if i >= len(args) || TypeOf(args[i]) != safejs.TypeString {
		return "", fault.New(fault.InvalidRequest, "%s: want a string", name)
	}
	return args[i].String()
}

// errorOf makes the JavaScript Error of err: name TaskyonError, code, message and, where known, path, line and column.
func errorOf(err error) any {
	f := fault.From(err)
	class, failed := safejs.Global().Get("Error")
	if failed != nil {
		return f.Message
	}
	value, failed := class.New(f.Message)
	if failed != nil {
		return f.Message
	}
	fields := map[string]any{"name": "TaskyonError", "code": string(f.Code)}
	if f.Path != "" {
		fields["path"] = f.Path
	}
	if f.Line > 0 {
		fields["line"] = f.Line
	}
	if f.Column > 0 {
		fields["column"] = f.Column
	}
	for name, field := range fields {
		if failed := value.Set(name, field); failed != nil {
			report(failed)
		}
	}
	return safejs.Unsafe(value)
}
