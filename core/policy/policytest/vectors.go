package policytest

import (
	"context"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

// all grants everything.
type all struct{}

func (all) Granted(context.Context, policy.Want) (bool, error) { return true, nil }

// Vectors asks the policy about every input of the public suites, each as a request of a tool that may do everything. What passes must be an https URL without
// credentials to the very place that the suite says, and a few must pass, or nothing is shown.
func Vectors(t *testing.T, root fs.FS, parser policy.Parser) {
	p, asker := Open(t, parser)
	for name, read := range map[string]func(json.RawMessage) (vector, bool){"url": readURL, "toascii": readDomain(asWritten), "IdnaTestV2": readDomain(asWritten)} {
		text, err := fs.ReadFile(root, files[name])
		require.NoError(t, err)
		var cases []json.RawMessage
		require.NoError(t, json.Unmarshal(text, &cases))
		allowed, asked := 0, 0
		for _, c := range cases {
			v, ok := read(c)
			if !ok {
				continue
			}
			asked++
			if rest, found := strings.CutPrefix(v.input, "http://"); found { // most are of http, whose hosts are read as those of https are
				v.input = "https://" + rest
				if !v.fails {
					v.want["protocol"] = "https:"
				}
			}
			permit, err := p.Decide(t.Context(), asker, policy.Request{URL: v.input}, all{})
			if err != nil {
				var denial *policy.Denial
				require.ErrorAs(t, err, &denial)
				continue
			}
			allowed++
			require.False(t, v.fails, "%+q must fail, and is sent to %s", v.input, permit.URL())
			require.True(t, strings.HasPrefix(permit.URL(), permit.Origin().Text+"/"), permit.URL())
			require.True(t, strings.HasPrefix(permit.URL(), "https://"), permit.URL())
			if name == "url" {
				require.Equal(t, "https:", v.want["protocol"], "%+q", v.input)
				require.Empty(t, v.want["username"]+v.want["password"], "%+q", v.input)
			}
			require.Equal(t, v.want["hostname"], permit.Host(), "%+q", v.input)
			CheckPermit(t, p, asker, permit)
		}
		require.Positive(t, allowed, name)
		t.Logf("%s: %d of %d inputs are allowed", name, allowed, asked)
	}
}
