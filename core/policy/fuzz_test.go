package policy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
)

// Whatever a tool writes: what passes is one plain https URL to a public host, which every reader reads alike and which stays what it is.
func FuzzNoRequestReachesWhatItMayNot(f *testing.F) {
	for _, row := range policytest.Rows(f) {
		f.Add(row.Method, row.Raw, "X-Name", "value")
	}
	f.Add("GET", "https://example.com/", "Host", "a\r\nb")
	p, asker := policytest.Open(f, parser(f))
	f.Fuzz(func(t *testing.T, method, url, name, value string) {
		permit, err := p.Decide(t.Context(), asker, policy.Request{Method: method, URL: url, Headers: []policy.Header{{Name: name, Value: value}}}, &will{yes: true})
		if err != nil {
			reasonOf(t, err)
			require.Less(t, len(err.Error()), 1000)
			return
		}
		policytest.CheckPermit(t, p, asker, permit)
		require.Len(t, permit.Headers(), 1)
		require.Regexp(t, "^[!#$%&'*+.^_`|~0-9a-z-]+$", permit.Headers()[0].Name)
		require.Equal(t, value, permit.Headers()[0].Value)
		require.NotContains(t, value, "\n")
	})
}

// The same with a parser that checks nothing: no hole of a parser opens this machine.
func FuzzNoHoleOfAParserReachesAPrivateAddress(f *testing.F) {
	for _, row := range policytest.Rows(f) {
		f.Add(row.Raw)
	}
	p, asker := policytest.Open(f, lax{})
	f.Fuzz(func(t *testing.T, url string) {
		permit, err := p.Decide(t.Context(), asker, policy.Request{URL: url}, &will{yes: true})
		if err != nil {
			reasonOf(t, err)
			return
		}
		rest, found := strings.CutPrefix(permit.URL(), permit.Origin().Text)
		require.True(t, found && (rest == "" || rest[0] == '/' || rest[0] == '?'), permit.URL())
		require.Regexp(t, `^([a-z0-9_-]+\.)+[a-z][a-z0-9-]*$|^\[[0-9a-f:]+\]$|^[0-9]+(\.[0-9]+){3}$`, permit.Host())
	})
}
