package grant_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

func need(scope string, class grant.Class, reason string) grant.Need {
	return grant.Need{Capability: "fetch", Scope: scope, Class: class, Reason: reason}
}

func revision(n int, needs ...grant.Need) grant.Revision {
	return grant.Revision{ID: tool(n), Name: "weather", Needs: needs}
}

func (r *rig) plan(from, to grant.Revision) grant.Plan {
	r.t.Helper()
	p, err := r.Plan(r.t.Context(), from, to)
	require.NoError(r.t, err)
	return p
}

func scopes(list []grant.Grant) []string {
	out := []string{}
	for _, g := range list {
		out = append(out, g.Scope+" "+string(g.Class)+" "+string(g.Lifetime))
	}
	return out
}

func TestGrantsAreCarriedOverOnlyByAcceptingAPlanThatShowsWhatChanged(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.always(read(with("x-key")))
		r.always(read(writing))
		r.always(read(at(site(1))))
		r.grants(read(at(site(2))), grant.Session)
		r.grants(read(in(1)), grant.Session)
		require.NoError(t, r.Revoke(t.Context(), r.always(read(at(site(3))))))

		from := revision(1, need(api, grant.Write, "posts"), need(site(1), grant.Read, ""), need(site(2), grant.Read, "\u202enialp"), need(site(3), grant.Read, ""))
		to := revision(2, need(api, grant.Read, ""), need(site(2), grant.Read, "plain"), need(site(3), grant.Read, ""), need(site(4), grant.Read, "new"), need(site(4), grant.Read, "twice"))
		p := r.plan(from, to)
		require.Equal(t, []string{api + " read always", site(2) + " read session"}, scopes(p.Carry))
		require.Equal(t, []string{api + " write always", site(1) + " read always"}, scopes(p.Leave))
		shown := func(n grant.Need) grant.Need { n.Readable = n.Scope; return n }
		require.Equal(t, []grant.Need{shown(need(api, grant.Read, "")), shown(need(site(4), grant.Read, "new"))}, p.Added)
		require.Equal(t, []grant.Need{shown(need(api, grant.Write, "posts")), shown(need(site(1), grant.Read, ""))}, p.Removed)
		require.Equal(t, []grant.NeedChange{{Before: shown(need(site(2), grant.Read, "[U+202E]nialp")), After: shown(need(site(2), grant.Read, "plain"))}}, p.Changed)

		asked := r.ask(read(by(2))) // a plan changes nothing
		asked.waits()
		r.says(grant.Deny)
		require.NoError(t, r.Accept(t.Context(), p))
		r.ask(read(by(2), with("x-key"))).allowed(grant.Always)
		r.ask(read(by(2), at(site(2)))).allowed(grant.Session)
		r.ask(read()).allowed(grant.Always) // what was there stays
		for _, not := range []func(*grant.Ask){writing, at(site(1)), at(site(3)), in(1)} {
			asked := r.ask(read(by(2), not))
			asked.waits()
			r.says(grant.Deny)
			asked.denied(grant.NotGranted)
		}
		for _, g := range r.list(tool(2)) {
			require.Len(t, g.History, 1)
			require.Equal(t, grant.Carried, g.History[0].What)
			require.Equal(t, tool(1), g.History[0].From)
		}
		require.Empty(t, r.plan(from, to).Carry)
	})
}

func TestGrantsAreCarriedOverOnlyBetweenRevisionsOfOneTool(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		r.always(read())
		other := revision(2, need(api, grant.Read, ""))
		for title, pair := range map[string][2]grant.Revision{
			"another tool":     {revision(1), {ID: tool(2), Name: "Weather", Needs: other.Needs}},
			"the same":         {revision(1), revision(1)},
			"none to take":     {{Name: "weather"}, other},
			"none to give":     {revision(1), {Name: "weather"}},
			"tools of no name": {{ID: tool(1)}, {ID: tool(2)}},
		} {
			_, err := r.Plan(t.Context(), pair[0], pair[1])
			require.Equal(t, fault.InvalidRequest, fault.CodeOf(err), title)
		}
		require.Error(t, r.Accept(t.Context(), grant.Plan{From: tool(1), To: tool(2), Tool: "weather"}), "a plan of another's making")
		require.NoError(t, r.Accept(t.Context(), r.plan(revision(1), other)))
	})
}

func TestAPlanThatIsNotWhatTheUserSawIsNotCarriedOut(t *testing.T) {
	from, to := revision(1, need(api, grant.Write, "")), revision(2, need(api, grant.Write, ""))
	for title, meanwhile := range map[string]func(t *testing.T, r *rig, p *grant.Plan){
		"a grant was revoked":       func(t *testing.T, r *rig, p *grant.Plan) { require.NoError(t, r.Revoke(t.Context(), p.Carry[0].ID)) },
		"another one was added":     func(t *testing.T, r *rig, p *grant.Plan) { r.always(read(writing)) },
		"it covers more":            func(t *testing.T, r *rig, p *grant.Plan) { r.always(read(with("x-key"))) },
		"a session's was added":     func(t *testing.T, r *rig, p *grant.Plan) { r.grants(read(writing), grant.Session) },
		"the other has it already":  func(t *testing.T, r *rig, p *grant.Plan) { r.always(read(by(2))) },
		"it was changed on the way": func(t *testing.T, r *rig, p *grant.Plan) { p.ID = "b3:0" },
		"it is for another revision": func(t *testing.T, r *rig, p *grant.Plan) {
			*p = func() grant.Plan { q := r.plan(from, revision(3, to.Needs...)); q.ID = p.ID; return q }()
		},
	} {
		t.Run(title, func(t *testing.T) {
			play(t, func(t *testing.T, r *rig) {
				r.always(read())
				p := r.plan(from, to)
				meanwhile(t, r, &p)
				before := r.list(canon.ToolID{})
				require.Equal(t, fault.Conflict, fault.CodeOf(r.Accept(t.Context(), p)))
				require.Equal(t, before, r.list(canon.ToolID{}))
			})
		})
	}
}

// A tab revokes between the last look and the writing.
func TestAGrantThatIsRevokedWhileAPlanIsCarriedOutIsNotCarried(t *testing.T) {
	play(t, func(t *testing.T, r *rig) {
		id := r.always(read())
		r.always(read(writing))
		needs := need(api, grant.Write, "")
		late := r.book(nil)
		r.store = &meddled{Store: r.store, times: 1} // grants more headers
		p := r.plan(revision(1, needs), revision(2, needs))
		require.Len(t, p.Carry, 2)
		r.Book = r.book(r.users)
		require.Equal(t, fault.Conflict, fault.CodeOf(r.Accept(t.Context(), r.plan(revision(1, needs), revision(2, needs)))))
		require.Empty(t, r.list(tool(2)), "all or nothing")
		require.NoError(t, late.Revoke(t.Context(), id))
	})
}
