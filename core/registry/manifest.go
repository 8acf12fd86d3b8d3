package registry

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Manifest is what there is to know about an installed revision without reading its code.
type Manifest struct {
	ID              canon.ToolID     `json:"id"`
	Name            string           `json:"name"`
	Description     string           `json:"description"`
	LongDescription string           `json:"longDescription,omitempty"`
	Class           tool.Class       `json:"class"`
	Language        tool.Language    `json:"language,omitempty"`
	Parameters      any              `json:"parameters"`
	Returns         any              `json:"returns,omitempty"`
	Needs           *tool.Needs      `json:"needs,omitempty"`
	SettingsSchema  any              `json:"settingsSchema,omitempty"`
	Settings        canon.SettingsID `json:"settings,omitempty"` // the current ones
	Active          bool             `json:"active"`
	Blocked         bool             `json:"blocked"`
	BlockReason     string           `json:"blockReason,omitempty"`
	Missing         string           `json:"missing,omitempty"`    // what a call of it lacks here
	Unenforced      []string         `json:"unenforced,omitempty"` // what its schemas ask and no check does
}

// Manifest describes the revision that a name means now, or the one with that id; else not_found.
func (r *Registry) Manifest(ctx context.Context, nameOrID string) (Manifest, error) {
	revision, err := r.Lookup(ctx, nameOrID)
	if err != nil {
		return Manifest{}, err
	}
	active, err := r.active(ctx, revision.Name())
	if err != nil {
		return Manifest{}, err
	}
	return r.manifest(ctx, revision, active == revision.ID())
}

// Manifests describes every active revision, by name.
func (r *Registry) Manifests(ctx context.Context) ([]Manifest, error) {
	bindings, err := r.List(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]Manifest, len(bindings))
	for i, b := range bindings {
		revision, err := r.Revision(ctx, b.Revision)
		if err != nil {
			return nil, err
		}
		if list[i], err = r.manifest(ctx, revision, true); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// missing says what a call of the revision would lack here, nothing for nothing.
func (r *Registry) missing(ctx context.Context, revision *tool.Revision) (string, error) {
	if err := r.Runnable(revision); err != nil {
		return err.Error(), nil
	}
	current, err := r.Current(ctx, revision.ID())
	if err != nil {
		return "", err
	}
	if err := revision.CheckSettings(current); err != nil {
		return err.Error(), nil
	}
	return "", nil
}

func (r *Registry) manifest(ctx context.Context, revision *tool.Revision, active bool) (Manifest, error) {
	d := revision.Definition()
	m := Manifest{
		ID: revision.ID(), Name: d.Name, Description: d.Description, LongDescription: d.LongDescription,
		Class: d.Implementation.Class, Language: d.Implementation.Language, Parameters: d.Parameters, Returns: d.Returns,
		Needs: d.Needs, SettingsSchema: d.Settings, Active: active, Unenforced: revision.Unenforced(),
	}
	current, err := r.o.Store.Current(ctx, revision.ID())
	if err != nil {
		return m, err
	}
	m.Settings = current.ID
	block, err := r.Blocked(ctx, revision.ID())
	if err != nil {
		return m, err
	}
	m.Blocked, m.BlockReason = !block.Revision.IsZero(), block.Reason
	if m.Missing, err = r.missing(ctx, revision); err != nil {
		return m, err
	}
	return m, nil
}
