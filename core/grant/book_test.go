package grant_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

func TestAYesHoldsAsLongAsTheUserSaid(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		once := r.ask(read())
		r.says(grant.Once)
		once.allowed(grant.Once)
		require.Empty(t, once.d.Grant)
		require.Empty(t, r.list(canon.ToolID{}))

		session := r.ask(read())
		r.says(grant.Session)
		session.allowed(grant.Session)
		r.ask(read()).allowed(grant.Session)
		other := r.book(nil)
		r.askIn(other, read()).denied(grant.NotGranted)

		write := r.ask(read(writing))
		r.says(grant.Always)
		write.allowed(grant.Always)
		r.ask(read(writing)).allowed(grant.Always)
		r.askIn(other, read(writing)).allowed(grant.Always)
		require.Equal(t, 3, r.prompts())
	})
}

func TestAGrantIsForExactlyOneRevisionOriginClassAndDefiningNode(t *testing.T) {
	for title, other := range map[string]func(*grant.Ask){
		"another revision":               by(2),
		"another origin":                 at("https://api.example.org"),
		"a subdomain":                    at("https://www.api.example.com"),
		"another port":                   at(api + ":8443"),
		"writing":                        writing,
		"equal bytes, defined in a chat": in(1),
		"another capability": func(a *grant.Ask) {
			a.Capability, a.Class, a.Needs = "popup", grant.None, []grant.Need{{Capability: "popup", Scope: api}}
		},
	} {
		t.Run(title, func(t *testing.T) {
			play(t, func(t *testing.T, r *rig) {
				r.always(read())
				p := r.ask(read(other))
				p.waits()
				r.says(grant.Deny)
				p.denied(grant.NotGranted)
				r.ask(read()).allowed(grant.Always) // positive control
				require.Equal(t, 2, r.prompts())
			})
		})
	}
	play(t, func(t *testing.T, r *rig) { // nor the reverse
		r.always(read(writing))
		p := r.ask(read())
		p.waits()
		r.says(grant.Deny)
	})
}

func TestAToolOfAChatIsAllowedForTheSessionAtMost(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		p := r.ask(read(in(1)))
		require.Equal(t, []grant.Answer{grant.Once, grant.Session, grant.Deny}, r.users.seen[0].Answers)
		require.Equal(t, node(1), r.users.seen[0].Node)
		r.says(grant.Always)
		p.allowed(grant.Session)
		r.ask(read(in(1))).allowed(grant.Session)
		rows, err := r.store.List(t.Context(), "", "", 0)
		require.NoError(t, err)
		require.Empty(t, rows)

		elsewhere := r.ask(read(in(2)))
		elsewhere.waits()
		r.says(grant.Deny)
		installed := r.ask(read())
		installed.waits()
		require.Contains(t, r.users.seen[2].Answers, grant.Always)
		r.says(grant.Always)
		installed.allowed(grant.Always)

		// Not even a row with its node gives more.
		text, err := r.store.Get(t.Context(), installed.d.Grant)
		require.NoError(t, err)
		key := shelf.Key("grant", tool(1).String(), node(2).String(), "fetch", api, "read")
		require.NoError(t, r.store.Put(t.Context(), shelf.Change{Key: key, Value: text}))
		elsewhere = r.ask(read(in(2)))
		elsewhere.waits()
		r.says(grant.Deny)
	})
}

func TestWhatIsNotDeclaredIsDeniedWithoutAPrompt(t *testing.T) {
	for title, declared := range map[string][]grant.Need{
		"nothing":              nil,
		"another origin":       needs("https://example.com", grant.Write),
		"reading for writing":  needs(api, grant.Read),
		"any, for reading":     needs(grant.Any, grant.Read),
		"another capability":   {{Capability: "popup", Scope: api, Class: grant.Write}},
		"part of an origin":    needs("https://api.example", grant.Write),
		"a pattern of a host":  needs("https://*.example.com", grant.Write),
		"an origin with slash": needs(api+"/", grant.Write),
	} {
		t.Run(title, func(t *testing.T) {
			play(t, func(t *testing.T, r *rig) {
				r.ask(read(writing, func(a *grant.Ask) { a.Needs = declared })).denied(grant.Undeclared)
				require.Zero(t, r.prompts())
			})
		})
	}
	play(t, func(t *testing.T, r *rig) {
		r.always(read())
		r.ask(read(func(a *grant.Ask) { a.Needs = nil })).denied(grant.Undeclared)
	})
}

func TestAToolThatDeclaresAnyOriginMayAskAndTheUserIsToldSo(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		anywhere := func(a *grant.Ask) {
			a.Needs = []grant.Need{{Capability: "fetch", Scope: grant.Any, Class: grant.Read, Reason: "looks everywhere"},
				{Capability: "fetch", Scope: "https://www.example.com", Class: grant.Write}}
		}
		p := r.ask(read(anywhere))
		require.False(t, r.users.seen[0].Declared)
		require.Equal(t, "looks everywhere", r.users.seen[0].Need.Reason)
		r.says(grant.Deny)
		p.denied(grant.NotGranted)
		p = r.ask(read(anywhere, func(a *grant.Ask) { a.Scope = "https://www.example.com" }))
		require.True(t, r.users.seen[1].Declared)
		r.says(grant.Once)
		p.allowed(grant.Once)
	})
}

func TestNobodyToAskIsANo(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.askIn(r.book(nil), read()).denied(grant.NotGranted)
		require.Empty(t, r.reported)
	})
}

