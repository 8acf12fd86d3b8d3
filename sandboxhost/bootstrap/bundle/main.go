// Command bundle builds the programs behind the wall from their TypeScript sources.
//
//	go run ./sandboxhost/bootstrap/bundle              write every output to sandboxhost/bootstrap/dist
//	go run ./sandboxhost/bootstrap/bundle -only tool   write one output
//	go run ./sandboxhost/bootstrap/bundle -check       build in memory and name each committed output that differs
//	go run ./sandboxhost/bootstrap/bundle -tests       bundle the *.test.ts files to build/ts-tests for `node --test`
//	go run ./sandboxhost/bootstrap/bundle -weaken DIR  for the contracts' controls: the frame without each guard in turn
//
// The outputs are committed: a fresh clone builds without this command, and -check proves that they are what the
// sources say. Equal sources give equal bytes.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		if !errors.Is(err, flag.ErrHelp) {
			fmt.Fprintln(os.Stderr, "bundle:", err)
		}
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("bundle", flag.ContinueOnError)
	check := flags.Bool("check", false, "compare with the committed outputs, write nothing")
	tests := flags.Bool("tests", false, "bundle the TypeScript tests instead")
	weak := flags.String("weaken", "", "write the frame without each guard in turn to this `folder`, for tests")
	only := flags.String("only", "", "build one output: "+strings.Join(outputNames(), ", "))
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() > 0 {
		return fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if *only != "" && !slices.Contains(outputNames(), *only) {
		return fmt.Errorf("-only %s: the outputs are %s", *only, strings.Join(outputNames(), ", "))
	}
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if *tests {
		return bundleTests(root, out)
	}
	if *weak != "" {
		return weaken(root, *weak, out)
	}
	built, err := buildOutputs(root, *only)
	if err != nil {
		return err
	}
	built = withPolicySource(built)
	if *check {
		return compare(root, built)
	}
	return write(root, built, out)
}

// moduleRoot is the nearest folder upwards that holds go.mod, so the command works from any folder of the project.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod in this folder or above; run it inside the project")
		}
		dir = parent
	}
}

func write(root string, built []output, out io.Writer) error {
	if err := os.MkdirAll(filepath.Join(root, distDir), 0o755); err != nil {
		return err
	}
	for _, o := range built {
		if err := os.WriteFile(filepath.Join(root, o.path()), o.text, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(out, "%s %d bytes\n", o.path(), len(o.text))
	}
	return nil
}

func compare(root string, built []output) error {
	var stale []string
	for _, o := range built {
		committed, err := os.ReadFile(filepath.Join(root, o.path()))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if err != nil || !bytes.Equal(committed, o.text) {
			stale = append(stale, o.path())
		}
	}
	if len(stale) > 0 {
		return fmt.Errorf("not what the sources say: %s; run go run ./sandboxhost/bootstrap/bundle and commit", strings.Join(stale, ", "))
	}
	return nil
}
