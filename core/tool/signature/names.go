package signature

import (
	"regexp"
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// aliases gives every name that the pattern refuses another one that it accepts; names that it accepts are not in the result.
// The result does not depend on the order of names, and no alias is another's, or an accepted name.
func aliases(names []string, pattern *regexp.Regexp, noun string) map[string]string {
	out := map[string]string{}
	if pattern == nil {
		return out
	}
	taken := map[string]bool{}
	var odd []string
	for _, name := range names {
		if pattern.MatchString(name) {
			taken[name] = true
		} else {
			odd = append(odd, name)
		}
	}
	slices.Sort(odd)
	for _, name := range slices.Compact(odd) {
		out[name] = alias(name, noun, taken)
		taken[out[name]] = true
	}
	return out
}

// longestAlias fits every provider.
const longestAlias = 64

// alias is what can be kept of a name and so much of its hash that nobody has it yet.
func alias(name, noun string, taken map[string]bool) string {
	kept := readable(name)
	if kept == "" {
		kept = noun
	}
	_, hash, _ := strings.Cut(canon.SumFile([]byte(name)).String(), "b3:")
	for digits := 8; ; digits++ {
		tail := "_" + hash[:min(digits, 48)]
		candidate := kept[:min(len(kept), longestAlias-len(tail))] + tail
		// Past 48 digits of a hash only the same name could be in the way, and each name is given once.
		if !taken[candidate] || digits > 48 {
			return candidate
		}
	}
}

// readable turns runs of other characters into one underscore each, and starts with a letter.
func readable(name string) string {
	var b strings.Builder
	gap := false
	for _, c := range name {
		switch letter := 'a' <= c|0x20 && c|0x20 <= 'z'; {
		case c < 0x80 && (letter || '0' <= c && c <= '9' && b.Len() > 0):
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			b.WriteRune(c)
			gap = false
		default:
			gap = true
		}
		if b.Len() >= longestAlias {
			break
		}
	}
	return b.String()
}
