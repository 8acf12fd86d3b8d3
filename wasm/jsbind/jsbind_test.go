//go:build js && wasm

package jsbind_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/hack-pad/safejs"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// These tests run as wasm under Node: make test.

func eval(t *testing.T, script string) safejs.Value {
	v, err := safejs.Global().Call("eval", script)
	require.NoError(t, err)
	return v
}

// promises is what a loader does: one settle function, and a promise a call.
const promises = `(() => {
	const waiting = new Map(); let calls = 0;
	return {
		settled: 0,
		settle(id, text, error) { this.settled++; const { resolve, reject } = waiting.get(id); waiting.delete(id); error === undefined ? resolve(text) : reject(error) },
		promise(f, args) { return new Promise((resolve, reject) => { const id = ++calls; waiting.set(id, { resolve, reject }); f(id, ...args) }) },
	};
})()`

// export gives JavaScript a function and returns what a call of it from JavaScript settles with, as text.
func export(t *testing.T, fn func(int, []safejs.Value) (string, error)) func(script string) string {
	scope := new(jsbind.Scope)
	t.Cleanup(scope.Close)
	made, err := eval(t, `((p) => [(id, text, error) => p.settle(id, text, error), (f) => (script) => (async () => {
		try { return 'resolved ' + await (0, eval)('(f) => ' + script)((...args) => p.promise(f, args)) }
		catch (e) { return ['rejected', e instanceof Error, e.name, e.code, e.path, e.line, e.column, e.message].join('|') }
	})()])`).Invoke(eval(t, promises))
	require.NoError(t, err)
	settle, err := made.Index(0)
	require.NoError(t, err)
	call, err := made.Index(1)
	require.NoError(t, err)
	f, err := jsbind.Export(scope, settle, fn)
	require.NoError(t, err)
	bound, err := call.Invoke(f)
	require.NoError(t, err)
	return func(script string) string {
		promise, err := bound.Invoke(script)
		require.NoError(t, err)
		v, err := jsbind.Await(t.Context(), promise)
		require.NoError(t, err)
		text, err := v.String()
		require.NoError(t, err)
		return text
	}
}

func TestAPanicAnErrorAndABadArgumentBecomeARejectedPromiseAndTheNextCallWorks(t *testing.T) {
	call := export(t, func(_ int, args []safejs.Value) (string, error) {
		text, err := jsbind.Text(args, 0, "greeting")
		switch {
		case err != nil:
			return "", err
		case text == "panic":
			var m map[string]int
			m["x"] = 1
		case text == "coded":
			return "", &fault.Error{Code: fault.InvalidCode, Message: "bad code", Path: "$.code", Line: 3, Column: 7}
		case text == "plain":
			return "", errors.New("uncoded")
		}
		return "hello " + text, nil
	})
	require.Equal(t, "resolved hello you", call(`f('you')`))
	require.Equal(t, "rejected|true|TaskyonError|internal||||BUG: assignment to entry in nil map", call(`f('panic')`))
	require.Equal(t, "rejected|true|TaskyonError|invalid_code|$.code|3|7|bad code", call(`f('coded')`))
	require.Equal(t, "rejected|true|TaskyonError|internal||||uncoded", call(`f('plain')`))
	for _, bad := range []string{`f()`, `f(1)`, `f(10n)`, `f(null)`, `f(undefined)`, `f(Symbol('s'))`, `f({toString() { throw 1 }})`, `f(() => 1)`,
		`f(new Proxy({}, {get() { throw 1 }}))`, `f(new String('x'))`} {
		require.Equal(t, "rejected|true|TaskyonError|invalid_request||||greeting: want a string", call(bad), bad)
	}
	require.Equal(t, "resolved hello again", call(`f('again')`))
}

func TestEveryValueCanBeAskedForItsType(t *testing.T) {
	for script, want := range map[string]safejs.Type{
		`undefined`: safejs.TypeUndefined, `null`: safejs.TypeNull, `1`: safejs.TypeNumber, `'x'`: safejs.TypeString, `({})`: safejs.TypeObject,
		`Symbol('s')`: safejs.TypeSymbol, `() => 1`: safejs.TypeFunction, `new Proxy({}, { get() { throw 1 } })`: safejs.TypeObject,
		`10n`: safejs.TypeUndefined, `-(2n ** 200n)`: safejs.TypeUndefined,
	} {
		require.Equal(t, want, jsbind.TypeOf(eval(t, `(`+script+`)`)), script)
	}
}

