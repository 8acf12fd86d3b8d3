// Package shelf is where small things are kept that belong to no task and no revision's identity: grants, sealed secrets, what tools
// store, the audit. A store holds bytes under keys, in order of the keys, and changes several of them together or none.
//
// A key is words joined by slashes. Each word is escaped, so that no name that comes from a tool can reach another one's keys.
package shelf

import (
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

// Row is what stands under a key.
type Row struct {
	Key   string
	Value []byte
}

// Change puts a value under a key, or takes it away where the value is nil. With Check it is made only if the key holds Before, nil
// for nothing: who read first and changes what it read loses nothing of another's.
type Change struct {
	Key    string
	Value  []byte
	Check  bool
	Before []byte
}

// Store keeps rows. It is safe for concurrent use, also by several engines over the same data. Errors: unavailable, and those named.
type Store interface {
	// Get gives the value of a key. Errors: not_found.
	Get(ctx context.Context, key string) ([]byte, error)
	// Put makes all changes, or none. Errors: conflict (a Check did not hold), too_large (a key of more than KeyBytes, or no room).
	Put(ctx context.Context, changes ...Change) error
	// List gives the rows whose keys begin with the prefix and come after a key, in order, at most that many (0: all).
	List(ctx context.Context, prefix, after string, most int) ([]Row, error)
	// Clear takes away every row whose key begins with the prefix.
	Clear(ctx context.Context, prefix string) error
}

// Missing is the not_found of a key.
func Missing(key string) error { return fault.New(fault.NotFound, "store: nothing under %.80q", key) }

// Changed is the conflict of a key.
func Changed(key string) error {
	return fault.New(fault.Conflict, "store: what is under %.80q was changed meanwhile, read it again", key)
}

// Fits refuses a key that no store has to hold.
func Fits(key string) error {
	if key == "" || len(key) > KeyBytes {
		return fault.New(fault.TooLarge, "store: a key of %d bytes, want 1 to %d", len(key), KeyBytes)
	}
	return nil
}
