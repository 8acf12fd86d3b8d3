package policy_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

func TestEveryRowOfTheTableIsDecidedAsItSays(t *testing.T) { policytest.Table(t, parser(t)) }

// will is what the user says, and what was asked.
type will struct {
	yes    bool
	err    error
	wanted []policy.Want
}

func (w *will) Granted(_ context.Context, want policy.Want) (bool, error) {
	w.wanted = append(w.wanted, want)
	return w.yes, w.err
}

func reasonOf(t testing.TB, err error) policy.Reason {
	t.Helper()
	var denial *policy.Denial
	require.ErrorAs(t, err, &denial)
	require.Equal(t, fault.Denied, fault.CodeOf(err))
	require.Contains(t, policy.Reasons(), denial.Reason)
	require.True(t, strings.HasPrefix(denial.Message, "fetch: "), denial.Message)
	return denial.Reason
}

// A request that breaks every rule is refused for the first; mending one rule after the other walks through the steps.
func TestTheStepsAreTakenInOrder(t *testing.T) {
	p, asker := policytest.Open(t, parser(t))
	revision, needs := asker.Revision, asker.Needs
	asker = policy.Asker{}
	r := policy.Request{Method: "TRACE", URL: "http:\\\\user@localhost.:0/\x00", HasBody: true, BodyBytes: -1, Headers: []policy.Header{{Name: "Host", Value: "x"}}}
	grants := &will{}
	for _, step := range []struct {
		reason policy.Reason
		mend   func()
	}{
		{policy.NoRevision, func() { asker.Revision = revision }},
		{policy.RawForm, func() { r.URL = "ftp://user@localhost.:65536/" }},
		{policy.Parse, func() { r.URL = "ftp://user@localhost.:0/" }},
		{policy.Scheme, func() { r.URL = "https://user@localhost.:0/" }},
		{policy.Credentials, func() { r.URL = "https://localhost.:0/" }},
		{policy.Port, func() { r.URL = "https://localhost./" }},
		{policy.HostName, func() { r.URL = "https://wiki./" }},
		{policy.HostForm, func() { r.URL = "https://127.0.0.1/" }},
		{policy.BadAddress, func() { r.URL = "https://app.example.com/" }},
		{policy.Self, func() { r.URL = "https://example.com/" }},
		{policy.Method, func() { r.Method = "GET" }},
		{policy.Body, func() { r.HasBody, r.BodyBytes = false, 0 }},
		{policy.NoNeed, func() { asker.Needs = needs }},
		{policy.NoGrant, func() { grants.yes = true }},
		{policy.BadHeader, func() { r.Headers = nil }},
	} {
		_, err := p.Decide(t.Context(), asker, r, grants)
		require.Equal(t, step.reason, reasonOf(t, err), "%v", err)
		require.Equal(t, step.reason == policy.NoGrant || step.reason == policy.BadHeader, len(grants.wanted) > 0, "asked too early")
		grants.wanted = nil
		step.mend()
	}
	permit, err := p.Decide(t.Context(), asker, r, grants)
	require.NoError(t, err)
	require.Equal(t, "https://example.com/", permit.URL())
}

func TestTheUserIsAskedAboutExactlyWhatIsSent(t *testing.T) {
	p, asker := policytest.Open(t, parser(t))
	grants := &will{yes: true}
	permit, err := p.Decide(t.Context(), asker, policy.Request{Method: "put", URL: "https://FAß.example.org:0443/a/../b?c#d"}, grants)
	require.Equal(t, policy.Port, reasonOf(t, err))
	require.Empty(t, grants.wanted)
	permit, err = p.Decide(t.Context(), asker, policy.Request{Method: "put", URL: "https://FAß.example.org:8443/a/../b?c#d", HasBody: true, BodyBytes: 3,
		Headers: []policy.Header{{Name: "Authorization", Value: "a"}, {Name: "X_API_Key", Value: "b"}, {Name: "Accept", Value: "c"}}}, grants)
	require.NoError(t, err)
	origin := policy.Origin{Text: "https://xn--fa-hia.example.org:8443", Readable: "https://faß.example.org:8443"}
	require.Equal(t, []policy.Want{{Revision: asker.Revision, Origin: origin, Class: policy.Write, Credentials: []string{"authorization", "x-api-key"},
		Method: "PUT", URL: "https://xn--fa-hia.example.org:8443/b?c"}}, grants.wanted)
	require.Equal(t, grants.wanted[0].URL, permit.URL())
	require.Equal(t, "PUT", permit.Method())
	require.Equal(t, "xn--fa-hia.example.org", permit.Host())
	require.Equal(t, origin, permit.Origin())
	require.Equal(t, policy.Write, permit.Class())
}

