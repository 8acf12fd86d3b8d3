package console_test

import (
	"context"
	"fmt"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// fakeAuthority writes down what it is told to do.
type fakeAuthority struct {
	waiting int
	access  map[string]console.Access // by revision
	plan    grant.Plan
	refuse  error // what every act ends with
	acts    []string
	audited []console.Audited
	queries []string
}

// Forecast foresees the names of the sites, which it believes.
func (f *fakeAuthority) Forecast(definition string) ([]grant.Forecast, error) {
	d, err := tool.Read([]byte(definition), limits.Default())
	if err != nil || d.Needs == nil {
		return nil, err
	}
	var needs []grant.Need
	for _, n := range d.Needs.Fetch {
		needs = append(needs, grant.Need{Capability: "fetch", Scope: n.Origin, Class: grant.Class(n.Access)})
	}
	if d.Needs.Storage {
		needs = append(needs, grant.Need{Capability: "storage", Scope: "own"})
	}
	return grant.Foresee(needs), nil
}

func (f *fakeAuthority) Access(_ context.Context, revision string) (console.Access, error) {
	return f.access[revision], nil
}

func (f *fakeAuthority) Waiting() int { return f.waiting }

func (f *fakeAuthority) act(words ...any) error {
	f.acts = append(f.acts, fmt.Sprint(words...))
	return f.refuse
}

func (f *fakeAuthority) Revoke(_ context.Context, id string) error { return f.act("revoke ", id) }

func (f *fakeAuthority) Plan(_ context.Context, from, to string) (grant.Plan, error) {
	return f.plan, f.act("plan ", from, " ", to)
}

func (f *fakeAuthority) Carry(_ context.Context, plan, from, to string) error {
	if plan != f.plan.ID {
		return fault.New(fault.Conflict, "grants: have changed")
	}
	return f.act("carry ", from, " ", to)
}

func (f *fakeAuthority) SetSecret(_ context.Context, revision, name, value string, origins []string) error {
	return f.act("set ", revision, " ", name, " ", value, " ", origins)
}

func (f *fakeAuthority) ForgetSecret(_ context.Context, revision, name string) error {
	return f.act("forget ", revision, " ", name)
}

func (f *fakeAuthority) ClearStorage(_ context.Context, revision string) error {
	return f.act("clear ", revision)
}

func (f *fakeAuthority) Audit(_ context.Context, decision string, most int) ([]console.Audited, error) {
	f.queries = append(f.queries, fmt.Sprint(decision, " ", most))
	return f.audited, f.refuse
}
