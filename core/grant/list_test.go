package grant_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

func fixed() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

func TestARevokedGrantHoldsForNoAskMoreInAnyTab(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		id := r.always(read())
		tab := r.book(r.users)
		r.askIn(tab, read()).allowed(grant.Always)
		require.NoError(t, r.Revoke(t.Context(), id))
		r.askIn(r.book(nil), read()).denied(grant.NotGranted)
		p := r.askIn(tab, read())
		p.waits()
		r.says(grant.Deny)
		p.denied(grant.NotGranted)
		require.NoError(t, r.Revoke(t.Context(), id)) // changes nothing
		g := r.list(tool(1))[0]
		require.False(t, g.Active)
		require.Len(t, g.History, 2)
		r.always(read())
		tab2 := r.book(nil)
		r.askIn(tab2, read()).allowed(grant.Always)
	})
}

func TestRevokingALastingGrantEndsWhatSessionsHoldForTheSameThing(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		tab := r.book(r.users)
		inTab := r.askIn(tab, read(with("x-key")))
		r.says(grant.Session)
		inTab.allowed(grant.Session)
		id := r.always(read())
		require.NoError(t, r.Revoke(t.Context(), id))
		p := r.askIn(tab, read())
		p.waits()
		list, err := tab.List(t.Context(), tool(1))
		require.NoError(t, err)
		for _, g := range list {
			require.False(t, g.Active, g)
		}
		r.says(grant.Session) // given anew it holds
		p.allowed(grant.Session)
		r.askIn(tab, read()).allowed(grant.Session)
		p = r.askIn(tab, read(with("x-key"))) // but not what it covered before
		p.waits()
		r.says(grant.Deny)
		p.denied(grant.NotGranted)
	})
}

func TestALastingGrantTakesThePlaceOfTheSessionsThatItCovers(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.grants(read(with("x-key")), grant.Session)
		r.grants(read(with("authorization")), grant.Always)
		require.Len(t, r.list(tool(1)), 2)
		r.ask(read(with("x-key"))).allowed(grant.Session)
		id := r.always(read(with("authorization", "x-key")))
		require.Len(t, r.list(tool(1)), 1)
		require.NoError(t, r.Revoke(t.Context(), id))
		require.Empty(t, r.list(tool(1))[0].Credentials)
	})
}

func TestAGrantOfASessionIsRevokedThere(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		for _, a := range []grant.Ask{read(), read(in(1))} {
			id := r.grants(a, grant.Session)
			r.ask(a).allowed(grant.Session)
			require.NoError(t, r.Revoke(t.Context(), id))
			p := r.ask(a)
			p.waits()
			r.says(grant.Deny)
			p.denied(grant.NotGranted)
		}
		for _, g := range r.list(tool(1)) {
			require.False(t, g.Active)
			require.Equal(t, grant.Revoked, g.History[1].What)
		}
	})
}

// A yes to an open prompt is newer than the revocation, and brings nothing back that it did not name.
func TestWhatGoesOnEndsWhenItsGrantIsTakenBack(t *testing.T) {
	for _, answer := range []grant.Answer{grant.Session, grant.Always} {
		play(t, func(t *testing.T, r *rig) {
			told := make(chan string, 8)
			ended := func() (names []string) {
				synctest.Wait()
				for len(told) > 0 {
					names = append(names, <-told)
				}
				return names
			}
			during := func(name string, a grant.Ask) func() { return r.During(a, func() { told <- name }) }
			p := r.ask(read())
			r.says(answer)
			p.allowed(answer)
			during("it", read())
			during("another origin", read(at(site(7))))
			during("a write", read(writing))
			during("over", read())()
			list, err := r.List(t.Context(), read().Revision)
			require.NoError(t, err)
			require.NoError(t, r.Revoke(t.Context(), list[0].ID))
			require.Equal(t, []string{"it"}, ended())
			r.Forget(read().Revision)
			require.ElementsMatch(t, []string{"another origin", "a write"}, ended())
		})
	}
}

func TestAGrantThatIsRevokedWhileAPromptIsOpenStaysRevoked(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		id := r.always(read(with("authorization")))
		shown, waiting := r.ask(read(with("x-key"))), r.ask(read(writing))
		require.NoError(t, r.Revoke(t.Context(), id))
		p := r.ask(read(with("authorization")))
		r.says(grant.Always)
		shown.allowed(grant.Always)
		require.Equal(t, []string{"x-key"}, r.list(tool(1))[0].Credentials)
		r.says(grant.Deny)
		waiting.denied(grant.NotGranted)
		p.waits()
		r.says(grant.Deny)
		p.denied(grant.NotGranted)
	})
}

