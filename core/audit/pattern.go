package audit

import (
	"regexp"
	"sync"
)

// pattern is compiled when it is first asked for: together they would take a good part of an engine's start.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
