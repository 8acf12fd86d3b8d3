package adapter

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// SetSettings implements console.Engine.
func (e *Engine) SetSettings(ctx context.Context, revision, values string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	_, err = e.core.Registry().SetSettings(ctx, id, []byte(values))
	return err
}

// settings are those that a revision has now, as JSON text, "" for none.
func (e *Engine) settings(ctx context.Context, id canon.ToolID) (string, error) {
	current, err := e.core.Registry().Current(ctx, id)
	if err != nil || current == nil {
		return "", err
	}
	text, err := canon.Encode(current.Values)
	return string(text), err
}
