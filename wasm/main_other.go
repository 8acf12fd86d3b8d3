//go:build !(js && wasm)

package main

import (
	"fmt"
	"os"
)

// main says what this program is for when it is built for another place by mistake.
func main() {
	fmt.Fprintln(os.Stderr, "taskyon: build this for GOOS=js GOARCH=wasm; see make build")
	os.Exit(2)
}
