// Command gen makes what web commits but nobody writes: the Go code of the Vugu components and the renderer script.
//
//	go run ./web/gen          write what is out of date
//	go run ./web/gen -check   write nothing, name what is out of date and end with status 1
//
// It is run in the root of the module.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
)

// output is the wanted content of one file; nil means that the file must not exist.
type output struct {
	path    string
	content []byte
}

func main() {
	log.SetFlags(0)
	check := flag.Bool("check", false, "write nothing, fail when something is out of date")
	flag.Parse()
	stale, err := generate(".", *check)
	if err != nil {
		log.Fatalf("gen: %v", err)
	}
	for _, path := range stale {
		fmt.Println(path)
	}
	if *check && len(stale) > 0 {
		log.Fatal("gen: the files above are out of date: run `make generate` and commit them")
	}
}

// generate returns the files below root that were out of date and, unless it only checks, brings them up to date.
func generate(root string, check bool) (stale []string, err error) {
	components, err := components(filepath.Join(root, "web", "ui"))
	if err != nil {
		return nil, err
	}
	script, err := rendererScript(root)
	if err != nil {
		return nil, err
	}
	for _, o := range slices.Concat(components, []output{{filepath.Join(root, "web", "static", "vugu.js"), script}}) {
		current, err := os.ReadFile(o.path)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		if bytes.Equal(current, o.content) && (err == nil) == (o.content != nil) {
			continue
		}
		stale = append(stale, o.path)
		if check {
			continue
		}
		if err := write(o); err != nil {
			return nil, err
		}
	}
	return stale, nil
}

func write(o output) error {
	if o.content == nil {
		return os.Remove(o.path)
	}
	return os.WriteFile(o.path, o.content, 0o644)
}
