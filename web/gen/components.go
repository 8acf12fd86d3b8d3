package main

import (
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"strings"

	"github.com/vugu/vugu/gen"
)

// components makes the Go file of each .vugu file in dir, formatted. Vugu's generator works in place, so it gets a copy.
func components(dir string) ([]output, error) {
	work, err := os.MkdirTemp("", "components")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var out []output
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, "_gen.go") {
			if _, err := os.Stat(filepath.Join(dir, strings.TrimSuffix(name, "_gen.go")+".vugu")); err != nil {
				out = append(out, output{path: filepath.Join(dir, name)}) // its source is gone
			}
			continue
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(work, name), content, 0o644); err != nil {
			return nil, err
		}
	}
	// Without these two options it would also write a go.mod and a main program.
	if err := gen.Run(work, &gen.ParserGoPkgOpts{SkipGoMod: true, SkipMainGo: true}); err != nil {
		return nil, err
	}
	made, err := filepath.Glob(filepath.Join(work, "*_gen.go"))
	if err != nil {
		return nil, err
	}
	for _, path := range made {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		// What it writes is not in gofmt's form, which would fail the check of all Go files.
		formatted, err := format.Source(source)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(path), err)
		}
		out = append(out, output{filepath.Join(dir, filepath.Base(path)), formatted})
	}
	return out, nil
}
