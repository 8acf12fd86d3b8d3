package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// program compiles a package for the browser. Neither paths nor the state of the repository get into it, so that equal sources
// give equal bytes.
func program(name, pkg string) ([]content, error) {
	work, err := os.MkdirTemp("", "program")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	target := filepath.Join(work, name)
	compile := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", target, pkg)
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	compile.Stderr = os.Stderr
	if err := compile.Run(); err != nil {
		return nil, fmt.Errorf("go build %s: %w", pkg, err)
	}
	return file(name, target)
}

func goRoot() (string, error) {
	answer, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return strings.TrimSpace(string(answer)), nil
}

// wasmExec is the runtime half of this very Go distribution; another one's does not fit.
func wasmExec(goRoot string) string { return filepath.Join(goRoot, "lib", "wasm", "wasm_exec.js") }
