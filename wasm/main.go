//go:build js && wasm

package main

import (
	"fmt"
	"os"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// The loader names in argv[1] the global under which it waits for the exports; it removes it when it has them.
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
	scope := new(jsbind.Scope)
	defer scope.Close()
	a := newAPI()
	defer a.close()
	call, err := jsbind.Export(scope, a.call)
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
	if _, err := safejs.Global().Call(args[1], call, abort); err != nil {
		return err
	}
	<-a.done
	scope.Wait()
	return nil
}
