package schema

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// The examples are those of RFC 3986 section 5.4.
func TestAReferenceResolvesAsInRFC3986(t *testing.T) {
	base := parseURI("http://a/b/c/d;p?q")
	for ref, want := range map[string]string{
		"g:h": "g:h", "g": "http://a/b/c/g", "./g": "http://a/b/c/g", "g/": "http://a/b/c/g/", "/g": "http://a/g", "//g": "http://g",
		"?y": "http://a/b/c/d;p?y", "g?y": "http://a/b/c/g?y", "#s": "http://a/b/c/d;p?q", "g#s": "http://a/b/c/g", "g?y#s": "http://a/b/c/g?y",
		";x": "http://a/b/c/;x", "g;x": "http://a/b/c/g;x", "": "http://a/b/c/d;p?q", ".": "http://a/b/c/", "./": "http://a/b/c/",
		"..": "http://a/b/", "../": "http://a/b/", "../g": "http://a/b/g", "../..": "http://a/", "../../g": "http://a/g",
		"../../../g": "http://a/g", "/./g": "http://a/g", "/../g": "http://a/g", "g.": "http://a/b/c/g.", "..g": "http://a/b/c/..g",
		"./../g": "http://a/b/g", "./g/.": "http://a/b/c/g/", "g/./h": "http://a/b/c/g/h", "g/../h": "http://a/b/c/h", "g?y/./x": "http://a/b/c/g?y/./x",
	} {
		require.Equal(t, want, base.resolve(parseURI(ref)).String(), ref)
	}
	require.Equal(t, "urn:a:b", parseURI("urn:a:b").resolve(parseURI("#x")).String())
	require.Equal(t, "http://a/g", parseURI("http://a").resolve(parseURI("g")).String())
	require.Equal(t, `a"b%zz/é`, decodePercent("a%22b%zz/%C3%a9"))
}
