// Package adapter gives the console the engine that it asks for: console.Engine over core.Engine.
package adapter

import (
	"context"
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// Engine implements console.Engine.
type Engine struct{ core *core.Engine }

// New wraps an engine; the caller keeps closing it.
func New(e *core.Engine) *Engine { return &Engine{core: e} }

// Install implements console.Engine.
func (e *Engine) Install(ctx context.Context, definition string, activate bool) (string, error) {
	revision, err := e.core.Install(ctx, []byte(definition), activate)
	if err != nil {
		return "", err
	}
	return revision.ID().String(), nil
}

// Tools implements console.Engine.
func (e *Engine) Tools(ctx context.Context) ([]console.Tool, error) {
	names, err := e.names(ctx)
	if err != nil {
		return nil, err
	}
	tools := make([]console.Tool, 0, len(names))
	for _, name := range names {
		history, err := e.History(ctx, name)
		if err != nil {
			return nil, err
		}
		if len(history) == 0 {
			continue
		}
		shown := max(0, slices.IndexFunc(history, func(t console.Tool) bool { return t.Active }))
		tools = append(tools, history[shown])
	}
	return tools, nil
}

// names are those of all installed revisions, whether or not they mean something now.
func (e *Engine) names(ctx context.Context) ([]string, error) {
	ids, err := e.core.Registry().Installed(ctx)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(ids))
	for i, id := range ids {
		revision, err := e.core.Registry().Revision(ctx, id)
		if err != nil {
			return nil, err
		}
		names[i] = revision.Name()
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// History implements console.Engine.
func (e *Engine) History(ctx context.Context, name string) ([]console.Tool, error) {
	tools := e.core.Registry()
	ids, err := tools.Revisions(ctx, name)
	if err != nil {
		return nil, err
	}
	bindings, err := tools.History(ctx, name)
	if err != nil {
		return nil, err
	}
	history := make([]console.Tool, 0, len(ids))
	for _, id := range slices.Backward(ids) {
		revision, err := tools.Revision(ctx, id)
		if err != nil {
			return nil, err
		}
		shown := toolOf(revision, active(bindings) == id)
		shown.Bound = bound(bindings, id)
		block, err := tools.Blocked(ctx, id)
		if err != nil {
			return nil, err
		}
		shown.Blocked, shown.Reason = !block.Revision.IsZero(), block.Reason
		if shown.Current, err = e.settings(ctx, id); err != nil {
			return nil, err
		}
		history = append(history, shown)
	}
	return history, nil
}

// bound is when a name came to mean a revision, for the last time.
func bound(bindings []registry.Binding, id canon.ToolID) (at time.Time) {
	for _, b := range bindings {
		if b.Revision == id {
			at = b.At
		}
	}
	return at
}

// active is the revision that a name means now; the zero id when it means none.
func active(bindings []registry.Binding) canon.ToolID {
	if len(bindings) == 0 {
		return canon.ToolID{}
	}
	return bindings[len(bindings)-1].Revision
}

func toolOf(r *tool.Revision, active bool) console.Tool {
	d := r.Definition()
	return console.Tool{
		Name: d.Name, Description: d.Description, Revision: r.ID().String(), Active: active,
		Class: string(d.Implementation.Class), Language: string(d.Implementation.Language), Code: d.Implementation.Code,
		Parameters: d.Parameters, Definition: r.Bytes(), Settings: d.Settings,
	}
}

// Activate implements console.Engine. A revision carries its name.
func (e *Engine) Activate(ctx context.Context, _, revision string) error {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return err
	}
	_, err = e.core.Registry().Activate(ctx, id)
	return err
}

// Run implements console.Engine.
func (e *Engine) Run(ctx context.Context, tool, arguments string, disposable bool, onLog func(console.LogLine)) (console.Record, error) {
	draft, err := e.draft(ctx, tool, arguments)
	if err != nil {
		return console.Record{}, err
	}
	pinned, err := e.core.Compile(ctx, draft)
	if err != nil {
		return console.Record{}, err
	}
	text, err := pinned.JSON()
	if err != nil {
		return console.Record{}, err
	}
	record, err := e.core.Run(ctx, []byte(text), core.RunOptions{
		Disposable: disposable,
		OnLog: func(lines []task.LogLine, _ int) {
			for _, line := range lines {
				onLog(console.LogLine(line))
			}
		},
	})
	if err != nil {
		return console.Record{}, err
	}
	return recordOf(record)
}

// draft is a call of one revision. Arguments are decoded first: text that is put into other text unread could say more than
// arguments.
func (e *Engine) draft(ctx context.Context, tool, arguments string) ([]byte, error) {
	revision, err := e.core.Registry().Lookup(ctx, tool)
	if err != nil {
		return nil, err
	}
	tree, err := canon.Decode([]byte(arguments), limits.Default().Nesting)
	if err != nil {
		return nil, err
	}
	return canon.Encode(map[string]any{
		"role": string(task.Function),
		"content": map[string]any{"functionCall": map[string]any{
			"name": revision.Name(), "arguments": tree, "tool": revision.ID().String(),
		}},
	})
}

// recordOf keeps values in tagged form: the console shows what JSON lacks by its tag.
func recordOf(r *task.Record) (console.Record, error) {
	out := console.Record{
		Outcome: string(r.Outcome), Task: r.Task.String(), Tool: r.Tool.String(), Dropped: r.Dropped,
		Duration: time.Duration(r.DurationMs * float64(time.Millisecond)), Logs: make([]console.LogLine, len(r.Logs)), Asks: asked(r.Asks),
	}
	for i, line := range r.Logs {
		out.Logs[i] = console.LogLine(line)
	}
	if r.Outcome == task.OK {
		text, err := canon.Encode(r.Result)
		if err != nil {
			return console.Record{}, err
		}
		out.Result = string(text)
	}
	if f := r.Error; f != nil {
		out.Error = &console.Failure{Code: string(f.Code), Name: f.Name, Message: f.Message, Path: f.Path, Line: f.Line,
			Column: f.Column, Stack: f.Stack, Cause: f.Cause}
		if f.Value != nil {
			text, err := canon.Encode(f.Value)
			if err != nil {
				return console.Record{}, err
			}
			out.Error.Thrown = string(text)
		}
	}
	return out, nil
}
