package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"
)

func TestCompressedSiblingsHoldTheSameBytes(t *testing.T) {
	for _, release := range []bool{false, true} {
		out := t.TempDir()
		text := strings.Repeat("the same bytes ", 1000)
		files, err := write(out, []content{{"big.js", []byte(text)}, {"small.js", []byte("x")}}, release)
		require.NoError(t, err)
		require.Less(t, files[0].br, files[0].size/10)

		plain, err := os.ReadFile(filepath.Join(out, "big.js"))
		require.NoError(t, err)
		require.Equal(t, text, string(plain))

		br, err := os.Open(filepath.Join(out, "big.js.br"))
		require.NoError(t, err)
		defer br.Close()
		unpacked, err := io.ReadAll(brotli.NewReader(br))
		require.NoError(t, err)
		require.Equal(t, text, string(unpacked))

		gz, err := os.Open(filepath.Join(out, "big.js.gz"))
		require.NoError(t, err)
		defer gz.Close()
		z, err := gzip.NewReader(gz)
		require.NoError(t, err)
		unpacked, err = io.ReadAll(z)
		require.NoError(t, err)
		require.Equal(t, text, string(unpacked))

		require.NoFileExists(t, filepath.Join(out, "small.js.br"))
		require.NoFileExists(t, filepath.Join(out, "big.js.new"))
	}
}

func TestASiblingOfAnEarlierBuildGoesAway(t *testing.T) {
	out := t.TempDir()
	_, err := write(out, []content{{"a.js", make([]byte, smallFile)}}, false)
	require.NoError(t, err)
	require.FileExists(t, filepath.Join(out, "a.js.br"))
	_, err = write(out, []content{{"a.js", []byte("x")}}, false)
	require.NoError(t, err)
	require.NoFileExists(t, filepath.Join(out, "a.js.br"))
	require.NoFileExists(t, filepath.Join(out, "a.js.gz"))
}

func TestTheLoaderIsOneModuleWithGosRuntimeInside(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	runtime := put("runtime.js", "globalThis.Go = class { marker(fs, fd) {\n"+lastWords+"fd, 'the runtime') } }")
	put("host.ts", "export const host: { fs?: { writeSync(fd: number, text: string): void } } = {};")
	put("part.ts", "export const part: string = 'the part';")
	put("loader.ts", "import 'taskyon:wasm_exec'; import { part } from './part.js'; export const load = (): string => part;")
	put("taskyon.d.ts", "export declare function load(): string;")
	put("nouns.d.ts", "export type Noun = string;")
	put("capabilities.d.ts", "export type Grant = string;")
	made, err := loader(dir, runtime)
	require.NoError(t, err)
	require.Equal(t, "taskyon.d.ts", made[0].name)
	require.Equal(t, "nouns.d.ts", made[1].name)
	require.Equal(t, "capabilities.d.ts", made[2].name)
	require.Equal(t, "taskyon.js", made[3].name)
	text := string(made[3].text)
	require.Contains(t, text, "the runtime")
	require.Contains(t, text, "the part")
	require.Contains(t, text, "export{")
	require.NotContains(t, text, "import")
	require.Regexp(t, `\w+\.fs\.writeSync\(`, text, "its last words go where the loader keeps them")
	put("runtime.js", "globalThis.Go = class {}")
	_, err = loader(dir, runtime)
	require.Error(t, err, "another Go may write them in another way")

	put("loader.ts", "export const load = (")
	_, err = loader(dir, runtime)
	require.Error(t, err)
}

func TestGosRuntimeHalfIsWhereTheDistributionKeepsIt(t *testing.T) {
	root, err := goRoot()
	require.NoError(t, err)
	require.FileExists(t, wasmExec(root))
}
