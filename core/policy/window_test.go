package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

func windows(t *testing.T) *policy.Policy {
	p, err := policy.New(parser(t), policy.Host{Self: []string{"https://app.example.com"}}, limits.Default())
	require.NoError(t, err)
	return p
}

func TestAWindowIsLedOnlyToWhereAFetchMayGo(t *testing.T) {
	p, revision := windows(t), canon.SumTool([]byte("x"))
	to, err := p.Window(revision, "https://Shop.example.com:443/a?b=1#c")
	require.NoError(t, err)
	require.Equal(t, "https://shop.example.com/a?b=1", to.URL())
	require.Equal(t, "https://shop.example.com", to.Origin().Text)
	for url, reason := range map[string]policy.Reason{
		"http://shop.example.com/": policy.Scheme, "javascript:alert(1)": policy.Scheme, "data:text/html,x": policy.Scheme, "blob:https://shop.example.com/1": policy.Scheme,
		"about:blank": policy.Scheme, "file:///etc/passwd": policy.Scheme, "//shop.example.com/": policy.RawForm, "/x": policy.RawForm, "": policy.RawForm,
		"https:shop.example.com": policy.RawForm, "https://shop.example.com\\@evil.example/": policy.RawForm, " https://shop.example.com": policy.RawForm,
		"https://a:b@shop.example.com/": policy.Credentials, "https://shop.example.com:22/": policy.Port, "https://localhost/": policy.HostName,
		"https://router/": policy.HostForm, "https://shop.example.com./": policy.HostForm, "https://127.0.0.1/": policy.BadAddress, "https://0x7f.1/": policy.BadAddress,
		"https://[::1]/": policy.BadAddress, "https://169.254.169.254/": policy.BadAddress, "https://app.example.com/": policy.Self, "https://APP.example.com:8443/x": policy.Self,
	} {
		_, err := p.Window(revision, url)
		var denial *policy.Denial
		require.ErrorAs(t, err, &denial, url)
		require.Equal(t, reason, denial.Reason, url)
		require.Regexp(t, `^popup: `, denial.Message)
	}
	_, err = p.Window(canon.ToolID{}, "https://shop.example.com/")
	require.Error(t, err, "no revision")
}

func TestAPopupNeedIsCustomHTMLOrOneHTTPSOrigin(t *testing.T) {
	p := windows(t)
	list, err := p.Windows([]string{"custom-html", "https://Shop.example.com", "https://xn--mnchen-3ya.example.com:8443/"})
	require.NoError(t, err)
	require.Equal(t, []policy.Origin{{Text: "custom-html", Readable: "custom-html"}, {Text: "https://shop.example.com", Readable: "https://shop.example.com"},
		{Text: "https://xn--mnchen-3ya.example.com:8443", Readable: "https://münchen.example.com:8443"}}, list)
	_, err = p.Windows([]string{"https://app.example.com"})
	require.NoError(t, err, "the verdict on a definition does not depend on the host")
	for _, bad := range []string{"*", "", "Custom-HTML", "https://*.example.com", "https://shop.example.com/path", "https://shop.example.com?x", "http://shop.example.com",
		"shop.example.com", "https://localhost", "<img src=x>", "https://127.0.0.1"} {
		_, err := p.Windows([]string{"custom-html", bad})
		require.Equal(t, fault.InvalidDefinition, fault.CodeOf(err), bad)
		require.Contains(t, err.Error(), "$.needs.popup[1]")
	}
}
