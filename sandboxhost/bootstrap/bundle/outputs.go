package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	sourceDir = "sandboxhost/bootstrap/src"
	distDir   = "sandboxhost/bootstrap/dist"

	// checkerGlobal holds the checker's exports inside its own program text.
	checkerGlobal = "checker"
)

type output struct {
	name string
	text []byte
}

func (o output) path() string {
	if filepath.Ext(o.name) != "" {
		return filepath.Join(distDir, o.name)
	}
	return filepath.Join(distDir, o.name+".js")
}

// policySource names a script in a Content-Security-Policy. It is made here and not where it is used, since the packages
// behind SHA-256 would make up a large part of the page's program.
func policySource(script []byte) []byte {
	sum := sha256.Sum256(script)
	return []byte("sha256-" + base64.StdEncoding.EncodeToString(sum[:]))
}

// withPolicySource adds the files that name scripts in policies, for those that were built.
func withPolicySource(built []output) []output {
	for _, o := range built {
		if o.name == "frame" || o.name == "popup" {
			built = append(built, output{o.name + ".sha256", policySource(o.text)})
		}
	}
	return built
}

// recipe says how one output differs from the others. embeds are constants whose value is the text of an output built
// before this one.
type recipe struct {
	name   string
	target api.Target
	embeds map[string]string
	finish func([]byte) ([]byte, error)
}

// recipes are in build order.
func recipes() []recipe {
	return []recipe{
		{name: "tool", target: api.ES2022},
		{name: "supervisor", target: api.ES2022},
		{name: "frame", target: api.ES2022, embeds: map[string]string{"TOOL_SOURCE": "tool", "SUPERVISOR_SOURCE": "supervisor"}, finish: refuseMarkup},
		{name: "popup", target: api.ES2022, finish: refuseMarkup},
		{name: "popupframe", target: api.ES2022, finish: refuseMarkup},
		{name: "checker", target: api.ES2017, finish: checkerProgram},
	}
}

func outputNames() []string {
	var names []string
	for _, r := range recipes() {
		names = append(names, r.name)
	}
	return names
}

// buildOutputs builds all outputs, or with only that one and what it embeds; the result holds what was asked for.
func buildOutputs(root, only string) ([]output, error) {
	texts := map[string][]byte{}
	var built []output
	for _, r := range recipes() {
		if only != "" && r.name != only && !embeds(only, r.name) {
			continue
		}
		text, err := r.build(root, texts)
		if err != nil {
			return nil, fmt.Errorf("%s.js: %w", r.name, err)
		}
		texts[r.name] = text
		if only == "" || r.name == only {
			built = append(built, output{r.name, text})
		}
	}
	return built, nil
}

func embeds(name, other string) bool {
	for _, r := range recipes() {
		if r.name == name {
			for _, embedded := range r.embeds {
				if embedded == other {
					return true
				}
			}
		}
	}
	return false
}

func (r recipe) build(root string, texts map[string][]byte, plugins ...api.Plugin) ([]byte, error) {
	entry := filepath.Join(sourceDir, r.name+".ts")
	if _, err := os.Stat(filepath.Join(root, entry)); err != nil {
		return nil, fmt.Errorf("its source %s is missing", entry)
	}
	define := map[string]string{}
	for constant, name := range r.embeds {
		literal, err := json.Marshal(string(texts[name]))
		if err != nil {
			return nil, err
		}
		define[constant] = string(literal)
	}
	options := api.BuildOptions{
		AbsWorkingDir: root, EntryPoints: []string{entry}, Bundle: true, Write: false, Plugins: plugins,
		Format: api.FormatIIFE, Platform: api.PlatformBrowser, Target: r.target, Define: define,
		MinifyWhitespace: true, MinifySyntax: true, MinifyIdentifiers: true,
		Charset: api.CharsetASCII, LegalComments: api.LegalCommentsNone, Sourcemap: api.SourceMapNone,
		LogLevel: api.LogLevelSilent, TsconfigRaw: `{"compilerOptions":{"useDefineForClassFields":true}}`,
	}
	if r.name == "checker" {
		options.GlobalName = checkerGlobal
	}
	text, err := bundleOne(options)
	if err != nil || r.finish == nil {
		return text, err
	}
	return r.finish(text)
}

// bundleOne runs esbuild for one entry and returns its text without the final newline.
func bundleOne(options api.BuildOptions) ([]byte, error) {
	result := api.Build(options)
	if len(result.Errors) > 0 || len(result.Warnings) > 0 {
		lines := api.FormatMessages(append(result.Errors, result.Warnings...), api.FormatMessagesOptions{Kind: api.ErrorMessage})
		var all []error
		for _, line := range lines {
			all = append(all, errors.New(line))
		}
		return nil, errors.Join(all...)
	}
	if len(result.OutputFiles) != 1 {
		return nil, fmt.Errorf("esbuild gave %d files instead of one", len(result.OutputFiles))
	}
	text := result.OutputFiles[0].Contents
	for len(text) > 0 && text[len(text)-1] == '\n' {
		text = text[:len(text)-1]
	}
	return text, nil
}

// An inline script ends at `</script`, and `<!--` changes how the HTML tokenizer looks for that end.
var markup = regexp.MustCompile(`(?i)</script|<!--`)

func refuseMarkup(text []byte) ([]byte, error) {
	if at := markup.FindIndex(text); at != nil {
		return nil, fmt.Errorf("it holds %q at byte %d, which an inline script must not; split the literal in the source", text[at[0]:at[1]], at[0])
	}
	return text, nil
}

// checkerProgram makes the bundle a program: the body of a function, which returns the tool's function.
func checkerProgram(text []byte) ([]byte, error) {
	return append(text, []byte("return "+checkerGlobal+".check")...), nil
}
