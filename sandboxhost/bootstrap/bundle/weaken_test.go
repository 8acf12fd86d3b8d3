package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryGuardCanBeTurnedOffAndTheFrameWithoutEditsIsTheShippedOne(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	dir := t.TempDir()
	require.NoError(t, weaken(root, dir, new(bytes.Buffer)))
	read := func(path string) string {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		return string(text)
	}
	whole := read(filepath.Join(dir, "frame.js"))
	require.Equal(t, read(filepath.Join(root, distDir, "frame.js")), whole)
	var names []string
	require.NoError(t, json.Unmarshal([]byte(read(filepath.Join(dir, "guards.json"))), &names))
	require.Len(t, names, len(guards()))
	seen := map[string]string{whole: "the whole frame"}
	for _, name := range names {
		text := read(filepath.Join(dir, "frame-"+name+".js"))
		require.Empty(t, seen[text], "without %s it is the same", name)
		seen[text] = name
	}
}

func TestAGuardThatIsNoLongerWhereItWasIsNoticed(t *testing.T) {
	root, err := moduleRoot()
	require.NoError(t, err)
	for _, old := range []string{"no such text", "const"} {
		_, err = frameWithout(root, []edit{{"tool.ts", old, ""}})
		require.ErrorContains(t, err, "say in weaken.go")
	}
}