func TestWhatTheUsersWillFailsWithIsTheResult(t *testing.T) {
	p, asker := policytest.Open(t, parser(t))
	closed := errors.New("the prompt was closed")
	_, err := p.Decide(t.Context(), asker, policy.Request{URL: "https://example.com/"}, &will{yes: true, err: closed})
	require.Equal(t, closed, err)
}

func TestOnlyWhatTheRevisionDeclaresIsAskedFor(t *testing.T) {
	p, _ := policytest.Open(t, parser(t))
	needs, err := p.Needs([]tool.FetchNeed{{Origin: "https://READ.example.com", Access: "read"}, {Origin: "https://write.example.com/", Access: "write"},
		{Origin: "https://both.example.com:443", Access: "read"}, {Origin: "https://both.example.com", Access: "write"}, {Origin: "https://both.example.com", Access: "read"}})
	require.NoError(t, err)
	star, err := p.Needs([]tool.FetchNeed{{Origin: "*", Access: "read"}, {Origin: "https://write.example.com", Access: "write"}})
	require.NoError(t, err)
	for _, row := range []struct {
		needs           policy.Needs
		method, url     string
		asked, declared bool
	}{
		{needs, "GET", "https://read.example.com/", true, true},
		{needs, "POST", "https://read.example.com/", false, false},
		{needs, "GET", "https://write.example.com/", true, true},
		{needs, "POST", "https://write.example.com/", true, true},
		{needs, "POST", "https://both.example.com/", true, true},
		{needs, "GET", "https://read.example.com:8443/", false, false},
		{needs, "GET", "https://sub.read.example.com/", false, false},
		{needs, "GET", "https://example.com/", false, false},
		{policy.Needs{}, "GET", "https://read.example.com/", false, false},
		{star, "GET", "https://read.example.com/", true, false},
		{star, "POST", "https://read.example.com/", false, false},
		{star, "POST", "https://write.example.com/", true, true},
	} {
		grants := &will{yes: true}
		_, err := p.Decide(t.Context(), policy.Asker{Revision: canon.SumTool(nil), Needs: row.needs}, policy.Request{Method: row.method, URL: row.url}, grants)
		require.Equal(t, row.asked, err == nil, "%s %s: %v", row.method, row.url, err)
		if !row.asked {
			require.Equal(t, policy.NoNeed, reasonOf(t, err))
			require.Empty(t, grants.wanted)
			continue
		}
		require.Equal(t, row.declared, grants.wanted[0].Declared)
	}
}

func TestANeedThatNoHostCouldServeIsRefusedWithItsPlace(t *testing.T) {
	p, _ := policytest.Open(t, parser(t))
	for _, origin := range []string{"", "example.com", "http://example.com", "https://example.com/path", "https://example.com/?", "https://localhost", "https://10.0.0.1",
		"https://*.example.com", "https://user@example.com", "https://example.com:22", "**"} {
		_, err := p.Needs([]tool.FetchNeed{{Origin: "*", Access: "read"}, {Origin: origin, Access: "read"}})
		require.Equal(t, fault.InvalidDefinition, fault.CodeOf(err), origin)
		require.Equal(t, "$.needs.fetch[1].origin", fault.From(err).Path)
	}
	// Whether it is this application's own, or is judged when it is dialled, is for the host of the day.
	for _, origin := range []string{"https://app.example.com", "https://10-0-0-1.sslip.io"} {
		_, err := p.Needs([]tool.FetchNeed{{Origin: origin, Access: "read"}})
		require.NoError(t, err, origin)
	}
	_, err := p.Needs([]tool.FetchNeed{{Origin: "*", Access: "all"}})
	require.Equal(t, fault.InvalidDefinition, fault.CodeOf(err))
}

func TestAHostThatJudgesWhatItDialsMayReachNamesThatStandForAnyAddress(t *testing.T) {
	_, asker := policytest.Open(t, parser(t))
	p, err := policy.New(parser(t), policy.Host{Resolves: true}, limits.Default())
	require.NoError(t, err)
	for url, allowed := range map[string]bool{"https://8-8-8-8.sslip.io/": true, "https://nas.local/": false, "https://app.example.com/": true, "https://127.0.0.1/": false} {
		_, err := p.Decide(t.Context(), asker, policy.Request{URL: url}, policytest.ReadOnly{})
		require.Equal(t, allowed, err == nil, url)
	}
}

