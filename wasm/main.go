//go:build js && wasm

package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// The loader names in argv[1] the global with its two functions: settle(id, text, error), which ends a call, and
// exports(call, abort), which takes ours, and with the page's fetch. It removes the global when it has them; the
// name goes on as the mark of the engine's frames.
func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, "taskyon:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return fmt.Errorf("start: want the loader's mailbox as the one argument")
	}
	// The heap is a few megabytes and a call's garbage a few kilobytes: collecting it a quarter as often costs little memory.
	debug.SetGCPercent(400)
	scope := new(jsbind.Scope)
	defer scope.Close()
	a := newAPI(args[1])
	defer a.close()
	mailbox, err := safejs.Global().Get(args[1])
	if err != nil {
		return err
	}
	settle, err := mailbox.Get("settle")
	if err != nil {
		return err
	}
	if a.fetch, err = mailbox.Get("fetch"); err != nil {
		return err
	}
	call, err := jsbind.Export(scope, settle, a.call)
	if err != nil {
		return err
	}
	abort, err := scope.Func(func(args []safejs.Value) any {
		a.abort(args)
		return nil
	})
	if err != nil {
		return err
	}
	if _, err := mailbox.Call("exports", call, abort); err != nil {
		return err
	}
	<-a.done
	scope.Wait()
	a.leave()
	return nil
}
