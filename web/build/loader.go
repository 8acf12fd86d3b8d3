package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// loader bundles the page API into one ES module with Go's runtime inside, and takes its types along.
func loader(dir, wasmExec string) ([]content, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(dir, "loader.ts")},
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		Platform:          api.PlatformBrowser,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		Charset:           api.CharsetUTF8,
		// The loader names Go's runtime by this alias, since only a build knows the distribution.
		Plugins: []api.Plugin{{Name: "wasm_exec", Setup: func(b api.PluginBuild) {
			b.OnResolve(api.OnResolveOptions{Filter: `^taskyon:wasm_exec$`}, func(api.OnResolveArgs) (api.OnResolveResult, error) {
				return api.OnResolveResult{Path: wasmExec, Namespace: "go"}, nil
			})
			b.OnLoad(api.OnLoadOptions{Filter: `.*`, Namespace: "go"}, func(api.OnLoadArgs) (api.OnLoadResult, error) {
				text, err := goScript(dir, wasmExec)
				return api.OnLoadResult{Contents: &text, Loader: api.LoaderJS, ResolveDir: filepath.Dir(wasmExec)}, err
			})
		}}},
		LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New("the loader does not bundle; see above")
	}
	var contents []content
	for _, name := range []string{"taskyon.d.ts", "nouns.d.ts", "capabilities.d.ts"} {
		types, err := file(name, filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		contents = append(contents, types...)
	}
	return append(contents, content{"taskyon.js", result.OutputFiles[0].Contents}), nil
}

// lastWords is how Go's script writes what a program says; it looks for the page's global, which the loader has taken away.
const lastWords = "\t\t\t\t\t\tfs.writeSync("

// goScript is Go's own script, with the one place that reads a global at run time led to where the loader keeps it.
func goScript(dir, wasmExec string) (string, error) {
	text, err := os.ReadFile(wasmExec)
	if err != nil {
		return "", err
	}
	if strings.Count(string(text), lastWords) != 1 {
		return "", fmt.Errorf("%s: writes its last words in another way; adapt web/build", wasmExec)
	}
	host, err := filepath.Abs(filepath.Join(dir, "host.ts"))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("import { host } from %q;\n", host) + strings.Replace(string(text), lastWords, "host.fs.writeSync(", 1), nil
}