func TestExportedFunctionsMayBeNestedAndAwaitedInsideEachOther(t *testing.T) {
	call := export(t, func(_ int, args []safejs.Value) (string, error) {
		time.Sleep(time.Millisecond)
		return jsbind.Text(args, 0, "x")
	})
	require.Equal(t, "resolved b", call(`f('a').then(() => f('b'))`))
	require.Equal(t, "resolved 1,2,3", call(`Promise.all([f('1'), f('2'), f('3')]).then(String)`))
}

func TestAPanicInAnEventCallbackDoesNotEndTheProgram(t *testing.T) {
	eval(t, `globalThis.consoleError = console.error; console.error = () => {}`)
	defer eval(t, `console.error = consoleError; delete globalThis.consoleError`)
	scope := new(jsbind.Scope)
	defer scope.Close()
	target := eval(t, `new EventTarget()`)
	heard := 0
	require.NoError(t, scope.Listen(target, "ping", func(safejs.Value) {
		if heard++; heard == 1 {
			panic("mine")
		}
	}))
	dispatch := func() {
		f := eval(t, `(t) => { t.dispatchEvent(new Event('ping')) }`)
		_, err := f.Invoke(target)
		require.NoError(t, err)
	}
	dispatch()
	dispatch()
	require.Equal(t, 2, heard)
}

func TestClosingAScopeRemovesItsListenersAndReleasesItsCallbacks(t *testing.T) {
	target := eval(t, `Object.assign(new EventTarget(), { listeners: 0,
		addEventListener(...a) { this.listeners++; EventTarget.prototype.addEventListener.apply(this, a) },
		removeEventListener(...a) { this.listeners--; EventTarget.prototype.removeEventListener.apply(this, a) } })`)
	scope := new(jsbind.Scope)
	heard := 0
	for range 3 {
		require.NoError(t, scope.Listen(target, "ping", func(safejs.Value) { heard++ }))
	}
	var order []int
	scope.Defer(func() { order = append(order, 1) })
	scope.Defer(func() { order = append(order, 2) })
	scope.Close()
	scope.Close()
	require.Equal(t, []int{2, 1}, order, "what was opened last is closed first")
	f := eval(t, `(t) => { t.dispatchEvent(new Event('ping')); return t.listeners }`)
	left, err := f.Invoke(target)
	require.NoError(t, err)
	n, err := left.Int()
	require.NoError(t, err)
	require.Zero(t, n)
	require.Zero(t, heard)
	scope.Defer(func() { order = append(order, 3) })
	require.Equal(t, []int{2, 1, 3}, order, "a closed scope undoes at once")
}

func TestAwaitEndsWithItsPromiseOrItsContext(t *testing.T) {
	v, err := jsbind.Await(t.Context(), eval(t, `Promise.resolve(7)`))
	require.NoError(t, err)
	n, err := v.Int()
	require.NoError(t, err)
	require.Equal(t, 7, n)
	for script, text := range map[string]string{
		`Promise.reject(new Error('why'))`: "why", `Promise.reject('text')`: "text",
		`Promise.reject(Object.defineProperty({}, 'message', { get() { throw 1 } }))`: "", `Promise.reject(1n)`: "",
	} {
		_, err = jsbind.Await(t.Context(), eval(t, script))
		require.ErrorContains(t, err, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = jsbind.Await(ctx, eval(t, `new Promise(() => {})`))
	require.Equal(t, fault.Aborted, fault.CodeOf(err))
}

func TestWaitReturnsWhenEveryPromiseHasSettled(t *testing.T) {
	scope := new(jsbind.Scope)
	defer scope.Close()
	done := make(chan struct{})
	f, err := jsbind.Export(scope, eval(t, `() => {}`), func(int, []safejs.Value) (string, error) { <-done; return "", nil })
	require.NoError(t, err)
	_, err = f.Invoke(1)
	require.NoError(t, err)
	waited := make(chan struct{})
	go func() { scope.Wait(); close(waited) }()
	select {
	case <-waited:
		t.Fatal("returned while a promise was open")
	case <-time.After(20 * time.Millisecond):
	}
	close(done)
	<-waited
}
