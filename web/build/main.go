// Command build makes the folder that is served: both WebAssembly programs, the static files, the loader and its types, each
// with precompressed siblings. It needs Go and nothing else, and is run in the root of the module.
//
//	go run ./web/build -out dist            quick compression, for a first look and for development
//	go run ./web/build -out dist -release   the smallest files
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost/bootstrap"
)

func main() {
	log.SetFlags(0)
	out := flag.String("out", "dist", "the `folder` to make")
	release := flag.Bool("release", false, "compress as far as possible")
	flag.Parse()
	start := time.Now()
	files, err := build(*out, *release)
	if err != nil {
		log.Fatalf("build: %v", err)
	}
	for _, f := range files {
		fmt.Printf("%-16s %8.0f KiB  br %6.0f KiB\n", f.name, kib(f.size), kib(f.br))
	}
	fmt.Printf("%s in %.1f s\n", *out, time.Since(start).Seconds())
}

func kib(n int) float64 { return float64(n) / 1024 }

// built is one file of the folder.
type built struct {
	name     string
	size, br int
}

func build(out string, release bool) ([]built, error) {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	root, err := goRoot()
	if err != nil {
		return nil, err
	}
	var contents []content
	for _, step := range []func() ([]content, error){
		func() ([]content, error) { return program("console.wasm", "./web") },
		func() ([]content, error) { return program("taskyon.wasm", "./wasm") },
		func() ([]content, error) { return loader("wasm/loader", wasmExec(root)) },
		func() ([]content, error) { return folder("web/static") },
		func() ([]content, error) { return file("wasm_exec.js", wasmExec(root)) },
		func() ([]content, error) {
			return []content{{"csp.txt", []byte(sandboxhost.HostPolicy(bootstrap.FrameHash()) + "\n")}}, nil
		},
		func() ([]content, error) {
			text := sandboxhost.Page(sandboxhost.FramePolicy(bootstrap.FrameHash()), bootstrap.Frame())
			return []content{{"sandbox.html", []byte(text)}, {"csp-sandbox.txt", []byte(sandboxhost.PagePolicy(bootstrap.FrameHash()) + "\n")}}, nil
		},
		func() ([]content, error) {
			return []content{
				{"popup.html", []byte(sandboxhost.PopupPage(bootstrap.PopupHash(), bootstrap.Popup()))},
				{"popup-frame.html", []byte(sandboxhost.PopupFramePage(bootstrap.PopupFrame()))},
				{"csp-popup.txt", []byte(sandboxhost.PopupPagePolicy(bootstrap.PopupHash()) + "\n")},
				{"csp-popup-frame.txt", []byte(sandboxhost.PopupFramePagePolicy() + "\n")},
			}, nil
		},
	} {
		made, err := step()
		if err != nil {
			return nil, err
		}
		contents = append(contents, made...)
	}
	return write(out, contents, release)
}

// content is a file that is not written yet.
type content struct {
	name string
	text []byte
}

func file(name, path string) ([]content, error) {
	text, err := os.ReadFile(path)
	return []content{{name, text}}, err
}

func folder(dir string) ([]content, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []content
	for _, entry := range entries {
		one, err := file(entry.Name(), filepath.Join(dir, entry.Name()))
		if err != nil {
			return nil, err
		}
		all = append(all, one...)
	}
	return all, nil
}
