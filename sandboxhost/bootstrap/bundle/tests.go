package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const testOutDir = "build/ts-tests"

func testDirs() []string {
	return []string{"sandboxhost/bootstrap/test", "wasm/loader", "e2e/contracts/page"}
}

// bundleTests makes one self-contained module of each *.test.ts. The folder is emptied first, so that a test which was
// deleted or renamed does not live on in it.
func bundleTests(root string, out io.Writer) error {
	sources, err := findTests(root)
	if err != nil {
		return err
	}
	target := filepath.Join(root, testOutDir)
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	seen := map[string]string{}
	for _, source := range sources {
		name := strings.TrimSuffix(filepath.Base(source), ".ts") + ".mjs"
		if other, taken := seen[name]; taken {
			return fmt.Errorf("%s and %s have the same name; rename one", other, source)
		}
		seen[name] = source
		text, err := bundleOne(api.BuildOptions{
			AbsWorkingDir: root, EntryPoints: []string{source}, Bundle: true, Write: false,
			Format: api.FormatESModule, Platform: api.PlatformNode, Target: api.ES2022,
			Sourcemap: api.SourceMapInline, LogLevel: api.LogLevelSilent,
		})
		if err != nil {
			return fmt.Errorf("%s: %w", source, err)
		}
		if err := os.WriteFile(filepath.Join(target, name), text, 0o644); err != nil {
			return err
		}
		fmt.Fprintln(out, filepath.Join(testOutDir, name))
	}
	return nil
}

func findTests(root string) ([]string, error) {
	var found []string
	for _, dir := range testDirs() {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.Name() == "node_modules" {
				return filepath.SkipDir
			}
			if !entry.IsDir() && strings.HasSuffix(path, ".test.ts") {
				relative, err := filepath.Rel(root, path)
				if err != nil {
					return err
				}
				found = append(found, relative)
			}
			return nil
		})
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no *.test.ts under %s", strings.Join(testDirs(), " or "))
	}
	return found, nil
}
