package archive

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

func (i *importer) revisionLine(ctx context.Context, tree any) error {
	var l revisionLine
	if err := canon.Bind(tree, &l, fault.InvalidRequest); err != nil {
		return err
	}
	if most := i.Limits.DefinitionBytes; len(l.Definition) > most {
		return fault.New(fault.TooLarge, "revision %s: %d bytes, at most %d", l.ID, len(l.Definition), most)
	}
	revision, err := tool.Thaw(l.ID, l.Definition, i.Limits)
	if err != nil {
		return err
	}
	return i.keepRevision(ctx, revision)
}

// keepRevision installs a revision and never activates it.
func (i *importer) keepRevision(ctx context.Context, revision *tool.Revision) error {
	if err := i.Registry.Permit(ctx, revision.ID()); err != nil {
		return err
	}
	switch _, err := i.Registry.Revision(ctx, revision.ID()); fault.CodeOf(err) {
	case "":
		i.report.Revisions.Known++
		return nil
	case fault.NotFound:
	default:
		return err
	}
	if class := revision.Definition().Implementation.Class; class != tool.SandboxedCode {
		return fault.New(fault.Denied, "revision %s: tool %q is of class %s, which a file does not bring; the host installs it by registering or connecting it",
			revision.ID(), revision.Name(), class)
	}
	if _, err := i.Registry.Install(ctx, []byte(revision.Bytes()), false); err != nil {
		return err
	}
	i.report.Revisions.New++
	return nil
}

// pendingSettings wait for their revision.
type pendingSettings struct {
	at    Place
	id    canon.SettingsID
	bytes []byte
}

func (i *importer) settingsLine(at Place, tree any) error {
	var l settingsLine
	if err := canon.Bind(tree, &l, fault.InvalidRequest); err != nil {
		return err
	}
	bytes, err := canon.Marshal(settingsForm{l.Tool, l.Values})
	if err != nil {
		return err
	}
	if most := i.Limits.DefinitionBytes; len(bytes) > most {
		return fault.New(fault.TooLarge, "settings %s: %d bytes, at most %d", l.ID, len(bytes), most)
	}
	i.settings = append(i.settings, pendingSettings{at, l.ID, bytes})
	return nil
}

// keepSettings keeps settings for the tasks that are pinned to them. The revision's current ones stay what they were: the store makes
// the latest current, so those are put again.
func (i *importer) keepSettings(ctx context.Context, p pendingSettings) error {
	s, err := tool.ThawSettings(p.id, p.bytes)
	if err != nil {
		return err
	}
	switch _, err := i.Registry.Settings(ctx, p.id); fault.CodeOf(err) {
	case "":
		i.report.Settings.Known++
		return nil
	case fault.NotFound:
	default:
		return err
	}
	revision, err := i.Registry.Revision(ctx, s.Revision)
	if err != nil {
		return err
	}
	if err := revision.CheckSettings(s); err != nil {
		return err
	}
	current, err := i.Registry.Current(ctx, s.Revision)
	if err != nil {
		return err
	}
	// The present ones are put again behind them, in the same change: what was imported is never the current choice.
	before, bytes := registry.Setting{Revision: s.Revision, At: i.Now()}, ""
	if current != nil {
		before.ID, bytes = current.ID, current.Bytes()
	}
	imported := registry.Setting{Revision: s.Revision, ID: s.ID, At: i.Now()}
	if err := i.Tools.PutSettings(ctx, registry.Keep(imported, p.bytes), registry.Keep(before, []byte(bytes))); err != nil {
		return err
	}
	i.report.Settings.New++
	return nil
}
