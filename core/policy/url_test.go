package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

func TestASerialisedURLIsTakenApartWithoutGuessing(t *testing.T) {
	for href, want := range map[string]policy.URL{
		"https://example.com/":                     {Scheme: "https", Host: "example.com", Path: "/", Origin: "https://example.com"},
		"https://u:p:q@h.com:8443/a:@b?c@d/?e#f#?": {Scheme: "https", Username: "u", Password: "p:q", Host: "h.com", Port: "8443", Path: "/a:@b", Query: "c@d/?e", Fragment: "f#?", Origin: "https://h.com:8443"},
		"https://[::1]/":                           {Scheme: "https", Host: "[::1]", Path: "/", Origin: "https://[::1]"},
		"https://[::1]:8443/":                      {Scheme: "https", Host: "[::1]", Port: "8443", Path: "/", Origin: "https://[::1]:8443"},
		"https://h.com/#//@127.0.0.1/":             {Scheme: "https", Host: "h.com", Path: "/", Fragment: "//@127.0.0.1/", Origin: "https://h.com"},
		"https://h.com/?#":                         {Scheme: "https", Host: "h.com", Path: "/", Origin: "https://h.com"},
		"data:text/plain,a?b#c":                    {Scheme: "data", Path: "text/plain,a", Query: "b", Fragment: "c", Origin: "null"},
		"file:///etc/passwd":                       {Scheme: "file", Path: "/etc/passwd", Origin: "null"},
		"web+x:/.//not-a-host/":                    {Scheme: "web+x", Path: "//not-a-host/", Origin: "null"},
		"x://h":                                    {Scheme: "x", Host: "h", Origin: "null"},
	} {
		got, err := policy.Split(href)
		require.NoError(t, err)
		want.Href = href
		require.Equal(t, want, got)
	}
	// A serialisation holds one @ at most before its path; were there two, the last one would end the user part, as in every parser.
	u, err := policy.Split("https://a@b@c/")
	require.NoError(t, err)
	require.Equal(t, "c", u.Host)
	for _, href := range []string{"", "x", ":x", "//h"} {
		_, err := policy.Split(href)
		require.Error(t, err, href)
	}
}
