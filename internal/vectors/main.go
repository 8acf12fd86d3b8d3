// Command vectors runs the public conformance suites and prints one line each, `name passed/total`, and below it, indented, how many cases
// are known to differ and are not in the total, with the reason. The data is read from
// ../shared/vectors beside the repository, or from the folder that TASKYON_VECTORS names.
package main

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon/canontest"
	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
	"github.com/xyntopia/taskyon-sandbox/core/tool/tooltest"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
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
		for _, reason := range slices.Sorted(maps.Keys(suite.Known)) {
			fmt.Fprintf(out, "  %d more: %s\n", suite.Known[reason], reason)
		}
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
func suites(folder string) []policytest.Suite {
	root := os.DirFS(folder)
	var all []policytest.Suite
	for _, suite := range canontest.Suites(root) {
		all = append(all, policytest.Suite{Name: suite.Name, Run: suite.Run})
	}
	for _, suite := range tooltest.Suites(root) {
		all = append(all, policytest.Suite{Name: suite.Name, Run: suite.Run})
	}
	return append(all, policytest.Suites(root, urls.Parser{}.Resolve, policytest.Library())...)
}
