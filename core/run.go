package core

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// RunOptions are the caller's wishes for one run.
type RunOptions struct {
	Disposable bool   // a fresh sandbox for this call alone
	Partition  string // retained state is kept apart by it; an application passes an account or a chat
	OnLog      func(lines []task.LogLine, dropped int)
	OnProgress func(fraction float64, text string)
}

// Run executes a task (JSON text as Compile gave it, or imported) and returns its record, whatever the outcome. It fails only
// when there is no valid task to run, or when the record cannot be stored.
func (e *Engine) Run(ctx context.Context, text []byte, o RunOptions) (*task.Record, error) {
	if err := e.open(); err != nil {
		return nil, err
	}
	t, err := task.Read(text, e.ports.Limits)
	if err != nil {
		return nil, err
	}
	if !t.Executable() {
		return nil, fault.New(fault.InvalidTask, "task %s: is not executable, it holds no function call", t.ID)
	}
	if err := e.ports.Tasks.Put(ctx, t); err != nil {
		return nil, err
	}
	record := e.execute(ctx, t, o)
	record.Task, record.Tool = t.ID, t.Content.FunctionCall.Tool
	// The run is over: its record is kept even when the caller has given up.
	return record, e.ports.Tasks.Complete(context.WithoutCancel(ctx), record)
}

func (e *Engine) execute(ctx context.Context, t *task.Task, o RunOptions) *task.Record {
	call := t.Content.FunctionCall
	revision, err := e.registry.Revision(ctx, call.Tool)
	if err != nil {
		return e.notRun(task.Unavailable, err)
	}
	if err := revision.CheckArguments(call.Arguments); err != nil {
		return e.notRun(task.InvalidArguments, err)
	}
	d := revision.Definition()
	if d.Implementation.Class != tool.SandboxedCode || d.Implementation.Language != tool.JavaScript {
		return e.notRun(task.Unavailable, fault.New(fault.Unavailable, "tool %q: this host does not run class %s%s", d.Name,
			d.Implementation.Class, languageOf(d)))
	}
	// The arguments were checked, so each of these texts is base64.
	args, err := revision.MapBytes(call.Arguments, func(_, text string) (any, error) { return protocol.Bytes(text), nil })
	if err != nil {
		return e.notRun(task.InvalidArguments, err)
	}
	return e.inSandbox(ctx, t, revision, protocol.FromJSON(args), o)
}

func languageOf(d tool.Definition) string {
	if d.Implementation.Language == "" {
		return ""
	}
	return " in " + string(d.Implementation.Language)
}

// notRun is the record of a task that never reached a sandbox.
func (e *Engine) notRun(outcome task.Outcome, err error) *task.Record {
	f := fault.From(err)
	return &task.Record{Outcome: outcome, StartedAt: task.Stamp(e.ports.Clock.Now()),
		Error: &task.Failure{Code: outcome, Message: f.Message, Path: f.Path, Line: f.Line, Column: f.Column}}
}

func (e *Engine) inSandbox(ctx context.Context, t *task.Task, revision *tool.Revision, args protocol.Value, o RunOptions) *task.Record {
	d := revision.Definition()
	request := sandbox.Request{
		Key:  sandbox.Key{Revision: revision.ID().String(), Partition: o.Partition},
		Name: d.Name,
		Code: func(ctx context.Context) (sandbox.Code, error) {
			program, err := e.registry.Program(ctx, revision.ID())
			return sandbox.Code{Name: d.Name, Language: string(d.Implementation.Language), Program: program}, err
		},
		Args:       args,
		Context:    protocol.Context{Task: t.ID.String(), Tool: revision.ID().String()},
		Timeout:    e.ports.Limits.Call,
		Wall:       e.ports.Limits.Wall,
		Disposable: o.Disposable,
	}
	if d.Limits != nil && d.Limits.TimeoutMs > 0 {
		request.Timeout = min(request.Timeout, time.Duration(d.Limits.TimeoutMs)*time.Millisecond)
	}
	if o.OnLog != nil {
		request.OnLog = func(l *protocol.Log) { o.OnLog(logLines(l.Lines), l.Dropped) }
	}
	if o.OnProgress != nil {
		request.OnProgress = func(p *protocol.Progress) { o.OnProgress(p.Fraction, p.Text) }
	}
	return e.record(e.sandboxes.Run(ctx, request), revision)
}

func (e *Engine) record(result sandbox.Result, revision *tool.Revision) *task.Record {
	r := &task.Record{
		Outcome: task.Outcome(result.Outcome), Started: result.Started, Isolation: e.ports.Isolation,
		Logs: logLines(result.Logs), Dropped: result.Dropped, StartedAt: task.Stamp(result.StartedAt),
		DurationMs: milliseconds(result.Duration), QueuedMs: milliseconds(result.Queued),
	}
	if r.Outcome != task.OK {
		r.Error = failure(result)
		return r
	}
	if err := revision.CheckResult(protocol.ToJSON(result.Value)); err != nil {
		f := fault.From(err)
		r.Outcome = task.InvalidResult
		r.Error = &task.Failure{Code: task.InvalidResult, Message: "result of " + revision.Name() + ": " + f.Message, Path: f.Path}
		return r
	}
	r.Result = result.Value
	return r
}

func failure(result sandbox.Result) *task.Failure {
	f := &task.Failure{Code: task.Outcome(result.Outcome), Message: result.Message, Line: result.Line, Column: result.Column}
	if thrown := result.Thrown; thrown != nil {
		f.Name, f.Message, f.Path, f.Stack, f.Cause = thrown.Name, thrown.Message, thrown.Path, thrown.Stack, thrown.Cause
		f.Line, f.Column, f.Value = thrown.Line, thrown.Column, thrown.Value
	}
	return f
}

func logLines(lines []protocol.Line) []task.LogLine {
	out := make([]task.LogLine, len(lines))
	for i, line := range lines {
		out[i] = task.LogLine{Level: string(line.Level), Text: line.Text}
	}
	return out
}
