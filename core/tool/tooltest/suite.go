// Package tooltest runs the JSON Schema test suite, draft 2020-12, against package schema. The data is not part of the project: it
// is read from a folder that the caller opens, laid out as
//
//	json-schema/tests/draft2020-12/*.json                    json-schema-org/JSON-Schema-Test-Suite, the required tests
//	json-schema/tests/draft2020-12/optional/*-regex.json     its tests of the dialect of patterns
//	json-schema/remotes/**                                   what the tests find at http://localhost:1234/
package tooltest

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool/schema"
)

// Suite is one public suite. Run returns how many of its cases hold; total is never below the published number of cases less
// the exceptions, so that a folder with missing files fails. Each case that does not hold has a line in failures.
type Suite struct {
	Name string
	Run  func() (passed, total int, failures []string)
}

// Suites returns the suites over the vectors folder.
func Suites(root fs.FS) []Suite {
	return []Suite{
		{"json-schema", func() (int, int, []string) { return jsonSchema(root, requiredFiles, required, exceptions()) }},
		{"json-schema-patterns", func() (int, int, []string) { return jsonSchema(root, patternFiles, patterns, nil) }},
	}
}

const (
	requiredFiles = "json-schema/tests/draft2020-12/*.json"
	required      = 1299
	patternFiles  = "json-schema/tests/draft2020-12/optional/*-regex.json"
	patterns      = 86
	remotes       = "http://localhost:1234/"
	nesting       = 64
)

// exceptions lists the required tests that we do not pass, `file: group: test`, each with the reason; there are none. They may only
// be about the dialect of patterns. A listed test that passes is a failure too.
func exceptions() map[string]string { return map[string]string{} }

type group struct {
	Description string
	Schema      any
	Tests       []struct {
		Description string
		Data        any
		Valid       bool
	}
}

func jsonSchema(root fs.FS, where string, published int, exceptions map[string]string) (passed, total int, failures []string) {
	met := 0
	wrong := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	files, _ := fs.Glob(root, where)
	for _, file := range files {
		groups, err := read(root, file)
		if err != nil {
			wrong("%s: %v", file, err)
			continue
		}
		for _, g := range groups {
			s, err := schema.Compile(g.Schema, "$", loader(root))
			for _, t := range g.Tests {
				name := fmt.Sprintf("%s: %s: %s", path.Base(file), g.Description, t.Description)
				problem := judge(s, err, t.Data, t.Valid)
				reason, excepted := exceptions[name]
				switch {
				case excepted && problem == "":
					met++
					wrong("%s: passes, but is listed as an exception (%s)", name, reason)
				case excepted:
					met++
				default:
					total++
					if problem == "" {
						passed++
					} else {
						wrong("%s: %s", name, problem)
					}
				}
			}
		}
	}
	if met < len(exceptions) {
		wrong("%d exceptions listed, %d met", len(exceptions), met)
	}
	if published -= len(exceptions); total < published {
		wrong("%d cases found, %d published", total, published)
		total = published
	}
	return passed, total, failures
}

func judge(s *schema.Schema, compiled error, v any, valid bool) (problem string) {
	if compiled != nil {
		return "schema refused: " + compiled.Error()
	}
	err := s.Check(v, fault.InvalidArguments)
	switch f := fault.From(err); {
	case (err == nil) != valid:
		return fmt.Sprintf("valid %v, want %v: %v", err == nil, valid, err)
	case err != nil && (f.Code != fault.InvalidArguments || !strings.HasPrefix(f.Path, "$")):
		return "refused without code and place: " + err.Error()
	}
	return ""
}

func read(root fs.FS, file string) (groups []group, err error) {
	tree, err := decode(root, file)
	if err != nil {
		return nil, err
	}
	for _, g := range tree.([]any) {
		fields := g.(map[string]any)
		made := group{Description: fields["description"].(string), Schema: fields["schema"]}
		for _, t := range fields["tests"].([]any) {
			test := t.(map[string]any)
			made.Tests = append(made.Tests, struct {
				Description string
				Data        any
				Valid       bool
			}{test["description"].(string), test["data"], test["valid"].(bool)})
		}
		groups = append(groups, made)
	}
	return groups, nil
}

func decode(root fs.FS, file string) (any, error) {
	text, err := fs.ReadFile(root, file)
	if err != nil {
		return nil, err
	}
	return canon.Decode(text, nesting)
}

func loader(root fs.FS) schema.Loader {
	return func(uri string) (any, error) {
		file, ours := strings.CutPrefix(uri, remotes)
		if !ours {
			return nil, fmt.Errorf("%s is not among the remotes", uri)
		}
		return decode(root, "json-schema/remotes/"+file)
	}
}
