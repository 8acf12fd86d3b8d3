// Package house checks the house rules of the whole tree: who may import whom, and that files stay small.
package house

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/xyntopia/taskyon-sandbox/"

// doors lists, for each room, the rooms of this project that it may import (a prefix ending in / stands for all below it).
// Tests may import more. A room without a row may not exist.
var doors = map[string][]string{
	"core/fault":                   {},
	"core/limits":                  {"core/fault"},
	"core/canon":                   {"core/fault", "core/limits", "core/canon/internal/"},
	"core/canon/internal/":         {"core/fault"},
	"core/canon/canontest":         {"core/canon", "core/canon/internal/", "core/fault", "core/limits"},
	"core/tool":                    {"core/tool/schema", "core/canon", "core/fault", "core/limits"},
	"core/tool/schema":             {"core/canon", "core/fault", "core/limits"},
	"core/tool/tooltest":           {"core/tool/schema", "core/canon", "core/fault", "core/limits"},
	"core/tool/signature":          {"core/tool", "core/canon", "core/fault", "core/limits"},
	"core/policy":                  {"core/guard", "core/tool", "core/canon", "core/fault", "core/limits"},
	"core/policy/policytest":       {"core/policy", "core/tool", "core/canon", "core/fault", "core/limits"},
	"core/registry":                {"core/tool", "core/canon", "core/fault", "core/limits"},
	"core/registry/registrytest":   {"core/registry", "core/tool", "core/canon", "core/fault", "core/limits"},
	"core/task":                    {"core/registry", "core/tool", "core/canon", "core/fault", "core/limits"},
	"core/task/tasktest":           {"core/task", "core/registry", "core/tool", "core/canon", "core/fault", "core/limits"},
	"core/archive":                 {"core/task", "core/registry", "core/tool", "core/protocol", "core/canon", "core/fault", "core/limits"},
	"core/protocol":                {"core/canon", "core/tool", "core/fault", "core/limits"},
	"core/protocol/gen":            {"core/protocol"},
	"core/sandbox":                 {"core/protocol", "core/canon", "core/fault", "core/limits"},
	"core/sandbox/sandboxtest":     {"core/sandbox", "core/protocol", "core/canon", "core/fault", "core/limits"},
	"core/contracts":               {},
	"core/guard":                   {},
	"core/shelf":                   {"core/fault"},
	"core/shelf/shelftest":         {"core/shelf", "core/fault"},
	"core/safe":                    {},
	"core/grant":                   {"core/guard", "core/safe", "core/shelf", "core/canon", "core/fault", "core/limits"},
	"core/secret":                  {"core/guard", "core/shelf", "core/canon", "core/fault", "core/limits"},
	"core/storage":                 {"core/shelf", "core/protocol", "core/canon", "core/fault", "core/limits"},
	"core/audit":                   {"core/safe", "core/shelf", "core/canon", "core/fault", "core/limits"},
	"core/power":                   {"core/guard", "core/policy", "core/grant", "core/secret", "core/storage", "core/sandbox", "core/protocol", "core/task", "core/registry", "core/tool", "core/canon", "core/fault", "core/limits"},
	"core":                         {"core/"},
	"sandboxhost":                  {"core/", "sandboxhost/bootstrap", "wasm/jsbind"},
	"sandboxhost/bootstrap":        {},
	"sandboxhost/bootstrap/bundle": {},
	"wasm":                         {"core", "core/", "wasm/jsbind", "wasm/browser"},
	"wasm/jsbind":                  {"core/fault"},
	"wasm/browser":                 {"core", "core/", "sandboxhost", "sandboxhost/bootstrap", "wasm/jsbind", "wasm/browser/"},
	"wasm/browser/network":         {"core/guard", "core/power", "core/policy", "core/canon", "core/fault", "wasm/jsbind"},
	"wasm/browser/store":           {"core/", "wasm/jsbind"},
	"wasm/browser/urls":            {"core/policy", "core/fault", "wasm/jsbind"},
	"web/":                         {"core", "core/", "sandboxhost", "sandboxhost/bootstrap", "wasm/jsbind", "wasm/browser", "web/"},
	"web":                          {"core", "core/", "wasm/jsbind", "wasm/browser", "web/"},
	"native/":                      {"core", "core/", "native/", "sandboxhost/bootstrap"},
	"internal/":                    {"core", "core/", "internal/", "native/", "sandboxhost/bootstrap"},
	"bench/":                       {"core", "core/", "wasm/browser/urls"},
}