func TestAPolicyThatDoesNotKnowItsOwnApplicationIsNotMade(t *testing.T) {
	for _, self := range []string{"", "null", "app.example.com", "https://", "data:x"} {
		_, err := policy.New(parser(t), policy.Host{Self: []string{"https://ok.example.com", self}}, limits.Default())
		require.Equal(t, fault.InvalidRequest, fault.CodeOf(err), self)
	}
	_, asker := policytest.Open(t, parser(t))
	p, err := policy.New(parser(t), policy.Host{Self: []string{"http://8.8.8.8:8080", "chrome-extension://abc", "https://[2606:4700::1111]"}}, limits.Default())
	require.NoError(t, err)
	for _, url := range []string{"https://134744072/", "https://[2606:4700:0::1111]:8443/"} {
		_, err = p.Decide(t.Context(), asker, policy.Request{URL: url}, policytest.ReadOnly{})
		require.Equal(t, policy.Self, reasonOf(t, err))
	}
}

func TestSizesHoldAtTheEdge(t *testing.T) {
	p, asker := policytest.Open(t, parser(t))
	l := limits.Default()
	ask := func(r policy.Request) error {
		_, err := p.Decide(t.Context(), asker, r, &will{yes: true})
		return err
	}
	base := "https://example.com/"
	fits := base + strings.Repeat("a", l.FetchURLBytes-len(base))
	require.NoError(t, ask(policy.Request{URL: fits}))
	require.Equal(t, policy.RawForm, reasonOf(t, ask(policy.Request{URL: fits + "a"})))
	require.Equal(t, policy.RawForm, reasonOf(t, ask(policy.Request{URL: base + "#" + strings.Repeat("a", l.FetchURLBytes)})))
	require.Equal(t, policy.RawForm, reasonOf(t, ask(policy.Request{URL: base + strings.Repeat("./", l.FetchURLBytes)})), "short when it is sent")
	encoded := base + strings.Repeat(`"`, l.FetchURLBytes/2) // three times as long when it is sent
	require.Equal(t, policy.RawForm, reasonOf(t, ask(policy.Request{URL: encoded})))

	require.NoError(t, ask(policy.Request{Method: "POST", URL: base, HasBody: true, BodyBytes: l.FetchSentBytes}))
	require.Equal(t, policy.Body, reasonOf(t, ask(policy.Request{Method: "POST", URL: base, HasBody: true, BodyBytes: l.FetchSentBytes + 1})))
	require.Equal(t, policy.Body, reasonOf(t, ask(policy.Request{Method: "POST", URL: base, HasBody: true, BodyBytes: -1})))
	for _, method := range []string{"GET", "HEAD", "OPTIONS", "get", ""} {
		require.Equal(t, policy.Body, reasonOf(t, ask(policy.Request{Method: method, URL: base, HasBody: true})), method)
		require.Equal(t, policy.Body, reasonOf(t, ask(policy.Request{Method: method, URL: base, BodyBytes: 1})), method)
	}
	require.Equal(t, policy.Method, reasonOf(t, ask(policy.Request{Method: strings.Repeat("A", 33), URL: base})))
	require.NoError(t, ask(policy.Request{Method: strings.Repeat("A", 32), URL: base}))
}

func TestAMethodIsSentAsABrowserSendsIt(t *testing.T) {
	p, asker := policytest.Open(t, parser(t))
	for written, want := range map[string]struct {
		sent  string
		class policy.Class
	}{"": {"GET", policy.Read}, "get": {"GET", policy.Read}, "Head": {"HEAD", policy.Read}, "options": {"OPTIONS", policy.Read}, "pOsT": {"POST", policy.Write},
		"put": {"PUT", policy.Write}, "delete": {"DELETE", policy.Write}, "PATCH": {"PATCH", policy.Write}, "patch": {"patch", policy.Write},
		"query": {"query", policy.Write}, "PROPFIND": {"PROPFIND", policy.Write}, "GETS": {"GETS", policy.Write}} {
		permit, err := p.Decide(t.Context(), asker, policy.Request{Method: written, URL: "https://example.com/"}, &will{yes: true})
		require.NoError(t, err, written)
		require.Equal(t, want.sent, permit.Method())
		require.Equal(t, want.class, permit.Class())
	}
	for _, written := range []string{"CONNECT", "connect", "TRACE", "Track", " GET", "GET ", "GET\r\n", "GET\x00", "G:T", "GET HTTP/1.1", "ＧＥＴ", "ge\u0131t", "{}"} {
		_, err := p.Decide(t.Context(), asker, policy.Request{Method: written, URL: "https://example.com/"}, &will{yes: true})
		require.Equal(t, policy.Method, reasonOf(t, err), "%q", written)
	}
}
