package power_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

const shop = "https://shop.example.com"

// opener opens windows, and can close them.
type opener struct {
	opened []registry.Window
	close  []chan struct{}
	err    error
}

func (o *opener) open(_ context.Context, w registry.Window) (<-chan struct{}, error) {
	if o.err != nil {
		return nil, o.err
	}
	o.opened = append(o.opened, w)
	o.close = append(o.close, make(chan struct{}))
	return o.close[len(o.close)-1], nil
}

// window is a rig whose tool is a function of the host.
func window(t *testing.T, needs string) (*rig, *opener) {
	r := open(t, `{}`)
	d, err := tool.Read([]byte(`{"name":"shower","description":"","implementation":{"class":"trusted-native","native":"n","version":"1"},"needs":`+needs+`}`), limits.Default())
	require.NoError(t, err)
	r.call.Revision, err = tool.Freeze(d)
	require.NoError(t, err)
	return r, new(opener)
}

const shows = `{"popup":["custom-html","https://shop.example.com"]}`

func custom(html string) map[string]any { return map[string]any{"kind": "custom-html", "html": html} }

func site(url string) map[string]any { return map[string]any{"kind": "origin", "url": url} }

func TestAWindowIsOpenedForWhatPolicyAndUserAllow(t *testing.T) {
	r, o := window(t, shows)
	session := power.New(r.ports).Open(r.call)
	a := session.Popup(t.Context(), sandbox.Ask{}, custom("<p>"), o.open)
	require.Empty(t, reason(a))
	require.Equal(t, map[string]any{}, a.Value)
	a = power.New(r.ports).Open(r.call).Popup(t.Context(), sandbox.Ask{}, map[string]any{"kind": "origin", "url": shop + "/a#b", "messages": true}, o.open)
	require.Equal(t, map[string]any{"url": shop + "/a"}, a.Value)
	require.Equal(t, []registry.Window{{Tool: "shower", Kind: "custom-html", Scope: "custom-html"},
		{Tool: "shower", Kind: "origin", Scope: shop, URL: shop + "/a", Origin: shop, Messages: true}}, o.opened)
}

func TestNoWindowIsOpenedThatIsNotDeclaredAllowedOrFit(t *testing.T) {
	for title, row := range map[string]struct {
		needs, answer string
		request       any
		reason        string
	}{
		"undeclared html":      {`{"popup":["https://shop.example.com"]}`, "session", custom(""), "undeclared"},
		"undeclared origin":    {`{"popup":["custom-html"]}`, "session", site(shop), "undeclared"},
		"a fetch need is none": {`{"fetch":[{"origin":"https://shop.example.com","access":"write"}]}`, "session", site(shop), "undeclared"},
		"no need":              {`{}`, "session", custom(""), "undeclared"},
		"the user says no":     {shows, "deny", custom(""), "not_granted"},
		"any origin":           {`{"popup":["*"]}`, "session", site(shop), "invalid_definition"},
		"plain http":           {shows, "session", site("http://shop.example.com"), "scheme"},
		"the application":      {`{"popup":["https://app.example.org"]}`, "session", site("https://app.example.org/"), "self"},
		"this machine":         {shows, "session", site("https://127.0.0.1/"), "address"},
		"a private name":       {shows, "session", site("https://printer.local/"), "host_name"},
		"too much html":        {shows, "session", custom(strings.Repeat("x", 1<<20+1)), "too_large"},
		"no kind":              {shows, "session", map[string]any{"html": ""}, "invalid_request"},
		"both":                 {shows, "session", map[string]any{"kind": "custom-html", "html": "", "url": shop}, "invalid_request"},
		"messages of html":     {shows, "session", map[string]any{"kind": "custom-html", "html": "", "messages": true}, "invalid_request"},
		"an unknown field":     {shows, "session", map[string]any{"kind": "custom-html", "html": "", "width": 1.0}, "invalid_request"},
		"no object":            {shows, "session", "custom-html", "invalid_request"},
	} {
		t.Run(title, func(t *testing.T) {
			r, o := window(t, row.needs)
			r.ports.Grants = willOf(says(row.answer))
			a := power.New(r.ports).Open(r.call).Popup(t.Context(), sandbox.Ask{}, row.request, o.open)
			require.Equal(t, row.reason, reason(a))
			require.Empty(t, o.opened)
		})
	}
	r, o := window(t, shows)
	r.ports.Grants = nil
	require.Equal(t, "denied", reason(power.New(r.ports).Open(r.call).Popup(t.Context(), sandbox.Ask{}, custom(""), o.open)), "nobody to ask")
	sandboxed := open(t, `{}`)
	require.Equal(t, "denied", reason(power.New(sandboxed.ports).Open(sandboxed.call).Popup(t.Context(), sandbox.Ask{}, custom(""), o.open)), "sandboxed code")
	asked := sandbox.Ask{Ask: &protocol.Ask{Call: 1, Ask: 1, Capability: protocol.CapabilityPopup, Params: custom("")}}
	require.Equal(t, "denied", reason(power.New(r.ports).Open(r.call).Answer(t.Context(), asked)), "no message of a sandbox opens one")
	require.Empty(t, o.opened)
}

func TestACallHasOneWindowAndAnEngineThreeUntilTheyHaveClosed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, o := window(t, shows)
		life, end := context.WithCancel(t.Context())
		r.ports.Life = life
		powers := power.New(r.ports)
		ask := func(s *power.Session, ctx context.Context) string {
			return reason(s.Popup(ctx, sandbox.Ask{}, custom(""), o.open))
		}
		first := powers.Open(r.call)
		over, cancel := context.WithCancel(t.Context())
		require.Empty(t, ask(first, over))
		require.Equal(t, "too_many", ask(first, t.Context()), "one at a time")
		for range 2 {
			require.Empty(t, ask(powers.Open(r.call), t.Context()))
		}
		require.Equal(t, "too_many", ask(powers.Open(r.call), t.Context()), "three of an engine")
		cancel()
		synctest.Wait()
		require.Equal(t, "too_many", ask(powers.Open(r.call), t.Context()), "a window that outlives its call counts on")
		close(o.close[0])
		synctest.Wait()
		require.Empty(t, ask(first, t.Context()))
		o.err = power.Fail(power.Blocked, "popup: blocked")
		close(o.close[1])
		synctest.Wait()
		require.Equal(t, "blocked", ask(powers.Open(r.call), t.Context()))
		o.err = errors.New("anything")
		require.Equal(t, "internal", ask(powers.Open(r.call), t.Context()))
		o.err = nil
		require.Empty(t, ask(powers.Open(r.call), t.Context()), "what failed does not count")
		end()
	})
}
