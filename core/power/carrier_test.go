package power_test

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// line is a carrier to a proxy that answers with one line, and a body of four bytes.
type line string

func (l line) Carry(context.Context, power.Carried) (*power.Response, error) {
	return &power.Response{Status: 200, Body: &pieces{list: []string{string(l) + "\nbody"}, end: io.EOF}}, nil
}

func (r *rig) through(l line, a sandbox.Ask) sandbox.Answer {
	r.ports.Sender = power.Proxied{Carrier: l, URL: "https://proxy.example.org/"}
	return r.fetch(context.Background(), a)
}

func TestAProxysAnswerIsHeldToWhatAnAnswerCanBe(t *testing.T) {
	r := open(t, reads)
	for line, want := range map[line]string{
		`{"status":200,"statusText":"OK","headers":[["x-a","1"]]}`: "",
		`{"status":999}`:                         "",
		`{"status":204}`:                         "",
		`{"status":302}`:                         power.RedirectBlocked,
		`{"status":101}`:                         power.Network,
		`{"status":-1}`:                          power.Network,
		`{"status":0}`:                           power.Network,
		`{"status":1000}`:                        power.Network,
		`{}`:                                     power.Network,
		`{"status":200,"statusText":"a\nb"}`:     power.Network,
		`{"status":200,"statusText":"a\u007fb"}`: power.Network,
		`{"error":{"code":"address","message":"fetch: is private"}}`:     "address",
		`{"error":{"code":"too_large","message":"fetch: is too large"}}`: power.TooLarge,
		`{"error":{"code":"","message":""}}`:                             power.Network,
		`{"error":{"code":"a word of its own","message":"m"}}`:           power.Network,
		`{"error":{"code":"not_granted","message":"m"}}`:                 power.Network,
	} {
		a := r.through(line, get(origin+"/"))
		require.Equal(t, want, reason(a), line)
		if a.Error != nil {
			require.NotEmpty(t, a.Error.Message, line)
		}
	}
}

func TestASecretThatAProxyRepeatsInAnErrorIsHidden(t *testing.T) {
	r := open(t, keyed)
	r.hold(t)
	r.ports.Sender = power.Proxied{Carrier: line(`{"error":{"code":"header","message":"fetch: Authorization: ` + value + ` is no header"}}`), URL: "https://proxy.example.org/"}
	session := power.New(r.ports).Open(r.call)
	a := session.Answer(t.Context(), header(origin+"/", session.Placeholders()["key"]))
	require.Equal(t, "header", reason(a))
	require.Equal(t, "fetch: Authorization: [secret key] is no header", a.Error.Message)
}
