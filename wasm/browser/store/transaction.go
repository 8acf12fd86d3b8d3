//go:build js && wasm

package store

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// transaction is one IndexedDB transaction. Its methods are called by its script and by the callbacks of its requests only.
type transaction struct {
	js      safejs.Value
	open    map[string]safejs.Value // object stores and indexes
	success safejs.Value
	there   safejs.Value
	// waiting are the callbacks of open requests. Requests of a transaction succeed in the order in which they were made.
	waiting []func(result safejs.Value)
	failed  error
}

// object names an object store, or an index of one.
type object struct{ store, index string }

// transact runs script in a transaction over the object stores and waits until it is committed or undone. An error of the
// script, of a callback (fail), or of a request undoes all of it.
func (s *Store) transact(ctx context.Context, mode, doing string, stores []any, script func(*transaction)) error {
	if err := s.lost(); err != nil {
		return err
	}
	scope := new(jsbind.Scope)
	defer scope.Close()
	value, err := s.db.Call("transaction", stores, mode)
	if err != nil {
		if lost := s.lost(); lost != nil {
			return lost
		}
		return fault.Wrap(fault.Unavailable, err, "store: %s", doing)
	}
	t := &transaction{js: value, open: map[string]safejs.Value{}}
	ended := make(chan bool, 1)
	for event, committed := range map[string]bool{"complete": true, "abort": false} {
		if err := scope.Listen(value, event, func(safejs.Value) { ended <- committed }); err != nil {
			t.fail(err)
		}
	}
	if t.success, err = scope.Func(func(args []safejs.Value) any { t.succeeded(args[0]); return nil }); err != nil {
		t.fail(err)
	}
	if t.there, err = scope.Func(func(args []safejs.Value) any { tolerate(args[0]); return nil }); err != nil {
		t.fail(err)
	}
	t.guarded(func() { script(t) })
	var committed bool
	select {
	case committed = <-ended:
	case <-ctx.Done():
		t.fail(fault.New(fault.Aborted, "store: %s: %v", doing, ctx.Err()))
		committed = <-ended
	}
	switch {
	case committed:
		return nil
	case t.failed != nil:
		return t.failed
	}
	reason, _ := t.js.Get("error")
	return s.undone(reason, doing)
}

// guarded runs our own code so that a panic undoes the transaction, in place of leaving half of it to be committed.
func (t *transaction) guarded(f func()) {
	defer func() {
		if p := recover(); p != nil {
			t.fail(fault.New(fault.Internal, "BUG: %v", p))
		}
	}()
	if t.failed == nil {
		f()
	}
}

func (t *transaction) succeeded(event safejs.Value) {
	then := t.waiting[0]
	t.waiting = t.waiting[1:]
	t.guarded(func() {
		request, err := event.Get("target")
		if err == nil {
			request, err = request.Get("result")
		}
		if err != nil {
			t.fail(err)
			return
		}
		then(request)
	})
}

// fail undoes the transaction for a reason. The first one counts.
func (t *transaction) fail(reason error) {
	if t.failed == nil {
		t.failed = reason
		_, _ = t.js.Call("abort") // fails when it has ended by itself
	}
}

// request asks an object store or index and hands the result to then, which may be nil.
func (t *transaction) request(of object, method string, then func(result safejs.Value), args ...any) {
	if t.failed != nil {
		return
	}
	target, err := t.object(of)
	if err == nil {
		target, err = target.Call(method, args...)
	}
	if err == nil && then != nil {
		t.waiting = append(t.waiting, then)
		err = target.Set("onsuccess", t.success)
	}
	if err != nil {
		t.fail(fault.Wrap(fault.Unavailable, err, "store: %s", method))
	}
}

// last hands the last row with the keys of a range of an index to then, with its key in the index: none is an undefined row. Among
// rows with the same key the last one is the latest. Nothing else is read.
func (t *transaction) last(of object, keys any, then func(r row, key safejs.Value)) {
	t.request(of, "openCursor", func(cursor safejs.Value) {
		if cursor.IsNull() {
			then(row{safejs.Undefined()}, safejs.Undefined())
			return
		}
		value, err := cursor.Get("value")
		if err != nil {
			t.fail(err)
			return
		}
		key, err := cursor.Get("key")
		if err != nil {
			t.fail(err)
			return
		}
		then(row{value}, key)
	}, keys, "prev")
}

// add adds a row that counts up, unless its unique field is there already: that changes nothing.
func (t *transaction) add(store string, fields map[string]any) {
	if t.failed != nil {
		return
	}
	target, err := t.object(object{store: store})
	if err == nil {
		target, err = target.Call("add", fields)
	}
	if err == nil {
		err = target.Set("onerror", t.there)
	}
	if err != nil {
		t.fail(fault.Wrap(fault.Unavailable, err, "store: add"))
	}
}

// tolerate keeps a broken unique constraint from undoing the transaction. Every other error undoes it.
func tolerate(event safejs.Value) {
	request, err := event.Get("target")
	if err != nil {
		return
	}
	reason, err := request.Get("error")
	if name, _ := describe(reason); err == nil && name == "ConstraintError" {
		_, _ = event.Call("preventDefault")
		_, _ = event.Call("stopPropagation")
	}
}

func (t *transaction) object(of object) (safejs.Value, error) {
	key := of.store + "." + of.index
	if known, ok := t.open[key]; ok {
		return known, nil
	}
	value, err := t.js.Call("objectStore", of.store)
	if err == nil && of.index != "" {
		value, err = value.Call("index", of.index)
	}
	if err == nil {
		t.open[key] = value
	}
	return value, err
}

// remove deletes a row that counts up.
func (t *transaction) remove(store string, r row) {
	seq, err := r.js.Get("seq")
	if err != nil {
		t.fail(err)
		return
	}
	t.request(object{store: store}, "delete", nil, seq)
}
