package tasktest

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Tools is a registry of fixed revisions, without settings and blocks; the first one under a name is active. It implements task.Tools.
type Tools []*tool.Revision

// Lookup implements task.Tools.
func (l Tools) Lookup(_ context.Context, nameOrID string) (*tool.Revision, error) {
	for _, r := range l {
		if r.Name() == nameOrID || r.ID().String() == nameOrID {
			return r, nil
		}
	}
	return nil, fault.New(fault.NotFound, "tool %q: unknown", nameOrID)
}

// Permit implements task.Tools.
func (l Tools) Permit(context.Context, canon.ToolID) error { return nil }

// Accept implements task.Tools.
func (l Tools) Accept(context.Context, *tool.Revision) error { return nil }

// Current implements task.Tools.
func (l Tools) Current(context.Context, canon.ToolID) (*tool.Settings, error) { return nil, nil }

// Settings implements task.Tools.
func (l Tools) Settings(_ context.Context, id canon.SettingsID) (*tool.Settings, error) {
	return nil, fault.New(fault.NotFound, "settings %s: unknown", id)
}
