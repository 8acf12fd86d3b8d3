// Command vectors runs the public conformance suites and prints one line each, `name passed/total`. The data is read from
// ../shared/vectors beside the repository, or from the folder that TASKYON_VECTORS names.
package main

import (
	"fmt"
	"io"
	"os"

	"github.com/xyntopia/taskyon-sandbox/core/canon/canontest"
	"github.com/xyntopia/taskyon-sandbox/core/tool/tooltest"
)

const beside = "../shared/vectors"

func main() {
	folder := os.Getenv("TASKYON_VECTORS")
	if folder == "" {
		folder = beside
	}
	os.Exit(run(folder, os.Stdout, os.Stderr))
}

// run returns the exit status: 1 when a suite misses a case or the folder is not there.
func run(folder string, out, failed io.Writer) int {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		fmt.Fprintf(failed, "vectors: the folder %s is missing; run this from the repository root, or name the folder in TASKYON_VECTORS\n", folder)
		return 1
	}
	status := 0
	for _, suite := range suites(folder) {
		passed, total, failures := suite.Run()
		fmt.Fprintf(out, "%s %d/%d\n", suite.Name, passed, total)
		for _, failure := range failures {
			fmt.Fprintf(failed, "%s: %s\n", suite.Name, failure)
		}
		if passed < total {
			status = 1
		}
	}
	return status
}

// suites gathers what each room brings.
func suites(folder string) []canontest.Suite {
	root := os.DirFS(folder)
	all := canontest.Suites(root)
	for _, suite := range tooltest.Suites(root) {
		all = append(all, canontest.Suite(suite))
	}
	return all
}
