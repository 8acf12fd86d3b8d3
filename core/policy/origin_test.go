package policy_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
)

func decide(t testing.TB, url string) (policy.Permit, error) {
	p, asker := policytest.Open(t, parser(t))
	return p.Decide(t.Context(), asker, policy.Request{URL: url}, policytest.ReadOnly{})
}

func TestAnOriginIsReadableOnlyWhereItCannotPassForAnother(t *testing.T) {
	for host, readable := range map[string]string{
		"example.com":             "example.com",
		"faß.example.com":         "faß.example.com",
		"münchen.example":         "",
		"xn--mnchen-3ya.com":      "münchen.com",
		"пример.com":              "пример.com",
		"παράδειγμα.gr":           "παράδειγμα.gr",
		"例え.jp":                   "例え.jp",
		"한국.kr":                   "한국.kr",
		"उदाहरण.com":              "उदाहरण.com",
		"ตัวอย่าง.com":            "ตัวอย่าง.com",
		"аррӏе.com":               "xn--80ak6aa92e.com", // Cyrillic that reads as Latin
		"оке.com":                 "xn--e1ajl.com",
		"pаypal.com":              "xn--pypal-4ve.com", // one Cyrillic letter
		"ραγ.com":                 "xn--mxae4b.com",
		"مثال.com":                "xn--mgbh0fb.com", // right to left
		"exɑmple.com":             "xn--exmple-cxc.com",
		"i❤.ws":                   "xn--i-7iq.ws",
		"a·b.com":                 "xn--ab-0ea.com",
		"xn--e1afmkfd.пример.com": "пример.пример.com",
	} {
		permit, err := decide(t, "https://"+host+":8443/")
		if readable == "" {
			require.Equal(t, policy.HostName, reasonOf(t, err))
			continue
		}
		require.NoError(t, err, host)
		require.Equal(t, "https://"+readable+":8443", permit.Origin().Readable, host)
		require.Equal(t, "https://"+permit.Host()+":8443", permit.Origin().Text)
		require.Regexp(t, `^[a-z0-9.-]+$`, permit.Host())
	}
}

// A parser may let an encoded label pass that nobody has encoded; the policy does not depend on it.
func TestALabelThatDecodesToNothingGoodIsNoHostWhateverTheParserSays(t *testing.T) {
	p, asker := policytest.Open(t, lax{})
	for _, label := range []string{"xn--", "xn--localhost-", "xn--a", "xn--a-", "xn--0", "xn--FA-hia", "xn--fa-hia-", "xn--1ch", "xn--a-ecp", "xn--acom-0w1b", "xn--99999999",
		"xn--comx-2g7a", "xn--comx-id9a", "xn--ab-g4t", "xn--ab-l3t", "xn--ab-5da", "xn--ab-l13a", "xn--ab-yu3n", "xn--comx-xl7b", "xn--ls8h=", "xn--ü", "xn---e1afmkfd", "xn--caf-pia", "xn--",
		"xn--ib9b", "xn--zy0c", "xn--en32g", "xn--8016146o", "xn--" + strings.Repeat("9", 59), "xn--" + strings.Repeat("z", 59), "xn--a-" + strings.Repeat("9", 57)} {
		_, err := p.Decide(t.Context(), asker, policy.Request{URL: "https://" + label + ".com/"}, policytest.ReadOnly{})
		require.Equal(t, policy.HostForm, reasonOf(t, err), label)
	}
	for _, label := range []string{"xn--fa-hia", "xn--e1afmkfd", "xn--mgbh0fb", "xn--ls8h", "xn--ihqwcrb4cv8a8dqg056pqjye", "xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa"} {
		_, err := p.Decide(t.Context(), asker, policy.Request{URL: "https://" + label + ".com/"}, policytest.ReadOnly{})
		require.NoError(t, err, label)
	}
}

// liar is a parser that reads every text as the same URL.
type liar policy.URL

func (l liar) Parse(string) (policy.URL, error) { return policy.URL(l), nil }

