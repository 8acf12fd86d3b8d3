package policytest

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

// CheckPermit checks what holds of every permit, whatever was asked: it is about one plain https URL, which Go reads as the policy did, and asking for
// that URL again gives it again.
func CheckPermit(t testing.TB, p *policy.Policy, asker policy.Asker, permit policy.Permit) {
	text := permit.URL()
	require.True(t, strings.HasPrefix(text, "https://"+permit.Host()), text)
	require.NotContains(t, text, "#")
	require.NotContains(t, text, "\\")
	for _, c := range []byte(text) {
		require.True(t, ' ' < c && c < 0x7f, "%q", text)
	}
	other, err := url.Parse(text)
	require.NoError(t, err, text)
	require.Nil(t, other.User, text)
	require.Equal(t, strings.Trim(permit.Host(), "[]"), other.Hostname(), text)
	require.Equal(t, permit.Origin().Text, "https://"+other.Host, text)
	if addr, err := netip.ParseAddr(other.Hostname()); err == nil {
		inner := addr.Unmap()
		require.True(t, addr.IsGlobalUnicast() && !inner.IsPrivate() && !inner.IsLoopback() && !inner.IsLinkLocalUnicast() && !inner.IsMulticast() && !inner.IsUnspecified(), text)
	} else {
		require.Contains(t, permit.Host(), ".", text)
		require.Regexp(t, `^[a-z0-9_.-]*[a-z][a-z0-9-]*$`, permit.Host())
	}
	again, err := p.Decide(t.Context(), asker, policy.Request{Method: permit.Method(), URL: text}, all{})
	require.NoError(t, err, text)
	require.Equal(t, text, again.URL())
	require.Equal(t, permit.Origin(), again.Origin())
	require.Equal(t, permit.Class(), again.Class())
}
