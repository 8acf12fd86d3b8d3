package canon

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// maxKey bounds how many bytes of a key a path repeats; keys come from strangers and paths go into messages and logs.
const maxKey = 96

// Child returns the path of a key: `$.name`, or `$["odd key"]` where the key is no ASCII identifier.
func Child(path, key string) string {
	if isIdentifier(key) && len(key) <= maxKey {
		return path + "." + key
	}
	return path + "[" + quote(key) + "]"
}

// Index returns the path of an array item: `$.list[0]`.
func Index(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

func isIdentifier(key string) bool {
	for i := range len(key) {
		c := key[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_' || c == '$'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return key != ""
}

// quote writes a stranger's text for a message: as a JSON string, clipped, never with broken UTF-8.
func quote(text string) string {
	return string(appendString(nil, clip(strings.ToValidUTF8(text, "\uFFFD"))))
}

func clip(text string) string {
	if len(text) <= maxKey {
		return text
	}
	end := maxKey
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + "…"
}

// step is one key or, with an empty key, one index on the way to a place. An index is never negative; noIndex marks a key.
type step struct {
	key   string
	index int
}

const noIndex = -1

func key(name string) step { return step{name, noIndex} }
func item(i int) step      { return step{"", i} }

// refusal is an error on its way up. Each container it leaves adds its step, so that paths cost nothing until one is needed.
type refusal struct {
	message string
	steps   []step // innermost first
	at      int    // byte offset, when a text is being read
	bug     bool   // a Go type of ours is wrong, not the data
}

func (r *refusal) in(s step) *refusal {
	r.steps = append(r.steps, s)
	return r
}

func (r *refusal) path() string {
	path := "$"
	for i := len(r.steps) - 1; i >= 0; i-- {
		if s := r.steps[i]; s.index == noIndex {
			path = Child(path, s.key)
		} else {
			path = Index(path, s.index)
		}
	}
	return path
}

// fault gives the refusal its code; a mistake of ours is internal whatever the caller's code is.
func (r *refusal) fault(code fault.Code) *fault.Error {
	path := r.path()
	if r.bug {
		return fault.At(fault.Internal, path, "BUG: %s: %s", path, r.message)
	}
	return fault.At(code, path, "%s: %s", path, r.message)
}
