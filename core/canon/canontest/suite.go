// Package canontest runs the public conformance suites of JSON, RFC 8785 and BLAKE3 against package canon. The data is not
// part of the project: it is read from a folder that the caller opens, laid out as
//
//	jcs/input/*.json, jcs/output/*.json   cyberphone/json-canonicalization, testdata
//	blake3/test_vectors.json              BLAKE3-team/BLAKE3, test_vectors
//	jsonparse/*.json                      nst/JSONTestSuite, test_parsing
package canontest

import (
	"fmt"
	"io/fs"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// Suite is one public suite. Run returns how many of its cases hold; total is never below the published number of cases,
// so that a folder with missing files fails. Each case that does not hold has a line in failures.
type Suite struct {
	Name string
	Run  func() (passed, total int, failures []string)
}

// Suites returns the suites over the vectors folder.
func Suites(root fs.FS) []Suite {
	return []Suite{
		{"jcs", func() (int, int, []string) { return jcs(root) }},
		{"blake3", func() (int, int, []string) { return blake3(root) }},
		{"jsonparse", func() (int, int, []string) { return jsonparse(root) }},
	}
}

// tally counts the cases of one suite.
type tally struct {
	passed   int
	total    int
	failures []string
}

func (t *tally) check(ok bool, format string, args ...any) {
	t.total++
	if ok {
		t.passed++
		return
	}
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

// result raises the total to the published number of cases.
func (t *tally) result(published int) (passed, total int, failures []string) {
	if t.total < published {
		t.failures = append(t.failures, fmt.Sprintf("%d cases found, %d published", t.total, published))
	}
	return t.passed, max(t.total, published), t.failures
}

func nesting() int { return limits.Default().Nesting }
