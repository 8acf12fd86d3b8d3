//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

func listGrants(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Revision canon.ToolID `json:"revision,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	return r.listed(r.engine.Grants().List(ctx, in.Revision))
}

// listed answers with grants, an empty list for none.
func (r request) listed(list []grant.Grant, err error) (string, error) {
	if err != nil {
		return "", err
	}
	if list == nil {
		list = []grant.Grant{}
	}
	return encode(list)
}

func revokeGrant(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Grant string `json:"grant"`
	}](r.text)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Grants().Revoke(ctx, in.Grant)
}

// plan makes the plan between two revisions.
func (r request) plan(ctx context.Context, from, to canon.ToolID) (grant.Plan, error) {
	before, err := r.engine.Wishes(ctx, from)
	if err != nil {
		return grant.Plan{}, err
	}
	after, err := r.engine.Wishes(ctx, to)
	if err != nil {
		return grant.Plan{}, err
	}
	return r.engine.Grants().Plan(ctx, before, after)
}

func planGrants(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		From canon.ToolID `json:"from"`
		To   canon.ToolID `json:"to"`
	}](r.text)
	if err != nil {
		return "", err
	}
	plan, err := r.plan(ctx, in.From, in.To)
	if err != nil {
		return "", err
	}
	return encode(plan)
}

// acceptGrants carries out the plan that the user saw, if a new one is the same.
func acceptGrants(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		ID   string       `json:"id"`
		From canon.ToolID `json:"from"`
		To   canon.ToolID `json:"to"`
	}](r.text)
	if err != nil {
		return "", err
	}
	plan, err := r.plan(ctx, in.From, in.To)
	if err != nil {
		return "", err
	}
	if plan.ID != in.ID {
		return "", fault.New(fault.Conflict, "grants: have changed since the plan was made; make a new one and look at it")
	}
	return "null", r.engine.Grants().Accept(ctx, plan)
}

func forecastTool(_ context.Context, r request) (string, error) {
	list, err := r.engine.Forecast([]byte(r.payload))
	if err != nil {
		return "", err
	}
	return encode(list)
}

func queryAudit(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Revision   canon.ToolID `json:"revision,omitempty"`
		Task       canon.TaskID `json:"task,omitempty"`
		Capability string       `json:"capability,omitempty"`
		Decision   string       `json:"decision,omitempty"`
		Since      string       `json:"since,omitempty"`
		Until      string       `json:"until,omitempty"`
		Limit      int          `json:"limit,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	q := audit.Query{Revision: in.Revision, Task: in.Task, Capability: in.Capability, Decision: in.Decision, Limit: in.Limit}
	if q.Since, err = instant("since", in.Since); err != nil {
		return "", err
	}
	if q.Until, err = instant("until", in.Until); err != nil {
		return "", err
	}
	rows, err := r.engine.Audit().Query(ctx, q)
	if err != nil {
		return "", err
	}
	return encode(rows)
}
