package archive

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
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
		return answered(err)
	}
	switch _, err := i.Registry.Revision(ctx, revision.ID()); fault.CodeOf(err) {
	case "":
		i.report.Revisions.Known++
		return nil
	case fault.NotFound:
	default:
		return answered(err)
	}
	if class := revision.Definition().Implementation.Class; class != tool.SandboxedCode {
		return fault.New(fault.Denied, "revision %s: tool %q is of class %s, which a file does not bring; the host installs it by registering or connecting it",
			revision.ID(), revision.Name(), class)
	}
	if size, most := len(revision.Bytes()), i.Limits.DefinitionBytes; size > most {
		return fault.New(fault.TooLarge, "revision %s: %d bytes, at most %d", revision.ID(), size, most)
	}
	if err := i.Registry.Accept(ctx, revision); err != nil {
		return err
	}
	// All that can be wrong with the revision was asked for: from here on only the store can fail.
	if _, err := i.Registry.Install(ctx, []byte(revision.Bytes()), false); err != nil {
		return answered(err)
	}
	i.report.Revisions.New++
	return nil
}
