package main

import (
	"errors"
	"path/filepath"

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
				return api.OnResolveResult{Path: wasmExec}, nil
			})
		}}},
		LogLevel: api.LogLevelWarning,
	})
	if len(result.Errors) > 0 {
		return nil, errors.New("the loader does not bundle; see above")
	}
	types, err := file("taskyon.d.ts", filepath.Join(dir, "taskyon.d.ts"))
	return append(types, content{"taskyon.js", result.OutputFiles[0].Contents}), err
}
