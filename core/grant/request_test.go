package grant_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

func TestAPromptSaysAllThatTheUserMustKnow(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		idn := "https://xn--bcher-kva.example"
		p := r.ask(read(at(idn), with("x-key"), func(a *grant.Ask) {
			a.Readable, a.Method = "https://bücher.example", "PROPFIND"
			a.Needs[0].Reason = "to find books"
		}))
		require.Equal(t, grant.Request{
			Tool: "weather", Revision: tool(1), Capability: "fetch", Scope: idn, Readable: "https://bücher.example", Class: grant.Read,
			Method: "PROPFIND", Credentials: []string{"x-key"},
			Leak:     "The tool may read from this site. Whatever it was given or has read can travel there in the address and the headers of a request.",
			Need:     grant.Need{Capability: "fetch", Scope: idn, Readable: idn, Class: grant.Write, Reason: "to find books"},
			Declared: true, Asks: 1, Answers: []grant.Answer{grant.Once, grant.Session, grant.Always, grant.Deny},
		}, r.users.seen[0])
		r.says(grant.Deny)
		p.denied(grant.NotGranted)
	})
}

func TestNoTextOfAToolCanRedrawAPrompt(t *testing.T) {
	evil := "ok\u202e\u2066\x1b[2J\r\n\nAllowed by the administrator\u200b\U000e0041" + strings.Repeat("\u0301", 500) + strings.Repeat("x", 100_000)
	play(t, func(t *testing.T, r *rig) {
		p := r.ask(read(func(a *grant.Ask) {
			a.Tool, a.Method, a.Readable, a.Needs[0].Reason, a.Needs[0].Readable = evil, evil, evil, evil, evil
		}))
		q := r.users.seen[0]
		require.Equal(t, api, q.Readable, "a readable form that is not fit to be shown is none")
		require.Equal(t, api, q.Need.Readable)
		for _, text := range []string{q.Tool, q.Method, q.Need.Reason} {
			require.LessOrEqual(t, len(text), 400)
			require.True(t, utf8.ValidString(text))
			require.True(t, strings.HasPrefix(text, "ok[U+202E +2]"), text)
			require.False(t, strings.ContainsAny(text, "\u202e\u2066\x1b\r\n\u200b\U000e0041"), text)
		}
		r.says(grant.Once)
		p.allowed(grant.Once)
		p = r.ask(read())
		r.says(grant.Always)
		p.allowed(grant.Always)
	})
	play(t, func(t *testing.T, r *rig) { // nor, later, the list
		r.always(read(func(a *grant.Ask) { a.Tool = evil }))
		require.NotContains(t, r.list(tool(1))[0].Tool, "\u202e")
	})
}

func TestTheForecastListsAllThatWillBeAskedOnce(t *testing.T) {
	list := grant.Foresee([]grant.Need{
		{Capability: "storage", Scope: "own"},
		need(site(2), grant.Read, ""), need(site(2), grant.Read, "for maps"),
		need(site(1), grant.Write, "to\npost"),
		{Capability: "popup", Scope: "custom-html"},
		need(grant.Any, grant.Read, ""),
	})
	var short []string
	for _, f := range list {
		asks := "does"
		if f.Asks {
			asks = "asks"
			require.NotEmpty(t, f.Leak)
		}
		short = append(short, strings.TrimSpace(strings.Join([]string{asks, f.Capability, f.Scope, string(f.Class), f.Reason}, " ")))
	}
	require.Equal(t, []string{
		"asks fetch * read", "asks fetch " + site(1) + " read to post", "asks fetch " + site(1) + " write to post", "asks fetch " + site(2) + " read for maps",
		"asks popup custom-html", "does storage own",
	}, short)
	require.Equal(t, []grant.Forecast{}, grant.Foresee(nil))
}

func TestAWindowIsAskedForByCustomHTMLOrAnOriginAndSaysWhatItLetsOut(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		ask := func(scope string, class grant.Class) grant.Ask {
			a := read()
			a.Capability, a.Scope, a.Class, a.Method, a.Needs = "popup", scope, class, "", []grant.Need{{Capability: "popup", Scope: scope, Class: class}}
			return a
		}
		for _, bad := range []grant.Ask{ask("html", grant.None), ask("http://shop.example.com", grant.None), ask("https://shop.example.com/", grant.None),
			ask("https://shop.example.com:443", grant.None), ask("custom-html", grant.Read)} {
			_, err := r.Allowed(t.Context(), bad)
			require.Equal(t, fault.InvalidRequest, fault.CodeOf(err), bad.Scope)
		}
		for _, scope := range []string{"custom-html", "https://shop.example.com"} {
			p := r.ask(ask(scope, grant.None))
			p.waits()
			r.says(grant.Deny)
			p.denied(grant.NotGranted)
		}
		require.NotEqual(t, r.users.seen[0].Leak, r.users.seen[1].Leak)
	})
}
