package policytest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

// Parse parses a reference against a base; an empty base is none.
type Parse func(raw, base string) (policy.URL, error)

// Suite is one public suite. Run returns how many of its cases hold; total is never below the published number of cases less the known
// differences, so that a folder with missing files fails. Each case that does not hold has a line in failures.
type Suite struct {
	Name  string
	Run   func() (passed, total int, failures []string)
	Known map[string]int // differences that are not in total: how many cases, by reason
}

// The published numbers of cases. One of IdnaTestV2 more is the empty name, which no URL can hold.
const (
	urlCases     = 891
	toASCIICases = 87
	idnaCases    = 2670
)

// Suites returns the suites over the vectors folder. A parser may differ from a suite for the reasons of differences alone, never by
// accepting what must fail. known is how many cases that are, by suite and reason, exactly; nil takes whatever number (the parser of an engine
// changes with the engine).
func Suites(root fs.FS, parse Parse, known map[string]map[string]int) []Suite {
	made := []Suite{
		{Name: "url", Run: func() (int, int, []string) { return run(root, "url", urlCases, readURL, parse, known) }},
		{Name: "toascii", Run: func() (int, int, []string) {
			return run(root, "toascii", toASCIICases, readDomain(asWritten), parse, known)
		}},
		{Name: "IdnaTestV2", Run: func() (int, int, []string) {
			return run(root, "IdnaTestV2", idnaCases, readDomain(encoded), parse, known)
		}},
	}
	for i := range made {
		made[i].Known = known[made[i].Name]
	}
	return made
}

// vector is one case: what is parsed, and what must come of it.
type vector struct {
	input, base string
	fails       bool
	want        map[string]string // parts of the record, by the names of the URL class
}

var files = map[string]string{"url": "url/urltestdata.json", "toascii": "url/toascii.json", "IdnaTestV2": "url/IdnaTestV2.json"}

func run(root fs.FS, name string, published int, read func(json.RawMessage) (vector, bool), parse Parse, known map[string]map[string]int) (
	passed, total int, failures []string) {
	met := map[string]int{}
	wrong := func(format string, args ...any) { failures = append(failures, fmt.Sprintf(format, args...)) }
	text, err := fs.ReadFile(root, files[name])
	if err != nil {
		wrong("%v", err)
	}
	var cases []json.RawMessage
	if err == nil {
		err = json.Unmarshal(text, &cases)
	}
	if err != nil {
		wrong("%s: %v", files[name], err)
	}
	for _, c := range cases {
		v, ok := read(c)
		if !ok {
			continue // a comment
		}
		got, err := parse(v.input, v.base)
		problem := compare(v, got, err)
		if reason := explain(v, got, err); problem != "" && reason != "" {
			met[reason]++
			continue
		}
		total++
		if problem == "" {
			passed++
		} else {
			wrong("%+q against %+q: %s", v.input, v.base, problem)
		}
	}
	for _, count := range met {
		published -= count
	}
	if known != nil && !maps.Equal(met, known[name]) {
		wrong("known differences: met %v, listed %v", met, known[name])
	}
	if total < published {
		wrong("%d cases found, %d published", total, published)
	}
	return passed, max(total, published), failures
}

func compare(v vector, got policy.URL, err error) string {
	switch {
	case v.fails && err == nil:
		return "accepted as " + got.Href + ", must fail"
	case v.fails:
		return ""
	case err != nil:
		return "refused: " + err.Error()
	}
	parts := Parts(got)
	for _, name := range slices.Sorted(maps.Keys(v.want)) {
		if parts[name] != v.want[name] {
			return fmt.Sprintf("%s is %+q, want %+q", name, parts[name], v.want[name])
		}
	}
	return ""
}

// Parts is a record under the names of the URL class of JavaScript.
func Parts(u policy.URL) map[string]string {
	before := func(mark, text string) string {
		if text == "" {
			return ""
		}
		return mark + text
	}
	return map[string]string{"href": u.Href, "origin": u.Origin, "protocol": u.Scheme + ":", "username": u.Username, "password": u.Password,
		"host": u.Host + before(":", u.Port), "hostname": u.Host, "port": u.Port, "pathname": u.Path, "search": before("?", u.Query),
		"hash": before("#", u.Fragment)}
}

func readURL(c json.RawMessage) (vector, bool) {
	var fields map[string]any
	if json.Unmarshal(c, &fields) != nil {
		return vector{}, false
	}
	v := vector{want: map[string]string{}}
	v.input, _ = fields["input"].(string)
	v.base, _ = fields["base"].(string)
	v.fails, _ = fields["failure"].(bool)
	for name := range Parts(policy.URL{}) {
		if want, given := fields[name].(string); given {
			v.want[name] = want
		}
	}
	if v.want["protocol"] == "blob:" {
		delete(v.want, "origin") // that of the URL inside; a policy.URL does not say it, since no policy lets a blob pass
	}
	return v, true
}

func readDomain(write func(string) string) func(json.RawMessage) (vector, bool) {
	return func(c json.RawMessage) (vector, bool) {
		var fields struct {
			Input  string
			Output *string
		}
		if json.Unmarshal(c, &fields) != nil || fields.Input == "" {
			return vector{}, false
		}
		v := vector{input: "https://" + write(fields.Input) + "/x", fails: fields.Output == nil}
		if !v.fails {
			v.want = map[string]string{"hostname": *fields.Output, "pathname": "/x"}
		}
		return v, true
	}
}

func asWritten(domain string) string { return domain }

// encoded hides from the parser's first half what could end the host.
func encoded(domain string) string {
	var b strings.Builder
	for _, c := range []byte(domain) {
		fmt.Fprintf(&b, "%%%02X", c)
	}
	return b.String()
}
