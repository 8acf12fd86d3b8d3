package policy

// The request headers that a tool may not set, as data: in lower case, with - for _, since servers that hand headers on as variables take
// both for the same. User-Agent, Accept-Language and Content-Type are a tool's to choose.

// forbiddenHeaders are refused by their whole name.
var forbiddenHeaders = map[string]string{
	// Fetch, "forbidden request-header"
	"accept-charset": byBrowser, "accept-encoding": byBrowser, "connection": byBrowser, "content-length": byBrowser, "cookie": byBrowser,
	"cookie2": byBrowser, "date": byBrowser, "dnt": byBrowser, "expect": byBrowser, "host": byBrowser, "keep-alive": byBrowser,
	"origin": byBrowser, "referer": byBrowser, "set-cookie": byBrowser, "te": byBrowser, "trailer": byBrowser, "transfer-encoding": byBrowser,
	"upgrade": byBrowser, "via": byBrowser,
	// The same of other protocols and ages
	"alt-used": byBrowser, "early-data": byBrowser, "http2-settings": byBrowser, "max-forwards": byBrowser, "purpose": byBrowser,
	"x-moz": byBrowser, "x-purpose": byBrowser,
	// The method is what was judged
	"x-method-override": overridesMethod, "x-method": overridesMethod,
	// The path and the host are what was judged
	"x-original-url": overridesURL, "x-original-uri": overridesURL, "x-original-host": overridesURL, "x-original-method": overridesMethod,
	"x-rewrite-url": overridesURL, "x-host": overridesURL,
	// Servers behind proxies take these for who is asking
	"forwarded": sender, "x-real-ip": sender, "x-client-ip": sender, "client-ip": sender, "true-client-ip": sender, "cf-connecting-ip": sender,
	"x-cluster-client-ip": sender, "fastly-client-ip": sender, "x-remote-ip": sender, "x-remote-addr": sender, "x-originating-ip": sender,
	"x-forwarded": sender,
	// Clouds ask for one of these before they give their metadata away
	"metadata": cloud, "metadata-flavor": cloud, "x-metadata-token": cloud, "x-google-metadata-request": cloud,
}

// forbiddenPrefixes are refused by how the name begins.
var forbiddenPrefixes = []struct{ prefix, why string }{
	{"proxy-", byBrowser}, {"sec-", byBrowser}, {"access-control-request-", byBrowser}, {"service-worker", byBrowser},
	{"x-http-method", overridesMethod},
	{"x-forwarded-", sender},
	{"x-aws-ec2-metadata-token", cloud},
	{"taskyon-", ours}, {"x-taskyon-", ours},
}

const (
	byBrowser       = "is set by whoever sends the request; leave it out"
	overridesMethod = "changes the method that was judged; use the method itself"
	overridesURL    = "changes the url that was judged; use the url itself"
	sender          = "says who is asking, which a tool may not choose; leave it out"
	cloud           = "opens metadata services; leave it out"
	ours            = "is kept for this program; leave it out"
)

// credentialHeaders carry a credential that the tool chooses. They pass where the grant names them.
var credentialHeaders = []string{"authorization", "x-api-key", "api-key", "apikey", "x-auth-token", "x-auth-key", "x-access-token", "x-goog-api-key",
	"private-token", "x-token", "x-session-token"}

// hiddenHeaders of a response are not for the tool: what sets state, and what concerns one connection.
var hiddenHeaders = []string{"set-cookie", "set-cookie2", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "alt-svc",
	"clear-site-data"}
