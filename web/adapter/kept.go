package adapter

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
)

// SetSecret implements console.Authority.
func (e *Engine) SetSecret(ctx context.Context, revision, name, value string, origins []string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	book, err := e.core.Secrets()
	if err != nil {
		return err
	}
	return book.Set(ctx, id, name, secret.NewValue(value), origins)
}

// ForgetSecret implements console.Authority.
func (e *Engine) ForgetSecret(ctx context.Context, revision, name string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	book, err := e.core.Secrets()
	if err != nil {
		return err
	}
	return book.Forget(ctx, id, name)
}

// ClearStorage implements console.Authority.
func (e *Engine) ClearStorage(ctx context.Context, revision string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	return e.core.Storage().Clear(ctx, id)
}