func TestAParserThatReadsSomethingElseGetsNothingThrough(t *testing.T) {
	for reason, read := range map[policy.Reason]policy.URL{
		policy.Scheme:      {Scheme: "http", Host: "example.com"},
		policy.Credentials: {Scheme: "https", Username: "u", Host: "example.com"},
		policy.BadAddress:  {Scheme: "https", Host: "[2606:4700::1111%1]"},
		policy.HostForm:    {Scheme: "https", Host: ""},
		policy.HostName:    {Scheme: "https", Host: "localhost"},
		policy.Port:        {Scheme: "https", Host: "example.com", Port: "22"},
	} {
		p, err := policy.New(liar(read), policy.Host{}, limits.Default())
		require.NoError(t, err)
		_, asker := policytest.Open(t, parser(t))
		_, err = p.Decide(t.Context(), asker, policy.Request{URL: "https://example.com/"}, &will{yes: true})
		require.Equal(t, reason, reasonOf(t, err))
	}
}

// lax is a parser with holes: it takes every text for a serialised URL.
type lax struct{}

func (lax) Parse(raw string) (policy.URL, error) { return policy.Split(raw) }

func TestAParserWithHolesOpensNoPrivateAddress(t *testing.T) {
	p, asker := policytest.Open(t, lax{})
	for url, reason := range map[string]policy.Reason{
		"https://127.1/": policy.HostForm, "https://2130706433/": policy.HostForm, "https://0x7f.1/": policy.HostForm, "https://0177.0.0.1/": policy.HostForm,
		"https://foo.0x7f/": policy.HostForm, "https://[::1%25lo]/": policy.RawForm, "https://[::1/": policy.Port, "https://[/": policy.BadAddress, "https://[::ffff:7f00:1]/": policy.BadAddress,
		"https://127.0.0.1/": policy.BadAddress, "https://127.0.0.1./": policy.HostForm, "https://LOCALHOST.com/": policy.HostForm, "https://１２７.0.0.1/": policy.HostForm,
		"https://a.com:99999/": policy.Port, "https://a.com:x/": policy.Port, "https://[2606:4700::ABCD]/": policy.BadAddress, "https://[2606:4700:0:0:0:0:0:1]/": policy.BadAddress, "https://[::ffff:8.8.8.8]/": policy.BadAddress,
		"https://::8443/": policy.HostForm, "https://:443/": policy.HostForm,
	} {
		_, err := p.Decide(t.Context(), asker, policy.Request{URL: url}, policytest.ReadOnly{})
		require.Equal(t, reason, reasonOf(t, err), url)
	}
}

func TestADenialSaysWhatToDo(t *testing.T) {
	for url, message := range map[string]string{
		"http://example.com/":           `fetch: "http:" is not https; tools reach https addresses only`,
		"https://example.com./":         `fetch: host "example.com." ends in a dot, which makes it another origin; leave the dot out`,
		"https://nas.local/":            `fetch: "nas.local" is refused: it is a name of the local link (RFC 6762); tools reach public hosts only`,
		"https://2130706433/":           `fetch: 127.0.0.1 is this machine (loopback) (RFC 1122); tools reach public addresses only`,
		"https://app.example.com/":      `fetch: app.example.com belongs to this application itself; no tool may reach it`,
		"https://example.com/?q=a b":    `fetch: the url holds ' '; percent-encode it (encodeURIComponent)`,
		"https:/example.com/":           `fetch: "https:/example.com/" must begin with https:// in lower case`,
		"https://example.com:25/":       `fetch: port "25" is for another protocol, and browsers block it; use 443 or another port for https`,
		"https://[64:ff9b::10.0.0.1]/x": `fetch: 64:ff9b::a00:1 is a NAT64 address (RFC 6052) for 10.0.0.1, a private address (RFC 1918); tools reach public addresses only`,
	} {
		_, err := decide(t, url)
		require.EqualError(t, err, message)
	}
}
