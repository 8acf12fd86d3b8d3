//go:build js && wasm

package browser

import (
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/network"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/urls"
)

// requests is how tools of this page ask the network.
type requests struct {
	policy *policy.Policy
	sender power.Sender
}

// openRequests judges by the page's own URL parser and sends by its own fetch, or by the proxy. The page's own hosts, where it was loaded from and
// where its proxy is, are out of reach.
func openRequests(o Options, l limits.Limits) (requests, error) {
	parser, err := urls.New()
	if err != nil {
		return requests{}, err
	}
	carrier, err := network.New(o.Fetch)
	if err != nil {
		return requests{}, err
	}
	self := power.Self(parser, here()...)
	var sender power.Sender = power.Direct{Carrier: carrier}
	if o.Proxy != nil {
		proxy, err := parser.Parse(o.Proxy.URL)
		if err != nil || proxy.Scheme != "https" && !onThisMachine(proxy) {
			return requests{}, fault.At(fault.InvalidRequest, "$.proxyURL", "options: $.proxyURL: %.100q is no https address", o.Proxy.URL)
		}
		sender = power.Proxied{Carrier: carrier, URL: proxy.Href, Token: o.Proxy.Token}
		self = append(self, proxy.Origin)
	}
	p, err := policy.New(parser, policy.Host{Self: self, Resolves: o.Proxy != nil}, l)
	return requests{p, sender}, err
}

func onThisMachine(u policy.URL) bool {
	return u.Scheme == "http" && (u.Host == "localhost" || u.Host == "127.0.0.1" || u.Host == "[::1]")
}

// here is the page's address, and its origin, which a page without a host of its own has from whoever made it.
func here() []string {
	page := newPage()
	return []string{textIn(page.get("location", "href")), textIn(page.get("origin"))}
}
