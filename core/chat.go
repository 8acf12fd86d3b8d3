package core

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

// Messages returns the nodes of a chat that a model reads, up to and with the task, in order.
func (e *Engine) Messages(ctx context.Context, id canon.TaskID) ([]*task.Task, error) {
	lineage, err := e.ports.Tasks.Lineage(ctx, id)
	return task.Messages(lineage), err
}

// CopyChat stores a copy of a chat without the tools defined in it, and returns it, the root first; see task.Ordinary. Without such
// tools the copy is the chat itself.
func (e *Engine) CopyChat(ctx context.Context, id canon.TaskID) ([]*task.Task, error) {
	if err := e.open(); err != nil {
		return nil, err
	}
	lineage, err := e.ports.Tasks.Lineage(ctx, id)
	if err != nil {
		return nil, err
	}
	copied, err := task.Ordinary(lineage)
	if err != nil {
		return nil, err
	}
	return copied, e.ports.Tasks.Import(ctx, copied)
}

// Signatures shows a provider the tools that a child of the task (the zero id: a root) may call: the lexical ones, the nearest
// first, then the active ones by name. Blocked tools, and what this host cannot run, are left out with a note.
func (e *Engine) Signatures(ctx context.Context, format signature.Format, parent canon.TaskID) (*signature.Set, error) {
	var shown []tool.Definition
	var left []signature.Note
	add := func(name string, revision *tool.Revision, err error) {
		if err == nil {
			err = e.registry.Permit(ctx, revision.ID())
		}
		if err == nil {
			err = e.registry.Runnable(revision)
		}
		if err != nil {
			left = append(left, signature.Note{Tool: name, Path: "$", Text: "left out: " + err.Error(), Refused: true})
			return
		}
		shown = append(shown, revision.Definition())
	}
	scope, err := e.scopes.Below(ctx, parent)
	if err != nil {
		return nil, err
	}
	lexical := map[string]bool{}
	for _, l := range scope.Visible() {
		lexical[l.Name] = true
		if l.Revision != nil {
			add(l.Name, l.Revision, nil)
			continue
		}
		revision, err := e.registry.Revision(ctx, l.Tool)
		add(l.Name, revision, err)
	}
	bindings, err := e.registry.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range bindings {
		if !lexical[b.Name] {
			revision, err := e.registry.Revision(ctx, b.Revision)
			add(b.Name, revision, err)
		}
	}
	return signature.Compile(format, shown, left...)
}

// ProviderDraft turns a provider's call of one of those tools into a draft below the same task.
func (e *Engine) ProviderDraft(ctx context.Context, format signature.Format, call signature.ProviderCall) ([]byte, error) {
	set, err := e.Signatures(ctx, format, call.Parent)
	if err != nil {
		return nil, err
	}
	return set.Draft(call, e.ports.Limits)
}