func TestOnlyIdsOfGrantsAreRevoked(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		id := r.always(read())
		require.NoError(t, r.store.Put(t.Context(), shelf.Change{Key: shelf.Key("secret", "x"), Value: []byte("x")}))
		rows, err := r.store.List(t.Context(), "", "", 0)
		require.NoError(t, err)
		for _, bad := range []string{"", "grant", shelf.Key("secret", "x"), id + "/", id + "/x", strings.TrimSuffix(id, "read"), strings.Replace(id, "grant", "secret", 1),
			strings.Replace(id, "grant", "session", 1), strings.Replace(id, "/read", "/write", 1), strings.ToUpper(id), strings.Replace(id, "%2F", "%2f", 1)} {
			require.Equal(t, fault.NotFound, fault.CodeOf(r.Revoke(t.Context(), bad)), bad)
		}
		after, err := r.store.List(t.Context(), "", "", 0)
		require.NoError(t, err)
		require.Equal(t, rows, after)

		odd := r.always(read(func(a *grant.Ask) { // another spelling of an id is none
			a.Capability, a.Scope, a.Class = "other", "a%2fb", grant.None
			a.Needs = []grant.Need{{Capability: "other", Scope: "a%2fb"}}
		}))
		require.Equal(t, fault.NotFound, fault.CodeOf(r.Revoke(t.Context(), strings.Replace(odd, "%25", "%", 1))))
		require.NoError(t, r.Revoke(t.Context(), odd))
		require.NoError(t, r.Revoke(t.Context(), id))
	})
}

func TestTheListTellsWhatWasDecidedAndWhen(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		began := time.Now()
		r.always(read(with("x-key")))
		time.Sleep(time.Hour)
		id := r.always(read(writing))
		require.NoError(t, r.Revoke(t.Context(), id))
		r.grants(read(in(1)), grant.Session)
		r.always(read(by(2)))
		text := func(after time.Duration) string { return began.Add(after).UTC().Format("2006-01-02T15:04:05.000Z") }
		granted := func(after time.Duration) grant.Event { return grant.Event{At: text(after), What: grant.Granted} }
		want := func(g grant.Grant) grant.Grant {
			g.Revision, g.Tool, g.Capability, g.Scope = tool(1), "weather", "fetch", api
			return g
		}
		list := r.list(tool(1))
		for i := range list {
			require.NotEmpty(t, list[i].ID)
			list[i].ID = ""
		}
		require.Equal(t, []grant.Grant{
			want(grant.Grant{Class: grant.Read, Lifetime: grant.Always, Active: true, Credentials: []string{"x-key"}, History: []grant.Event{granted(0)}}),
			want(grant.Grant{Class: grant.Write, Lifetime: grant.Always,
				History: []grant.Event{granted(time.Hour), {At: text(time.Hour), What: grant.Revoked}}}),
			want(grant.Grant{Class: grant.Read, Node: node(1), Lifetime: grant.Session, Active: true, History: []grant.Event{granted(time.Hour)}}),
		}, list)
		require.Len(t, r.list(canon.ToolID{}), 4)
		require.Empty(t, r.list(tool(3)))
	})
}

func TestTheHistoryOfAGrantIsBounded(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		for range grant.MostEvents {
			id := r.always(read())
			require.NoError(t, r.Revoke(t.Context(), id))
		}
		g := r.list(tool(1))[0]
		require.Len(t, g.History, grant.MostEvents)
		require.Equal(t, grant.Revoked, g.History[grant.MostEvents-1].What)
	})
}

func TestAForgottenRevisionIsAskedAnewAndItsPromptsAreDenied(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.grants(read(), grant.Session)
		r.grants(read(by(2)), grant.Session)
		shown, waiting, other := r.ask(read(writing)), r.ask(read(at(site(1)))), r.ask(read(by(2), writing))
		r.Forget(tool(1))
		shown.denied(grant.NotGranted)
		waiting.denied(grant.NotGranted)
		other.waits()
		r.says(grant.Once)
		other.allowed(grant.Once)
		r.ask(read(by(2))).allowed(grant.Session)
		p := r.ask(read())
		p.waits()
		r.Forget(canon.ToolID{})
		p.denied(grant.NotGranted)
		require.Empty(t, r.list(canon.ToolID{}))
	})
}

func TestErasingTheRowsOfARevisionErasesItsGrants(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.always(read())
		r.always(read(by(2)))
		require.NoError(t, r.store.Clear(t.Context(), shelf.Under("grant", tool(1).String())))
		require.Empty(t, r.list(tool(1)))
		r.ask(read(by(2))).allowed(grant.Always)
		p := r.ask(read())
		p.waits()
		r.says(grant.Deny)
	})
}

func TestRowsOfGrantsHaveTheKeysThatOthersClear(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		require.Equal(t, fmt.Sprintf("grant/%s/-/fetch/https:%%2F%%2Fapi.example.com/read", tool(1)), r.always(read()))
	})
}
