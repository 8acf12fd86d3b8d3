package secret

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"net/url"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

func base64Of(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }

// sending has a call with a secret that is for api.
func sending(t *testing.T, value string) (b rig, call *Call, text string) {
	b = newRig(t, "K", "L")
	require.NoError(t, b.Set(t.Context(), mine, "K", NewValue(value), []string{api}))
	call = b.For(Caller{Revision: mine, Declared: []string{"K", "L"}})
	return b, call, call.Placeholders()["K"]
}

func TestAPlaceholderBecomesItsSecretInTheHeadersOfARequestToItsOrigin(t *testing.T) {
	_, call, text := sending(t, sample)
	for given, want := range map[string]string{
		text: sample, "Bearer " + text: "Bearer " + sample, "a " + text + ", b=" + text: "a " + sample + ", b=" + sample,
		"Basic " + base64Of("user:"+text):                        "Basic " + base64Of("user:"+sample),
		"bAsIc  " + base64Of(text+":"+text):                      "bAsIc " + base64Of(sample+":"+sample),
		"Basic " + strings.TrimRight(base64Of("u:"+text), "="):   "Basic " + base64Of("u:"+sample),
		"Basic " + base64Of("no:secret"):                         "Basic " + base64Of("no:secret"),
		"Basic " + text:                                          "Basic " + sample,
		"{{secret.K}} is no placeholder, {{secret.K.0}} neither": "{{secret.K}} is no placeholder, {{secret.K.0}} neither",
	} {
		headers := [][2]string{{"x-one", "1"}, {"Authorization", given}}
		filled, err := call.Fill(t.Context(), Outgoing{Origin: api, URL: api + "/x", Headers: headers, Body: []byte("{}")})
		require.NoError(t, err, given)
		require.Equal(t, [][2]string{{"x-one", "1"}, {"Authorization", want}}, filled)
		require.Equal(t, given, headers[1][1], "what was given stays")
	}
}

func TestAPlaceholderWhereNoSecretMayGoIsRefusedAndNeverSent(t *testing.T) {
	b, call, text := sending(t, sample)
	old := b.For(Caller{Revision: mine, Declared: []string{"K"}}).Placeholders()["K"]
	token := text[len("{{secret.K.") : len(text)-2]
	header := func(value string) Outgoing { return Outgoing{Origin: api, Headers: [][2]string{{"x", value}}} }
	for title, r := range map[string]Outgoing{
		"another origin":            {Origin: other, Headers: [][2]string{{"x", text}}},
		"another origin, in Basic":  {Origin: other, Headers: [][2]string{{"x", "Basic " + base64Of("u:"+text)}}},
		"a port more":               {Origin: api + ":8443", Headers: [][2]string{{"x", text}}},
		"no origin":                 {Headers: [][2]string{{"x", text}}},
		"the URL":                   {Origin: api, URL: api + "/?key=" + text},
		"the URL, as it is written": {Origin: api, URL: api + "/?key=" + url.QueryEscape(text)},
		"the fragment":              {Origin: api, URL: api + "/#" + token},
		"the body":                  {Origin: api, Body: []byte(`{"key":"` + text + `"}`)},
		"the body in base64":        {Origin: api, Body: []byte(base64Of("x" + text))},
		"a long body":               {Origin: api, Body: []byte(strings.Repeat("x", 1<<16-5) + text)},
		"the name of a header":      {Origin: api, Headers: [][2]string{{"x-" + token, "1"}}},
		"a piece":                   header(text[2:]),
		"its random part":           header(token),
		"base64 that is no Basic":   header("Token " + base64Of("u:"+text)),
		"base64 of a piece":         header("Basic " + base64Of("u:"+token)),
		"hex":                       header(hex.EncodeToString([]byte(text))),
		"beside a good one":         header(text + token),
		"another call's":            header(old),
		"another call's, in Basic":  header("Basic " + base64Of("u:"+old)),
		"a made up one":             header("{{secret.K." + strings.Repeat("0", 32) + "}}"),
		"another name":              header(strings.Replace(text, ".K.", ".L.", 1)),
	} {
		t.Run(title, func(t *testing.T) {
			filled, err := call.Fill(t.Context(), r)
			var refusal *Refusal
			require.True(t, errors.As(err, &refusal), "%v", err)
			require.Equal(t, Misplaced, refusal.Reason)
			require.Equal(t, fault.Denied, fault.CodeOf(err))
			require.Nil(t, filled)
		})
	}
}

func TestASecretThatIsNotThereOrDoesNotFitSaysWhatToDo(t *testing.T) {
	b, call, text := sending(t, "schlüssel")
	reason := func(call *Call, value string) Reason {
		_, err := call.Fill(t.Context(), Outgoing{Origin: api, Headers: [][2]string{{"x", value}}})
		var refusal *Refusal
		require.True(t, err == nil || errors.As(err, &refusal), "%v", err)
		if err == nil {
			return ""
		}
		return refusal.Reason
	}
	require.Equal(t, Missing, reason(call, call.Placeholders()["L"]))
	require.Equal(t, Unsendable, reason(call, text))
	require.Empty(t, reason(call, "Basic "+base64Of("u:"+text)))
	chat := b.For(Caller{Revision: mine, Declared: []string{"K"}, Lexical: true})
	require.Equal(t, Missing, reason(chat, "Basic "+base64Of("u:"+chat.Placeholders()["K"])), "a tool of a chat has no secrets of an installed one")
	require.NoError(t, b.Forget(t.Context(), mine, "K"))
	require.Equal(t, Missing, reason(call, "Basic "+base64Of("u:"+text)))
}

func TestEachCallHasPlaceholdersOfItsOwnForWhatItDeclares(t *testing.T) {
	b := newRig(t)
	seen := map[string]bool{}
	for range 100 {
		given := b.For(Caller{Revision: mine, Declared: []string{"K", "L", "K", "no name", ""}}).Placeholders()
		require.Len(t, given, 2)
		for name, text := range given {
			require.Regexp(t, `^\{\{secret\.`+name+`\.[0-9a-f]{32}\}\}$`, text)
			seen[text[len(text)-34:]] = true
		}
	}
	require.Len(t, seen, 200)
}

func TestManyRequestsOfACallMayBeFilledAndScrubbedAtOnce(t *testing.T) {
	_, call, text := sending(t, sample)
	var wait sync.WaitGroup
	for i := range 50 {
		wait.Go(func() {
			_, err := call.Fill(t.Context(), Outgoing{Origin: api, Headers: [][2]string{{"x", "Basic " + base64Of(strings.Repeat("u", i)+":"+text)}}})
			if got := call.Text("a " + sample); err != nil || got != "a [secret K]" {
				t.Errorf("%v, %s", err, got)
			}
		})
	}
	wait.Wait()
}

func TestARequestHasAFewPlaceholdersAndNoMore(t *testing.T) {
	_, call, text := sending(t, sample)
	some := func(n int) [][2]string {
		return [][2]string{{"x", strings.Repeat(text, n/2)}, {"authorization", "Basic " + base64Of(strings.Repeat(text, n-n/2))}}
	}
	_, err := call.Fill(t.Context(), Outgoing{Origin: api, Headers: some(16)})
	require.NoError(t, err)
	_, err = call.Fill(t.Context(), Outgoing{Origin: api, Headers: some(17)})
	var refusal *Refusal
	require.ErrorAs(t, err, &refusal)
	require.Equal(t, Misplaced, refusal.Reason)
}
