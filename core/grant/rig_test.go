package grant_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// rig is a book whose user answers when the test says so. In a bubble of synctest a goroutine left behind fails the test.
type rig struct {
	*grant.Book
	t        *testing.T
	store    shelf.Store
	users    *user
	limits   limits.Limits
	reported []error
}

// user sees prompts.
type user struct {
	seen    []grant.Request // all that were ever shown
	open    int             // that are shown now
	most    int             // that were ever shown at once
	ended   int             // that ended without an answer
	answers chan func() (grant.Answer, error)
}

func (u *user) Decide(ctx context.Context, r grant.Request) (grant.Answer, error) {
	u.seen = append(u.seen, r)
	u.open++
	u.most = max(u.most, u.open)
	defer func() { u.open-- }()
	select {
	case answer := <-u.answers:
		return answer()
	case <-ctx.Done():
		u.ended++
		return "", ctx.Err()
	}
}

func play(t *testing.T, test func(t *testing.T, r *rig)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		r := &rig{t: t, store: &shelf.Memory{}, limits: limits.Default(), users: &user{answers: make(chan func() (grant.Answer, error))}}
		r.Book = r.book(r.users)
		test(t, r)
		synctest.Wait()
		require.Zero(t, r.users.open, "a prompt was left open")
		require.LessOrEqual(t, r.users.most, 1, "prompts were shown at once")
	})
}

// book is one more engine over the same shelf.
func (r *rig) book(d grant.Decider) *grant.Book {
	return grant.New(grant.Options{Store: r.store, Decider: d, Limits: r.limits, Now: time.Now, Report: func(err error) { r.reported = append(r.reported, err) }})
}

// says lets the user answer the prompt that is shown.
func (r *rig) says(a grant.Answer) {
	r.t.Helper()
	r.does(func() (grant.Answer, error) { return a, nil })
}

func (r *rig) does(f func() (grant.Answer, error)) {
	r.t.Helper()
	synctest.Wait()
	require.Equal(r.t, 1, r.users.open, "no prompt is shown")
	r.users.answers <- f
	synctest.Wait()
}

// prompts tells how many prompts were ever shown.
func (r *rig) prompts() int {
	synctest.Wait()
	return len(r.users.seen)
}

// pending is an ask that is being decided.
type pending struct {
	t    *testing.T
	stop context.CancelFunc
	done bool
	d    grant.Decision
	err  error
}

func (r *rig) ask(a grant.Ask) *pending { return r.askIn(r.Book, a) }

func (r *rig) askIn(b *grant.Book, a grant.Ask) *pending {
	ctx, stop := context.WithCancel(r.t.Context())
	p := &pending{t: r.t, stop: stop}
	go func() {
		p.d, p.err = b.Allowed(ctx, a)
		p.done = true
	}()
	synctest.Wait()
	return p
}

func (p *pending) allowed(by grant.Answer) {
	p.t.Helper()
	synctest.Wait()
	require.True(p.t, p.done, "is not decided")
	require.NoError(p.t, p.err)
	require.True(p.t, p.d.Allowed, "%+v", p.d)
	require.Equal(p.t, by, p.d.Lifetime)
}

func (p *pending) denied(why grant.Reason) {
	p.t.Helper()
	synctest.Wait()
	require.True(p.t, p.done, "is not decided")
	require.NoError(p.t, p.err)
	require.Equal(p.t, grant.Decision{Reason: why}, p.d)
}

func (p *pending) waits() {
	p.t.Helper()
	synctest.Wait()
	require.False(p.t, p.done, "%+v", p.d)
}

const api = "https://api.example.com"

func tool(n int) canon.ToolID { return canon.SumTool(fmt.Append(nil, "tool ", n)) }

func node(n int) canon.TaskID { return canon.SumTask(fmt.Append(nil, "node ", n)) }

func needs(scope string, class grant.Class) []grant.Need {
	return []grant.Need{{Capability: "fetch", Scope: scope, Class: class}}
}

// read is an ask to read at the declared origin, changed as told.
func read(change ...func(*grant.Ask)) grant.Ask {
	a := grant.Ask{Tool: "weather", Revision: tool(1), Capability: "fetch", Scope: api, Class: grant.Read, Method: "GET", Needs: needs(api, grant.Write)}
	for _, c := range change {
		c(&a)
	}
	return a
}

func at(scope string) func(*grant.Ask) {
	return func(a *grant.Ask) { a.Scope, a.Needs = scope, needs(scope, grant.Write) }
}

func of(call *grant.Call) func(*grant.Ask) { return func(a *grant.Ask) { a.Call = call } }
func writing(a *grant.Ask)                 { a.Class, a.Method = grant.Write, "POST" }
func by(revision int) func(*grant.Ask)     { return func(a *grant.Ask) { a.Revision = tool(revision) } }
func in(n int) func(*grant.Ask)            { return func(a *grant.Ask) { a.Node = node(n) } }
func with(credentials ...string) func(*grant.Ask) {
	return func(a *grant.Ask) { a.Credentials = credentials }
}

// always grants an ask for good.
func (r *rig) always(a grant.Ask) string {
	r.t.Helper()
	return r.grants(a, grant.Always)
}

func (r *rig) grants(a grant.Ask, lifetime grant.Answer) string {
	r.t.Helper()
	p := r.ask(a)
	r.says(lifetime)
	p.allowed(lifetime)
	return p.d.Grant
}

func (r *rig) list(revision canon.ToolID) []grant.Grant {
	r.t.Helper()
	list, err := r.List(r.t.Context(), revision)
	require.NoError(r.t, err)
	return list
}
