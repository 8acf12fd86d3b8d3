package policy_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
)

func withHeaders(t *testing.T, headers ...policy.Header) (policy.Permit, error) {
	p, asker := policytest.Open(t, parser(t))
	return p.Decide(t.Context(), asker, policy.Request{URL: "https://example.com/", Headers: headers}, &will{yes: true})
}

// The names of the Fetch standard and the additions, once more, in the letters of their documents.
const refused = `Accept-Charset Accept-Encoding Access-Control-Request-Headers Access-Control-Request-Method Connection Content-Length Cookie Cookie2 Date DNT
	Expect Host Keep-Alive Origin Referer Set-Cookie TE Trailer Transfer-Encoding Upgrade Via Proxy-Authorization Proxy-Connection Proxy- Sec-Fetch-Site Sec-Purpose Sec-
	Sec-WebSocket-Key X-HTTP-Method X-HTTP-Method-Override X-Method-Override X-HTTP-Methods Access-Control-Request-Private-Network Access-Control-Request-Local-Network
	Forwarded X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Real-IP X-Client-IP True-Client-IP CF-Connecting-IP Client-IP X-Original-URL X-Rewrite-URL
	X-Original-Host X-Host X-aws-ec2-metadata-token X-aws-ec2-metadata-token-ttl-seconds Metadata Metadata-Flavor X-Metadata-Token HTTP2-Settings Alt-Used Early-Data
	Max-Forwards Service-Worker Service-Worker-Navigation-Preload Purpose X-Moz Taskyon-Revision X-Taskyon-Key`

func TestHeadersThatAToolMayNotSetAreRefusedInAnySpellingAndNeverDropped(t *testing.T) {
	names := strings.Fields(refused)
	require.Len(t, names, 62)
	for _, name := range names {
		for _, spelled := range []string{name, strings.ToLower(name), strings.ToUpper(name), strings.ReplaceAll(name, "-", "_")} {
			_, err := withHeaders(t, policy.Header{Name: "Accept", Value: "a"}, policy.Header{Name: spelled, Value: "GET"})
			require.Equal(t, policy.BadHeader, reasonOf(t, err), spelled)
		}
	}
}

func TestHeadersOfAToolsOwnPassCleaned(t *testing.T) {
	permit, err := withHeaders(t, policy.Header{Name: "X-Custom", Value: "1"}, policy.Header{Name: "Accept", Value: "text/html;q=0.9, */*"},
		policy.Header{Name: "x-custom", Value: "a\tb"}, policy.Header{Name: "Content-Type", Value: "application/json"}, policy.Header{Name: "Empty", Value: ""},
		policy.Header{Name: "User-Agent", Value: "a"}, policy.Header{Name: "Authorization", Value: "Bearer x"}, policy.Header{Name: "Range", Value: "bytes=0-1"},
		policy.Header{Name: "Hostess", Value: "x"}, policy.Header{Name: "!#$%&'*+-.^_`|~9", Value: "~ !"})
	require.NoError(t, err)
	require.Equal(t, []policy.Header{{"!#$%&'*+-.^_`|~9", "~ !"}, {"accept", "text/html;q=0.9, */*"}, {"authorization", "Bearer x"}, {"content-type", "application/json"},
		{"empty", ""}, {"hostess", "x"}, {"range", "bytes=0-1"}, {"user-agent", "a"}, {"x-custom", "1, a\tb"}}, permit.Headers())
	permit.Headers()[0].Value = "changed"
	require.Equal(t, "~ !", permit.Headers()[0].Value)
}

func TestNoHeaderSmugglesALine(t *testing.T) {
	for _, name := range []string{"", " ", "a b", "a:", ":path", "a\r\nb", "a\x00", "ä", "Ｈost", "a\u212a", "Host ", " Host", "Host:", "a/b", "\"a\"", "a\n", "a\t",
		strings.Repeat("a", 129)} {
		_, err := withHeaders(t, policy.Header{Name: name, Value: "x"})
		require.Equal(t, policy.BadHeader, reasonOf(t, err), "%q", name)
	}
	for _, value := range []string{"a\r\nHost: b", "a\nb", "a\rb", "a\x00b", "a\n b", " a", "a ", "\ta", "a\t", "ä", "\u2028", "a\x7f", "a\x1fb", "a\x80", "\xff", "\x0b"} {
		_, err := withHeaders(t, policy.Header{Name: "X", Value: value})
		require.Equal(t, policy.BadHeader, reasonOf(t, err), "%q", value)
	}
	for _, ranges := range [][]policy.Header{{{"Range", "bytes=0-1,5-6"}}, {{"Range", "bytes=0-1"}, {"range", "bytes=5-6"}}} {
		_, err := withHeaders(t, ranges...)
		require.Equal(t, policy.BadHeader, reasonOf(t, err))
	}
}

func TestHeadersAreBoundedAtTheEdge(t *testing.T) {
	l := limits.Default()
	var many []policy.Header
	for i := range l.FetchHeaders {
		many = append(many, policy.Header{Name: fmt.Sprint("x", i%2), Value: "v"})
	}
	_, err := withHeaders(t, many...)
	require.NoError(t, err)
	_, err = withHeaders(t, append(many, policy.Header{Name: "y", Value: "v"})...)
	require.Equal(t, policy.BadHeader, reasonOf(t, err))
	_, err = withHeaders(t, policy.Header{Name: strings.Repeat("a", 128), Value: strings.Repeat("v", l.FetchHeaderBytes)})
	require.NoError(t, err)
	_, err = withHeaders(t, policy.Header{Name: "a", Value: strings.Repeat("v", l.FetchHeaderBytes+1)})
	require.Equal(t, policy.BadHeader, reasonOf(t, err))
}

func TestASecretTakesThePlaceOfItsPlaceholderOnlyIfItIsAValue(t *testing.T) {
	permit, err := withHeaders(t, policy.Header{Name: "X-Api-Key", Value: "placeholder"}, policy.Header{Name: "Accept", Value: "a"})
	require.NoError(t, err)
	fill := func(with string) func(policy.Header) (string, error) {
		return func(h policy.Header) (string, error) { return strings.ReplaceAll(h.Value, "placeholder", with), nil }
	}
	filled, err := permit.Fill(fill("secret"))
	require.NoError(t, err)
	require.Equal(t, []policy.Header{{"accept", "a"}, {"x-api-key", "secret"}}, filled.Headers())
	require.Equal(t, permit.URL(), filled.URL())
	require.Equal(t, "placeholder", permit.Headers()[1].Value)
	empty, err := permit.Fill(fill("secret\r\nHost: elsewhere"))
	require.Equal(t, policy.BadHeader, reasonOf(t, err))
	require.NotContains(t, err.Error(), "secret")
	require.Empty(t, empty)
	locked := errors.New("the keyring is locked")
	_, err = permit.Fill(func(policy.Header) (string, error) { return "", locked })
	require.Equal(t, locked, err)
}

func TestWhatSetsStateIsHiddenFromTheTool(t *testing.T) {
	for _, name := range []string{"Set-Cookie", "set-cookie", "SET-COOKIE2", "Proxy-Authenticate", "Transfer-Encoding", "Connection", "Keep-Alive", "Trailer", "Upgrade", "TE",
		"Alt-Svc", "Clear-Site-Data"} {
		require.True(t, policy.Hidden(name), name)
	}
	for _, name := range []string{"Content-Type", "Link", "Location", "ETag", "X-Set-Cookie", "WWW-Authenticate"} {
		require.False(t, policy.Hidden(name), name)
	}
}
