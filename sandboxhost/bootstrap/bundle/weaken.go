package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// edit replaces a text that stands exactly once in a source file by another one.
type edit struct{ file, old, new string }

// guards are the guards behind the wall, each with what turns it off. A frame without one of them is built for tests alone:
// a contract that holds in it all the same proves nothing. core/contracts says which contract watches which guard.
func guards() map[string][]edit {
	unchecked := edit{"supervisor/script.ts", "${start.program}",
		"${start.name === 'checker' ? `return ({ source }) => ({ ok: true, form: 'expression', program: 'return (\\\\n' + source + '\\\\n)' })` : start.program}"}
	return map[string][]edit{
		"lockdown": {{"tool.ts", "\nlockdown(globalThis)", ""}},
		"own-functions": {
			{"runtime/port.ts", "const postMessage = uncurry(MessagePort.prototype.postMessage as Post)",
				"const postMessage = (port: any, ...rest: any[]): void => port.postMessage(...rest)"},
			{"primordials.ts", "export const { parse, stringify } = JSON",
				"export const parse = (...a: [any]) => JSON.parse(...a), stringify = (...a: [any]) => JSON.stringify(...a)"},
			// What stands in its place while no call runs would keep the runtime from getting ready.
			{"runtime/lifetime.ts", "if (life.open()) apply(postMessage,", "apply(postMessage,"},
		},
		"frame-powers":  {{"frame.ts", "for (const name of ways)", "for (const name of [] as string[])"}},
		"deadline":      {{"supervisor/supervisor.ts", "(reason) => this.crash(reason, expired(reason, call)),", "() => {},"}},
		"flood":         {{"supervisor/supervisor.ts", "private drown(reason: FloodReason): void {", "private drown(reason: FloodReason): void {\nif (reason) return"}},
		"timers":        {{"tool.ts", "\nruntime.timers.install(globalThis)", ""}},
		"own-fetch":     {{"tool.ts", "\ninstallFetch(globalThis, runtime.fetch, runtime.lifetime)", ""}},
		"own-console":   {{"tool.ts", "\nreplace(globalThis, 'console', runtime.console.methods())", ""}},
		"log-budget":    {{"runtime/call.ts", "{ lines: limits.logLines, bytes: limits.logBytes < share ? limits.logBytes : share }", "{ lines: 1e9, bytes: 1e12 }"}},
		"progress-pace": {{"runtime/progress.ts", "if (this.timer === undefined) this.flush()", "this.flush()"}},
		"strict": {{"supervisor/script.ts", "`\"use strict\";${runtime}", "`${runtime}"},
			{"supervisor/script.ts", "${start.program}", "${start.program.replace('\"use strict\";', '')}"}},
		"tagged-values": {{"runtime/runtime.ts", "text = encodeValue(value, {", "text = JSON.stringify(value) ?? encodeValue(null, {"}},
		"result-bounds": {{"runtime/runtime.ts", "{ nesting: limits.nesting, bytes: min(limits.resultBytes, maxResult) }", "{ nesting: 1e6, bytes: maxResult }"}},
		"ended-asks":    {{"runtime/asks.ts", "if (this.ended) return refuse('aborted', 'the call has ended')", ""}},
		"own-fields": {{"primordials.ts", "return defineProperty(target, key, { __proto__: null, value, enumerable, writable: true, configurable: true } as PropertyDescriptor)",
			"void enumerable\n  return Reflect.set(target, key, value)"}},
		"ask-bounds": {{"runtime/asks.ts", "return max(1, min(sizes.ask, this.pace.textShare) - 256)", "return 1e9"}},
		"syntax":     {unchecked},
		// Either would do: the checker blanks what names a script, and what stands last counts.
		"script-name":  {{"supervisor/script.ts", "\\n})\\n//# sourceURL=${source}`", "\\n})`"}, unchecked},
		"quiet-errors": {{"runtime/runtime.ts", "this.finish(call, failureOf(thrown, script, limits.nesting))", "this.finish(call, `\"code\":\"tool_error\",\"error\":{\"name\":\"Error\",\"message\":${JSON.stringify(`${thrown} ${script.url} ${limits.nesting} ${(thrown as Error).stack}`)}}`)"}},
		"one-port": {
			{"frame.ts", "removeEventListener('message', take)\n  host = port", "host = port"},
			{"frame.ts", "source !== window.parent || ", "source === null || "},
			{"supervisor.ts", "{ once: true }", "{}"},
		},
	}
}

// weaken builds the frame once for each guard, without it, and once whole: `frame.js` and `frame-<guard>.js`.
func weaken(root, dir string, out io.Writer) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	names := []string{""}
	for name := range guards() {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := frameWithout(root, guards()[name])
		if err != nil {
			return fmt.Errorf("guard %s: %w", name, err)
		}
		file := filepath.Join(dir, strings.TrimSuffix("frame-"+name, "-")+".js")
		if err := os.WriteFile(file, text, 0o644); err != nil {
			return err
		}
	}
	list, err := json.Marshal(names[1:])
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: a frame without each of %d guards\n", dir, len(names)-1)
	return os.WriteFile(filepath.Join(dir, "guards.json"), list, 0o644)
}

// frameWithout builds the frame from sources with edits. An edit that finds no place, or two, is an error: its guard is
// somewhere else now.
func frameWithout(root string, edits []edit) ([]byte, error) {
	edited := map[string]string{}
	for _, e := range edits {
		file := filepath.Join(root, sourceDir, filepath.FromSlash(e.file))
		text, seen := edited[file]
		if !seen {
			source, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			text = string(source)
		}
		if n := strings.Count(text, e.old); n != 1 {
			return nil, fmt.Errorf("%s holds %q %d times, want once; say in weaken.go what turns this guard off", e.file, e.old, n)
		}
		edited[file] = strings.Replace(text, e.old, e.new, 1)
	}
	plugin := api.Plugin{Name: "weaken", Setup: func(build api.PluginBuild) {
		build.OnLoad(api.OnLoadOptions{Filter: `\.ts$`}, func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			text, ok := edited[args.Path]
			if !ok {
				return api.OnLoadResult{}, nil
			}
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderTS}, nil
		})
	}}
	texts := map[string][]byte{}
	for _, r := range recipes() {
		if r.name != "frame" && !embeds("frame", r.name) {
			continue
		}
		text, err := r.build(root, texts, plugin)
		if err != nil {
			return nil, err
		}
		texts[r.name] = text
	}
	if len(texts["frame"]) == 0 {
		return nil, errors.New("no recipe is called frame")
	}
	return texts["frame"], nil
}