func TestWhateverIsNoClearYesIsANo(t *testing.T) {
	for title, answer := range map[string]func() (grant.Answer, error){
		"deny":           func() (grant.Answer, error) { return grant.Deny, nil },
		"nothing":        func() (grant.Answer, error) { return "", nil },
		"another word":   func() (grant.Answer, error) { return "yes", nil },
		"a near word":    func() (grant.Answer, error) { return "Always", nil },
		"an error":       func() (grant.Answer, error) { return grant.Deny, errors.New("no window") },
		"a yes in error": func() (grant.Answer, error) { return grant.Always, errors.New("no window") },
		"a panic":        func() (grant.Answer, error) { panic("BUG") },
	} {
		t.Run(title, func(t *testing.T) {
			play(t, func(t *testing.T, r *rig) {
				p, next := r.ask(read()), r.ask(read(writing))
				r.does(answer)
				p.denied(grant.NotGranted)
				require.Empty(t, r.list(canon.ToolID{}))
				require.Equal(t, title == "an error" || title == "a yes in error" || title == "a panic", len(r.reported) == 1, "%v", r.reported)
				r.says(grant.Once) // the next prompt works
				next.allowed(grant.Once)
			})
		})
	}
}

func TestHeadersThatIdentifyTheToolAreCoveredOnlyIfAPromptNamedThem(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.always(read())
		p := r.ask(read(with("x-api-key", "authorization", "x-api-key")))
		require.Equal(t, []string{"authorization", "x-api-key"}, r.users.seen[1].Credentials)
		r.says(grant.Always)
		p.allowed(grant.Always)
		r.ask(read(with("x-api-key"))).allowed(grant.Always)
		r.ask(read()).allowed(grant.Always)
		p = r.ask(read(with("cookie2")))
		p.waits()
		r.says(grant.Once)
	})
}

func TestWhatNoHostMayAskIsRefused(t *testing.T) {
	long := strings.Repeat("a", 64)
	for title, bad := range map[string]func(*grant.Ask){
		"no revision":               func(a *grant.Ask) { a.Revision = canon.ToolID{} },
		"no capability":             func(a *grant.Ask) { a.Capability = "" },
		"a capability in capitals":  func(a *grant.Ask) { a.Capability = "Fetch" },
		"no class":                  func(a *grant.Ask) { a.Class = grant.None },
		"another class":             func(a *grant.Ask) { a.Class = "delete" },
		"any origin":                at(grant.Any),
		"http":                      at("http://api.example.com"),
		"capitals":                  at("https://API.example.com"),
		"its own letters":           at("https://bücher.example"),
		"a path":                    at(api + "/"),
		"the port of https":         at(api + ":443"),
		"a user":                    at("https://me@example.com"),
		"an empty label":            at("https://api..example.com"),
		"a label too long":          at("https://" + long + ".com"),
		"a line":                    at(api + "\n"),
		"too many credentials":      with(strings.Fields(strings.Repeat("a ", 1) + strings.Join(names(65), " "))...),
		"a credential with a space": with("x y"),
	} {
		t.Run(title, func(t *testing.T) {
			play(t, func(t *testing.T, r *rig) {
				_, err := r.Allowed(t.Context(), read(bad))
				require.Equal(t, fault.InvalidRequest, fault.CodeOf(err), err)
				require.Zero(t, r.prompts())
			})
		})
	}
	play(t, func(t *testing.T, r *rig) { // positive controls: the edge
		for _, good := range []func(*grant.Ask){with(names(64)...), at("https://xn--bcher-kva.example:65535"), at("https://[2606:4700::1111]"),
			at("https://" + long[1:] + ".com")} {
			p := r.ask(read(good))
			r.says(grant.Once)
			p.allowed(grant.Once)
		}
	})
}

func names(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = "x-" + strings.Repeat("a", i+1)
	}
	return list
}

func TestAShelfThatFailsAllowsNothing(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.always(read())
		r.store = broken{r.store, true, true}
		_, err := r.book(r.users).Allowed(t.Context(), read())
		require.Equal(t, fault.Unavailable, fault.CodeOf(err))
	})
}

func TestAYesThatCannotBeKeptHoldsOnceAndIsReported(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.store = broken{r.store, false, true}
		r.Book = r.book(r.users)
		p := r.ask(read())
		r.says(grant.Always)
		p.allowed(grant.Once)
		require.Len(t, r.reported, 1)
		p = r.ask(read())
		p.waits()
		r.says(grant.Deny)
	})
}

func TestARowThatCannotBeReadGrantsNothing(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		id := r.always(read())
		for _, text := range []string{"", "{}", `{"active":true}`, `{"active":true,"history":[],"revocations":0,"tool":"x","more":1}`} {
			require.NoError(t, r.store.Put(t.Context(), shelf.Change{Key: id, Value: []byte(text)}))
			p := r.ask(read())
			p.waits()
			r.says(grant.Deny)
		}
		r.always(read()) // and a new yes takes its place
		r.ask(read()).allowed(grant.Always)
	})
}

// broken is a shelf that cannot be read, or written to.
type broken struct {
	shelf.Store
	read, write bool
}

func (b broken) Get(ctx context.Context, key string) ([]byte, error) {
	if b.read {
		return nil, errors.New("disk")
	}
	return b.Store.Get(ctx, key)
}

func (b broken) Put(ctx context.Context, changes ...shelf.Change) error {
	if b.write {
		return errors.New("disk")
	}
	return b.Store.Put(ctx, changes...)
}
