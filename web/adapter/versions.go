package adapter

import (
	"context"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// Remove implements console.Engine.
func (e *Engine) Remove(ctx context.Context, name string) error {
	return e.core.Registry().Remove(ctx, name)
}

// Erase implements console.Engine.
func (e *Engine) Erase(ctx context.Context, revision string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	return e.core.EraseTool(ctx, id)
}

// Block implements console.Engine.
func (e *Engine) Block(ctx context.Context, revision, reason string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	return e.core.Registry().Block(ctx, id, reason)
}

// Unblock implements console.Engine.
func (e *Engine) Unblock(ctx context.Context, revision string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	return e.core.Registry().Unblock(ctx, id)
}

// Diff implements console.Engine.
func (e *Engine) Diff(ctx context.Context, before, after string) ([]console.Change, error) {
	revisions := [2]*tool.Revision{}
	for i, id := range []string{before, after} {
		var err error
		if revisions[i], err = e.core.Registry().Lookup(ctx, id); err != nil {
			return nil, err
		}
	}
	changes, err := tool.Diff(revisions[0], revisions[1])
	if err != nil {
		return nil, err
	}
	shown := make([]console.Change, len(changes))
	for i, c := range changes {
		if shown[i], err = changeOf(c); err != nil {
			return nil, err
		}
	}
	return shown, nil
}

// changeOf shows a text as it is where it became another one, or where it has lines. Any other value is JSON, so that the number 1
// does not look like the text "1".
func changeOf(c tool.Change) (console.Change, error) {
	out := console.Change{Path: c.Path, Kind: string(c.Kind)}
	was, before := c.Before.(string)
	is, after := c.After.(string)
	if before && after || c.Kind != tool.Changed && strings.Contains(was+is, "\n") {
		out.Before, out.After = was, is
		return out, nil
	}
	for _, side := range []struct {
		value any
		lacks tool.ChangeKind
		text  *string
	}{{c.Before, tool.Added, &out.Before}, {c.After, tool.Removed, &out.After}} {
		if c.Kind == side.lacks {
			continue
		}
		text, err := canon.Encode(side.value)
		if err != nil {
			return out, err
		}
		*side.text = console.Pretty(string(text))
	}
	return out, nil
}
