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
	args := append([]string{"build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", target}, outlined()...)
	compile := exec.Command("go", append(args, pkg)...)
	compile.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	compile.Stderr = os.Stderr
	if err := compile.Run(); err != nil {
		return nil, fmt.Errorf("go build %s: %w", pkg, err)
	}
	text, err := os.ReadFile(target)
	if err != nil {
		return nil, err
	}
	if text, err = joinData(text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return []content{{name, text}}, nil
}

// cold packages run once, or seldom, or wait for a store or a person: in them a call costs nothing that anyone notices, and a copy
// of the callee at every place is a tenth of the download. What works on the bytes of a call or of a hash is not in this list, nor what
// goes down a schema or a value: a call more at each level is stack, and a browser gives little.
var cold = []string{
	module + "/core", module + "/core/archive", module + "/core/audit", module + "/core/power", module + "/core/registry", module + "/core/tool", module + "/core/storage",
	module + "/core/shelf", module + "/core/limits", module + "/core/tool/signature", module + "/wasm", module + "/wasm/browser", module + "/wasm/browser/store",
	"regexp/syntax", "regexp", "fmt", "net/netip", "flag", "os", "io/fs", "internal/poll", "internal/bisect", "internal/godebug",
	"internal/fmtsort", "encoding/hex", "github.com/klauspost/cpuid/v2",
}

const module = "github.com/xyntopia/taskyon-sandbox"

// outlined are the compiler's flags that keep inlining out of the cold packages.
func outlined() []string {
	flags := make([]string, len(cold))
	for i, pkg := range cold {
		flags[i] = "-gcflags=" + pkg + "=-l"
	}
	return flags
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
