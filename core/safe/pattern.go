package safe

import (
	"regexp"
	"sync"
)

// Pattern is a regular expression that is compiled when it is first asked for: those with long repeats would take a good part of an
// engine's start.
func Pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
