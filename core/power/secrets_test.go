package power_test

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/native/vault"
)

const value = "s3cret-value"

// meanwhile is a vault during whose opening something happens.
type meanwhile struct {
	secret.Vault
	happens *func()
}

func (m meanwhile) Open(ctx context.Context, sealed, associated []byte) ([]byte, error) {
	if *m.happens != nil {
		(*m.happens)()
	}
	return m.Vault.Open(ctx, sealed, associated)
}

// hold gives a rig's tool a secret for the origin.
func (r *rig) hold(t *testing.T) { r.holdValue(t, value) }

func (r *rig) holdValue(t *testing.T, value string) {
	sealed, err := vault.New()
	require.NoError(t, err)
	book := secret.NewBook(secret.Options{Store: new(shelf.Memory), Vault: meanwhile{sealed, &r.opening}, Random: func(b []byte) { _, _ = rand.Read(b) }, Limits: limits.Default(), Now: time.Now,
		Declares: func(context.Context, canon.ToolID) ([]string, error) { return []string{"key"}, nil }})
	require.NoError(t, book.Set(t.Context(), r.call.Revision.ID(), "key", secret.NewValue(value), []string{origin}))
	r.ports.Secrets = book
}

const keyed = `{"fetch":[{"origin":"https://api.example.com","access":"write"},{"origin":"https://other.example.com","access":"read"}],"secrets":["key"]}`

func header(url, value string, body ...[]byte) sandbox.Ask {
	return ask(map[string]any{"method": "POST", "url": url, "headers": []any{[]any{"Authorization", value}}, "body": len(body) > 0}, body...)
}

func TestASecretGoesIntoAHeaderForItsOriginAndTheToolNeverSeesIt(t *testing.T) {
	r := open(t, keyed)
	r.hold(t)
	r.answer = func(_ context.Context, q power.Request) (*power.Response, error) {
		sent := q.Headers()[0].Value
		return &power.Response{Status: 200, StatusText: sent, Headers: []policy.Header{{Name: "x-echo", Value: sent}, {Name: "x-" + value, Value: "1"}},
			Body: &pieces{list: []string{"you sent " + sent[:9], sent[9:] + " " + base64.StdEncoding.EncodeToString([]byte(value)) + strings.Repeat(".", 100<<10)}, end: io.EOF}}, nil
	}
	session := power.New(r.ports).Open(r.call)
	held := session.Placeholders()["key"]
	require.NotContains(t, held, value)
	for _, given := range []string{"Bearer " + held, "Basic " + base64.StdEncoding.EncodeToString([]byte("user:"+held))} {
		r.sent = nil
		a := session.Answer(t.Context(), header(origin+"/", given))
		require.Empty(t, reason(a))
		sent := r.sent[0].Headers()[0].Value
		if strings.HasPrefix(given, "Bearer") {
			require.Equal(t, "Bearer "+value, sent)
		} else {
			require.Equal(t, "Basic "+base64.StdEncoding.EncodeToString([]byte("user:"+value)), sent)
		}
		text, err := all(a.Body)
		require.Equal(t, io.EOF, err)
		head := a.Value.(map[string]any)
		for _, seen := range []string{text, head["statusText"].(string), strings.Join(flat(head["headers"]), " ")} {
			for _, form := range []string{value, base64.StdEncoding.EncodeToString([]byte(value)), sent} {
				require.NotContains(t, seen, form)
			}
		}
		require.Contains(t, text, "[secret key]")
	}
	require.Equal(t, "log: [secret key]", session.Text("log: "+value))
	require.Equal(t, map[string]any{"a": "[secret key]"}, session.Value(map[string]any{"a": value}))
}

func flat(headers any) (list []string) {
	for _, pair := range headers.([]any) {
		for _, text := range pair.([]any) {
			list = append(list, text.(string))
		}
	}
	return list
}

func TestAPlaceholderWhereNoSecretMayGoSendsNothing(t *testing.T) {
	r := open(t, keyed)
	r.hold(t)
	session := power.New(r.ports).Open(r.call)
	held := session.Placeholders()["key"]
	for title, a := range map[string]sandbox.Ask{
		"another origin":  ask(map[string]any{"method": "GET", "url": "https://other.example.com/", "headers": []any{[]any{"Authorization", held}}}),
		"the address":     get(origin + "/?" + strings.NewReplacer("{", "%7B", "}", "%7D").Replace(held)),
		"the body":        header(origin+"/", "x", []byte("key="+held)),
		"of another call": header(origin+"/", power.New(r.ports).Open(r.call).Placeholders()["key"]),
	} {
		t.Run(title, func(t *testing.T) {
			require.Equal(t, "secret_misplaced", reason(session.Answer(t.Context(), a)))
			require.Empty(t, r.sent)
		})
	}
}

func TestAToolThatDeclaresNoSecretHasNone(t *testing.T) {
	r := open(t, reads)
	r.hold(t)
	require.Empty(t, power.New(r.ports).Open(r.call).Placeholders())
}
