package core

import (
	"context"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// ExportRevision returns an archive of one installed revision; see package archive.
func (e *Engine) ExportRevision(ctx context.Context, id canon.ToolID, o archive.Options) (string, error) {
	if err := e.open(); err != nil {
		return "", err
	}
	var text strings.Builder
	err := e.archive().Revision(ctx, id, o, &text)
	return whole(&text, err)
}

// ExportChat returns an archive of a task with its ancestors, what it is pinned to, and its records; see package archive.
func (e *Engine) ExportChat(ctx context.Context, id canon.TaskID, o archive.Options) (string, error) {
	if err := e.open(); err != nil {
		return "", err
	}
	var text strings.Builder
	err := e.archive().Chat(ctx, id, o, &text)
	return whole(&text, err)
}

// Import takes an archive, or definitions and chats of older form. Nothing becomes active by it. What does not hold is refused in the
// report, and all else comes in.
func (e *Engine) Import(ctx context.Context, text []byte) (*archive.Report, error) {
	if err := e.open(); err != nil {
		return nil, err
	}
	return e.archive().Import(ctx, text)
}

// whole gives no part of a text for the whole.
func whole(text *strings.Builder, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return text.String(), nil
}

func (e *Engine) archive() archive.Archive {
	return archive.Archive{Registry: e.registry, Tools: e.ports.Tools, Tasks: e.ports.Tasks, Limits: e.ports.Limits}
}
