package storage

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// request is what a tool asks of its storage. A value is read beside it, since it may be null.
type request struct {
	Op     string `json:"op"`
	Key    string `json:"key,omitempty"`
	Prefix string `json:"prefix,omitempty"`
}

// Answer answers an ask: params {op: get|set|delete|list, key?, value?, prefix?} in tagged form. get gives the value or undefined, set
// undefined, delete whether the key was there, list the keys. Errors: invalid_request, and what the operation gives.
func (a *Area) Answer(ctx context.Context, params any) (any, error) {
	fields, ok := params.(map[string]any)
	if !ok {
		return nil, fault.New(fault.InvalidRequest, "storage: want an object")
	}
	value, given := fields["value"]
	rest := make(map[string]any, len(fields))
	for name, field := range fields {
		if name != "value" {
			rest[name] = field
		}
	}
	var r request
	if err := canon.Bind(rest, &r, fault.InvalidRequest); err != nil {
		return nil, fault.Wrap(fault.InvalidRequest, err, "storage")
	}
	undefined := map[string]any{"$t": "undefined"}
	if given != (r.Op == "set") || r.Prefix != "" && r.Op != "list" || r.Key != "" && r.Op == "list" {
		return nil, fault.New(fault.InvalidRequest, "storage: %.20q takes other fields", r.Op)
	}
	switch r.Op {
	case "get":
		value, there, err := a.Get(ctx, r.Key)
		if !there {
			value = undefined
		}
		return value, err
	case "set":
		return undefined, a.Set(ctx, r.Key, value)
	case "delete":
		was, err := a.Delete(ctx, r.Key)
		return was, err
	case "list":
		keys, err := a.List(ctx, r.Prefix)
		list := make([]any, len(keys))
		for i, key := range keys {
			list[i] = key
		}
		return list, err
	}
	return nil, fault.New(fault.InvalidRequest, "storage: %.20q is not get, set, delete or list", r.Op)
}
