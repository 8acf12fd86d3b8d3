package core

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
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
// first, then the active ones by name. Blocked tools, those whose
// settings are missing, and what this host cannot run, are left out with a note.
func (e *Engine) Signatures(ctx context.Context, format signature.Format, parent canon.TaskID) (*signature.Set, error) {
	var shown []tool.Definition
	var left []signature.Note
	add := func(name string, revision *tool.Revision, inline bool, err error) {
		if err == nil {
			err = e.registry.Permit(ctx, revision.ID())
		}
		if err == nil {
			err = e.registry.Runnable(revision)
		}
		if err == nil {
			err = e.configured(ctx, revision, inline)
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
			add(l.Name, l.Revision, true, nil)
			continue
		}
		revision, err := e.registry.Revision(ctx, l.Tool)
		if err == nil {
			err = l.Fits(revision)
		}
		add(l.Name, revision, false, err)
	}
	bindings, err := e.registry.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, b := range bindings {
		if !lexical[b.Name] {
			revision, err := e.registry.Revision(ctx, b.Revision)
			add(b.Name, revision, false, err)
		}
	}
	return signature.Compile(format, shown, left...)
}

// configured returns invalid_settings when a call of the tool could not be compiled, for want of settings.
func (e *Engine) configured(ctx context.Context, revision *tool.Revision, inline bool) error {
	if inline {
		return revision.CheckSettings(nil)
	}
	current, err := e.registry.Current(ctx, revision.ID())
	if err != nil {
		return err
	}
	return revision.CheckSettings(current)
}

// Answer compiles and stores the result of a call for the readers of its chat, as the latest record of the call has it: below parent,
// or below the call itself where that is zero. Errors: not_found when the call has not run.
func (e *Engine) Answer(ctx context.Context, call, parent canon.TaskID) (*task.Task, error) {
	records, err := e.ports.Tasks.Records(ctx, call)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fault.New(fault.NotFound, "task %s: has no record here; run it first", call)
	}
	last := records[len(records)-1]
	result := &task.ToolResult{Call: call, Outcome: last.Outcome, Result: last.Result}
	if last.Outcome != task.OK {
		result.Result, result.Error = nil, last.Error.Reason()
	}
	if parent.IsZero() {
		parent = call
	}
	draft, err := canon.Marshal(task.Node{Role: task.Function, Parent: parent, Content: task.Content{ToolResult: result}})
	if err != nil {
		return nil, err
	}
	return e.Compile(ctx, draft)
}

// ProviderDraft turns a provider's call of one of those tools into a draft below the same task.
func (e *Engine) ProviderDraft(ctx context.Context, format signature.Format, call signature.ProviderCall) ([]byte, error) {
	set, err := e.shownAlone(ctx, format, call)
	if err == nil && set == nil {
		set, err = e.Signatures(ctx, format, call.Parent)
	}
	if err != nil {
		return nil, err
	}
	return set.Draft(call, e.ports.Limits)
}

// shownAlone is the part of what Signatures shows that a call by a tool's own name needs, nil where the name may be an alias: showing
// every tool again for each call would cost more with every tool. A name that the provider accepts is never the alias of another.
func (e *Engine) shownAlone(ctx context.Context, format signature.Format, call signature.ProviderCall) (*signature.Set, error) {
	scope, err := e.scopes.Below(ctx, call.Parent)
	if err != nil {
		return nil, err
	}
	var revision *tool.Revision
	switch l := scope.ByName(call.Name); {
	case l != nil && l.Revision != nil:
		revision = l.Revision
	case l != nil:
		return nil, nil
	case tool.IsName(call.Name):
		binding, err := e.registry.Active(ctx, call.Name)
		if err != nil || binding.IsZero() {
			return nil, err
		}
		if revision, err = e.registry.Revision(ctx, binding); err != nil {
			return nil, err
		}
	default:
		return nil, nil
	}
	if e.registry.Permit(ctx, revision.ID()) != nil || e.registry.Runnable(revision) != nil {
		return nil, nil
	}
	set, err := signature.Compile(format, []tool.Definition{revision.Definition()})
	if err != nil {
		return nil, err
	}
	if set.Names()[call.Name] != call.Name {
		return nil, nil
	}
	return set, nil
}
