package shelf_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/shelf/shelftest"
)

func TestMemoryKeepsTheStoreContract(t *testing.T) {
	shelftest.Store(t, func(*testing.T) shelf.Store { return new(shelf.Memory) })
	shelftest.Shared(t, func(*testing.T) (a, b shelf.Store) { s := new(shelf.Memory); return s, s })
}

func TestAKeyIsItsWordsAndNoWordReachesAnotherKey(t *testing.T) {
	for _, words := range [][]string{{"a"}, {"a", "b"}, {"a/b"}, {"a%2Fb"}, {"a%2", "Fb"}, {"%", "/", "%25"}, {"a", ""}, {"", "a"}, {"é/", "\xff%"}} {
		require.Equal(t, words, shelf.Words(shelf.Key(words...)))
		require.True(t, strings.HasPrefix(shelf.Key(append(words, "more")...), shelf.Under(words...)))
		require.False(t, strings.HasPrefix(shelf.Key(words...), shelf.Under(words...)), "a key is not under itself")
	}
	require.Empty(t, shelf.Under())
	require.NotEqual(t, shelf.Key("a/b"), shelf.Key("a", "b"))
	require.NotEqual(t, shelf.Key("a%2Fb"), shelf.Key("a/b"))
}

func TestASpanIsExactlyTheKeysWithThePrefixAfterTheKey(t *testing.T) {
	texts := []string{"a", "a\x00", "a\x00\x00", "a\xfe", "a\xff", "a\xff\xff", "b", "\xfe\xff", "\xff", "\xff\xff", strings.Repeat("\xff", shelf.KeyBytes)}
	for _, prefix := range append(texts, "") {
		for _, after := range append(texts, "") {
			from, to := shelf.Span(prefix, after)
			for _, key := range texts {
				require.Equal(t, strings.HasPrefix(key, prefix) && key > after, from <= key && key < to, "%q %q %q", prefix, after, key)
			}
		}
	}
}
