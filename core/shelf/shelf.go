// Package shelf is where small things are kept that belong to no task and no revision's identity: grants, sealed secrets, what tools
// store, the audit. A store holds bytes under keys, in order of the keys, and changes several of them together or none.
//
// A key is words joined by slashes. Each word is escaped, so that no name that comes from a tool can reach another one's keys.
// To a store a key is bytes: it need not be UTF-8, and the order of keys is that of their bytes, the order of Go's strings. A store
// whose own order of texts is another one keeps keys as bytes.
package shelf

import (
	"bytes"
	"context"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// KeyBytes bounds a key.
const KeyBytes = 1024

// Key joins words to a key. Words may be any text; none is empty in what this project keeps.
func Key(words ...string) string {
	escape, escaped := strings.NewReplacer("%", "%25", "/", "%2F"), make([]string, len(words))
	for i, word := range words {
		escaped[i] = escape.Replace(word)
	}
	return strings.Join(escaped, "/")
}

// Words is the way back from a key.
func Words(key string) []string {
	plain, words := strings.NewReplacer("%25", "%", "%2F", "/"), strings.Split(key, "/")
	for i, word := range words {
		words[i] = plain.Replace(word)
	}
	return words
}

// Under is the prefix of every key that begins with those words and has more.
func Under(words ...string) string {
	if len(words) == 0 {
		return ""
	}
	return Key(words...) + "/"
}

// Span is the range of the keys that begin with a prefix and come after a key ("": all of them): those from the first text on and
// before the second one. Where the first is not before the second there are none. No key is larger than every span.
func Span(prefix, after string) (from, to string) {
	from, to = prefix, strings.Repeat("\xff", KeyBytes+1)
	if next := after + "\x00"; after != "" && next > from {
		from = next
	}
	for i := len(prefix); i > 0; i-- {
		if last := prefix[i-1]; last < 0xff {
			return from, prefix[:i-1] + string([]byte{last + 1})
		}
	}
	return from, to
}

// Row is what stands under a key.
type Row struct {
	Key   string
	Value []byte
}

// Change puts a value under a key, or takes it away where the value is nil. A value of no bytes is a value. With Check it is made only
// if the key holds Before, nil for nothing: who read first and changes what it read loses nothing of another's.
type Change struct {
	Key    string
	Value  []byte
	Check  bool
	Before []byte
}

// Holds tells whether what a key holds is what a change that checks expects. A value that is nil is no value.
func (c Change) Holds(value []byte) bool {
	return !c.Check || (value != nil) == (c.Before != nil) && bytes.Equal(value, c.Before)
}

// Store keeps rows. It is safe for concurrent use, also by several engines over the same data, and slices that it takes and gives are
// the caller's. Errors: unavailable, aborted (the context has ended; nothing was changed), and those named.
type Store interface {
	// Get gives the value of a key, which is never nil. Errors: not_found, corrupt (somebody has edited the row).
	Get(ctx context.Context, key string) ([]byte, error)
	// Put makes all changes, or none. What each Check asks for is what stood there before the first of them; of several changes of a
	// key the last one stays. Errors: conflict (a Check did not hold), too_large (a key of none or more than KeyBytes, which is told
	// before any conflict, or no room).
	Put(ctx context.Context, changes ...Change) error
	// List gives the rows whose keys begin with the prefix and come after a key ("": all), in order of the keys' bytes, at most that
	// many (0: all). Errors: corrupt.
	List(ctx context.Context, prefix, after string, most int) ([]Row, error)
	// Clear takes away every row whose key begins with the prefix, in one step. Nothing of them is left behind.
	Clear(ctx context.Context, prefix string) error
}

// Missing is the not_found of a key.
func Missing(key string) error { return fault.New(fault.NotFound, "store: nothing under %.80q", key) }

// Changed is the conflict of a key.
func Changed(key string) error {
	return fault.New(fault.Conflict, "store: what is under %.80q was changed meanwhile, read it again", key)
}

// Fits refuses a key that no store has to hold: too_large.
func Fits(key string) error {
	if key == "" || len(key) > KeyBytes {
		return fault.New(fault.TooLarge, "store: a key of %d bytes, want 1 to %d; use shorter names", len(key), KeyBytes)
	}
	return nil
}

// Fit refuses changes of such keys.
func Fit(changes []Change) error {
	for _, c := range changes {
		if err := Fits(c.Key); err != nil {
			return err
		}
	}
	return nil
}
