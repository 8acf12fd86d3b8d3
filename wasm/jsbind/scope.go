//go:build js && wasm

package jsbind

import (
	"fmt"
	"slices"
	"sync"

	"github.com/hack-pad/safejs"
)

// Scope owns callbacks and listeners. Close undoes everything in reverse order; later uses of the scope make nothing.
type Scope struct {
	mu     sync.Mutex
	undo   []func()
	closed bool

	pending sync.WaitGroup
	idle    []chan func() // goroutines that wait for work
}

// mostIdle bounds the goroutines that are kept waiting.
const mostIdle = 8

// work runs f in a goroutine, one that has run before if it can: its stack has grown to what such work needs, and growing it
// anew is a tenth of a warm call.
func (s *Scope) work(f func()) {
	s.mu.Lock()
	var waiting chan func()
	if n := len(s.idle); n > 0 {
		waiting, s.idle = s.idle[n-1], s.idle[:n-1]
	}
	s.mu.Unlock()
	if waiting == nil {
		waiting = make(chan func(), 1)
		go s.worker(waiting)
	}
	waiting <- f
}

func (s *Scope) worker(next chan func()) {
	for f := range next {
		f()
		s.mu.Lock()
		keep := !s.closed && len(s.idle) < mostIdle
		if keep {
			s.idle = append(s.idle, next)
		}
		s.mu.Unlock()
		if !keep {
			return
		}
	}
}

// Wait blocks until every promise that an exported function of this scope gave out has settled.
func (s *Scope) Wait() { s.pending.Wait() }

// Defer adds an undo step; on a closed scope it runs at once.
func (s *Scope) Defer(undo func()) {
	s.mu.Lock()
	if !s.closed {
		s.undo = append(s.undo, undo)
		s.mu.Unlock()
		return
	}
	s.mu.Unlock()
	undo()
}

// Close releases everything. It may be called twice.
func (s *Scope) Close() {
	s.mu.Lock()
	undo, idle := s.undo, s.idle
	s.undo, s.idle, s.closed = nil, nil, true
	s.mu.Unlock()
	for _, waiting := range idle {
		close(waiting)
	}
	for _, f := range slices.Backward(undo) {
		f()
	}
}

// Func makes a JavaScript function of fn, released with the scope. A panic in fn is reported to the console and returns
// undefined to JavaScript; the program goes on. fn must not block: it runs inside JavaScript's call.
func (s *Scope) Func(fn func(args []safejs.Value) any) (safejs.Value, error) {
	f, err := safejs.FuncOf(func(_ safejs.Value, args []safejs.Value) (result any) {
		defer func() {
			if p := recover(); p != nil {
				report(p)
				result = nil
			}
		}()
		return fn(args)
	})
	if err != nil {
		return safejs.Value{}, err
	}
	s.Defer(f.Release)
	return f.Value(), nil
}

// Listen adds an event listener that is removed with the scope.
func (s *Scope) Listen(target safejs.Value, event string, fn func(event safejs.Value)) error {
	f, err := s.Func(func(args []safejs.Value) any {
		if len(args) > 0 {
			fn(args[0])
		}
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := target.Call("addEventListener", event, f); err != nil {
		return err
	}
	s.Defer(func() { _, _ = target.Call("removeEventListener", event, f) })
	return nil
}

// report shows our own mistake where a developer looks; there is nobody to return it to.
func report(p any) {
	if console, err := safejs.Global().Get("console"); err == nil {
		_, _ = console.Call("error", fmt.Sprintf("taskyon: BUG: %v", p))
	}
}
