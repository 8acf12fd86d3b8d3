package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommittedFilesAreWhatTheirSourcesMake(t *testing.T) {
	stale, err := generate("../..", true)
	require.NoError(t, err)
	require.Empty(t, stale, "run `make generate`")
}

func TestAChangedComponentIsSeen(t *testing.T) {
	dir := t.TempDir()
	copyFile := func(name string) {
		content, err := os.ReadFile(filepath.Join("..", "ui", name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o600))
	}
	copyFile("ui.go")
	copyFile("tool.vugu")
	first, err := components(dir)
	require.NoError(t, err)
	require.Len(t, first, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tool.vugu"), []byte("<p>changed</p>"), 0o600))
	second, err := components(dir)
	require.NoError(t, err)
	require.NotEqual(t, string(first[0].content), string(second[0].content))
}

func TestACodeFileWithoutComponentIsRemoved(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tool.vugu"), []byte("<p>here</p>"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "gone_gen.go"), []byte("package ui\n"), 0o600))
	out, err := components(dir)
	require.NoError(t, err)
	require.Equal(t, output{path: filepath.Join(dir, "gone_gen.go")}, out[0])
}

func TestTheRendererConstantIsReadWhateverItsSpelling(t *testing.T) {
	for title, source := range map[string]string{
		"one literal":  "package p\nconst script = \"a\\\"b\"",
		"raw":          "package p\nconst script = `a\"b`",
		"concatenated": "package p\nvar script = (\"a\" + `\"`) + \"b\"",
	} {
		t.Run(title, func(t *testing.T) {
			file, err := parser.ParseFile(token.NewFileSet(), "p.go", source, 0)
			require.NoError(t, err)
			text, err := constant(file, "script")
			require.NoError(t, err)
			require.Equal(t, `a"b`, text)
		})
	}
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", "package p\nvar script = read()", 0)
	require.NoError(t, err)
	_, err = constant(file, "script")
	require.Error(t, err)
}

func TestARendererOfAnotherFormIsRefused(t *testing.T) {
	_, err := wrap("window.vuguRender = 1", "v0")
	require.ErrorContains(t, err, "no longer one called function")
	script, err := wrap("(function(){ f() })()", "v0")
	require.NoError(t, err)
	require.Contains(t, string(script), "const renderer = function(){ f() };")
}