// outside says who may import what from elsewhere: a prefix of an import path, and the rooms that may use it.
var outside = []struct {
	prefix string
	rooms  []string
}{
	{"syscall/js", nil},
	{"github.com/hack-pad/safejs", []string{"wasm", "wasm/", "sandboxhost", "web", "web/"}},
	{"github.com/vugu/", []string{"web", "web/"}},
	{"github.com/dop251/goja", []string{"native/"}},
	{"modernc.org/", []string{"native/"}},
	{"github.com/evanw/esbuild", []string{"sandboxhost/bootstrap/bundle", "web/", "native/"}},
	{"github.com/zeebo/blake3", []string{"core/canon/internal/"}},
	{"github.com/nlnwa/whatwg-url", []string{"native/"}},
	{"github.com/google/jsonschema-go", nil}, // the second opinion of a test
}

// forbiddenInCore is what would tie the machine to a host.
var forbiddenInCore = []string{"os", "os/", "net", "net/", "syscall", "unsafe"}

// pureOfThem only know how something is written, and open nothing.
var pureOfThem = []string{"net/netip"}

// commands below core run at build time, on a host.
var commands = []string{"core/protocol/gen"}

func TestEveryRoomImportsOnlyThroughItsDoors(t *testing.T) {
	breaches, rooms := imports(t, os.DirFS("."))
	require.Empty(t, breaches)
	require.Greater(t, rooms, 10)
}

// Positive control: a wrong door is noticed, also in a file of another platform.
func TestAWrongDoorIsNoticed(t *testing.T) {
	dir := t.TempDir()
	for file, source := range map[string]string{
		"core/canon/a.go":  "//go:build js && wasm\n\npackage canon\n\nimport \"net/http\"\n",
		"core/task/b.go":   "package task\n\nimport \"" + module + "core/sandbox\"\n",
		"core/tool/c.go":   "package tool\n\nimport \"github.com/hack-pad/safejs\"\n",
		"wasm/jsbind/d.go": "package jsbind\n\nimport \"syscall/js\"\n",
		"annex/e.go":       "package annex\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, path.Dir(file)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, file), []byte(source), 0o644))
	}
	breaches, _ := imports(t, os.DirFS(dir))
	require.Len(t, breaches, 5, breaches)
}

func imports(t *testing.T, tree fs.FS) (breaches []string, rooms int) {
	seen := map[string]bool{}
	walk(t, tree, ".go", func(file string, text []byte) {
		room := path.Dir(file)
		if strings.HasSuffix(file, "_test.go") {
			return
		}
		allowed, known := rowOf(room)
		if !known {
			breaches = append(breaches, file+": room "+room+" has no row in the table of doors")
			return
		}
		seen[room] = true
		parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
		require.NoError(t, err)
		for _, spec := range parsed.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			if !mayImport(room, name, allowed) {
				breaches = append(breaches, file+": may not import "+name)
			}
		}
	})
	return breaches, len(seen)
}

func rowOf(room string) ([]string, bool) {
	if row, ok := doors[room]; ok {
		return row, true
	}
	for name, row := range doors {
		if strings.HasSuffix(name, "/") && strings.HasPrefix(room, name) {
			return row, true
		}
	}
	return nil, false
}

func mayImport(room, name string, allowed []string) bool {
	if own, ok := strings.CutPrefix(name, module); ok {
		return matches(own, allowed)
	}
	for _, rule := range outside {
		if strings.HasPrefix(name, rule.prefix) {
			return matches(room, rule.rooms)
		}
	}
	inCore := room == "core" || strings.HasPrefix(room, "core/")
	return !inCore || slices.Contains(commands, room) || strings.HasSuffix(room, "test") || slices.Contains(pureOfThem, name) ||
		!matches(name, forbiddenInCore)
}

// matches compares a path with a list whose entries ending in / are prefixes.
func matches(name string, list []string) bool {
	return slices.ContainsFunc(list, func(entry string) bool {
		return name == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(name, entry)
	})
}

const mostLines = 400

func TestFilesStaySmall(t *testing.T) {
	for _, suffix := range []string{".go", ".ts", ".vugu", ".css"} {
		walk(t, os.DirFS("."), suffix, func(file string, text []byte) {
			generated := strings.Contains(file, "_gen") || strings.Contains(file, ".gen.")
			if lines := strings.Count(string(text), "\n"); lines > mostLines && !generated {
				t.Errorf("%s: %d lines, at most %d; is it one concept?", file, lines, mostLines)
			}
		})
	}
}

// walk calls f with every file of that suffix that belongs to the project.
func walk(t *testing.T, tree fs.FS, suffix string, f func(file string, text []byte)) {
	skip := []string{".git", "node_modules", "dist", "build", "testdata", "test-results", "playwright-report"}
	require.NoError(t, fs.WalkDir(tree, ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(skip, entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || !strings.HasSuffix(file, suffix):
			return nil
		}
		text, err := fs.ReadFile(tree, file)
		f(file, text)
		return err
	}))
}
