package core

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/power"
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
	t, err := e.known.read(text, e.ports.Limits)
	if err != nil {
		return nil, err
	}
	if !t.Executable() {
		return nil, fault.New(fault.InvalidTask, "task %s: is not executable, it holds no function call", t.ID)
	}
	// A caller that gives up at once still gets a record: the task is there.
	if err := e.ports.Tasks.Put(context.WithoutCancel(ctx), t); err != nil {
		return nil, err
	}
	record := e.execute(ctx, t, o)
	record.Task, record.Tool = t.ID, t.Content.FunctionCall.Tool
	// The run is over: its record is kept even when the caller has given up, and given even when its chat was erased meanwhile.
	err = e.ports.Tasks.Complete(context.WithoutCancel(ctx), record)
	if fault.CodeOf(err) == fault.NotFound {
		err = nil
	}
	return record, err
}

// outcomeOfRefusal tells what policy refused, and what the caller gave up, from what is not here.
func outcomeOfRefusal(err error) task.Outcome {
	switch fault.CodeOf(err) {
	case fault.Denied:
		return task.Denied
	case fault.Aborted:
		return task.Aborted
	}
	return task.Unavailable
}

// run is one execution, checked and ready to go.
type run struct {
	task     *task.Task
	revision *tool.Revision
	scope    canon.TaskID   // of the node that defines a lexical tool
	args     protocol.Value // in tagged form
	settings map[string]any // nil for none
	options  RunOptions
}

func (e *Engine) execute(ctx context.Context, t *task.Task, o RunOptions) *task.Record {
	r, outcome, err := e.prepare(ctx, t, o)
	if err != nil {
		return e.notRun(outcome, err)
	}
	if r.revision.Definition().Implementation.Class == tool.TrustedNative {
		fn, err := e.registry.Native(r.revision)
		if err != nil {
			return e.notRun(task.Unavailable, err)
		}
		return e.inHost(ctx, r, fn)
	}
	return e.inSandbox(ctx, r)
}

// prepare does what has to be true before any code runs, and says how a run ends for which it is not.
func (e *Engine) prepare(ctx context.Context, t *task.Task, o RunOptions) (r run, not task.Outcome, err error) {
	call := t.Content.FunctionCall
	r = run{task: t, options: o}
	inline := false
	if r.revision, r.scope, inline, err = e.pinned(ctx, t); err != nil {
		return r, outcomeOfRefusal(err), err
	}
	// What a reader of the chat sees is the name.
	if name := r.revision.Name(); name != call.Name {
		return r, task.Unavailable, fault.New(fault.Unavailable, "task: calls %.80q, its revision %s is %q", call.Name, call.Tool, name)
	}
	if err := e.registry.Permit(ctx, call.Tool); err != nil {
		return r, outcomeOfRefusal(err), err
	}
	if err := r.revision.CheckArguments(call.Arguments); err != nil {
		return r, task.InvalidArguments, err
	}
	if err := e.registry.Runnable(r.revision); err != nil {
		return r, task.Unavailable, err
	}
	var settings *tool.Settings
	if !call.Settings.IsZero() {
		if inline {
			return r, task.Unavailable, fault.New(fault.Unavailable, "tool %q: is defined in the chat and has no settings", call.Name)
		}
		if settings, err = e.registry.Settings(ctx, call.Settings); err != nil {
			return r, outcomeOfRefusal(err), err
		}
		r.settings = settings.Values
	}
	if err := r.revision.CheckSettings(settings); err != nil {
		return r, task.Unavailable, err
	}
	// The arguments were checked, so each of these texts is base64.
	args, err := r.revision.MapBytes(call.Arguments, func(_, text string) (any, error) { return protocol.Bytes(text), nil })
	r.args = protocol.FromJSON(args)
	return r, task.InvalidArguments, err
}

// pinned returns the revision that a task is pinned to: the nearest lexical tool that is it, with its node, else the installed one.
// inline tells that its definition stands in the node.
func (e *Engine) pinned(ctx context.Context, t *task.Task) (revision *tool.Revision, node canon.TaskID, inline bool, err error) {
	id := t.Content.FunctionCall.Tool
	scope, err := e.scopes.Below(ctx, t.Parent)
	if err != nil {
		return nil, node, false, err
	}
	found := scope.ByPin(id, t.Content.FunctionCall.Name)
	if found != nil {
		if node = found.Node; found.Revision != nil {
			return found.Revision, node, true, nil
		}
	}
	if revision, err = e.registry.Revision(ctx, id); err == nil && found != nil {
		err = found.Fits(revision)
	}
	return revision, node, false, err
}

// timeout is the running time of one call.
func (e *Engine) timeout(d tool.Definition) time.Duration {
	if d.Limits != nil && d.Limits.TimeoutMs > 0 {
		return min(e.ports.Limits.Call, time.Duration(d.Limits.TimeoutMs)*time.Millisecond)
	}
	return e.ports.Limits.Call
}

// notRun is the record of a task that never reached a sandbox.
func (e *Engine) notRun(outcome task.Outcome, err error) *task.Record {
	f := fault.From(err)
	return &task.Record{Outcome: outcome, StartedAt: task.Stamp(e.ports.Clock.Now()),
		Error: &task.Failure{Code: outcome, Message: f.Message, Path: f.Path, Line: f.Line, Column: f.Column}}
}

func (e *Engine) inSandbox(ctx context.Context, r run) *task.Record {
	d, revision, o := r.revision.Definition(), r.revision, r.options
	request := sandbox.Request{
		Key:  sandbox.Key{Revision: revision.ID().String(), Partition: o.Partition, Scope: r.scope.String()},
		Name: d.Name,
		Code: func(ctx context.Context) (sandbox.Code, error) {
			program, err := e.registry.Program(ctx, revision)
			return sandbox.Code{Name: d.Name, Language: string(d.Implementation.Language), Program: program}, err
		},
		Args:       r.args,
		Context:    protocol.Context{Task: r.task.ID.String(), Tool: revision.ID().String()},
		Timeout:    e.timeout(d),
		Wall:       e.ports.Limits.Wall,
		Disposable: o.Disposable,
	}
	session := e.powers.Open(power.Call{Task: r.task, Revision: revision, Node: r.scope, Partition: o.Partition})
	request.Power = session.Answer
	if held := session.Placeholders(); len(held) > 0 {
		secrets := map[string]any{}
		for name, placeholder := range held {
			secrets[name] = placeholder
		}
		request.Context.Secrets = secrets
	}
	if r.settings != nil {
		request.Context.Settings = protocol.FromJSON(r.settings)
	}
	if o.OnLog != nil {
		request.OnLog = func(l *protocol.Log) { o.OnLog(cleaned(session, logLines(l.Lines)), l.Dropped) }
	}
	if o.OnProgress != nil {
		request.OnProgress = func(p *protocol.Progress) { o.OnProgress(p.Fraction, session.Text(p.Text)) }
	}
	request.Ended = func(asks []sandbox.AskRecord) { e.note(ctx, r, askRecords(asks)) }
	record := e.record(e.sandboxes.Run(ctx, request), revision)
	clean(session, record)
	if record.Outcome == task.OK {
		e.keepSubtasks(context.WithoutCancel(ctx), session.Subtasks(), record)
	}
	return record
}

// clean takes the secrets that a call has sent out of what it leaves behind.
func clean(s *power.Session, r *task.Record) {
	r.Result, r.Logs = s.Value(r.Result), cleaned(s, r.Logs)
	if f := r.Error; f != nil {
		for _, text := range []*string{&f.Name, &f.Message, &f.Path, &f.Stack, &f.Cause} {
			*text = s.Text(*text)
		}
		f.Value = s.Value(f.Value)
	}
}

func cleaned(s *power.Session, lines []task.LogLine) []task.LogLine {
	for i := range lines {
		lines[i].Text = s.Text(lines[i].Text)
	}
	return lines
}

// keepSubtasks stores the tasks that a call has made and that ended well, all or none.
func (e *Engine) keepSubtasks(ctx context.Context, made []*task.Task, record *task.Record) {
	if len(made) == 0 {
		return
	}
	if err := e.ports.Tasks.Import(ctx, made); err != nil {
		record.Outcome, record.Result = task.Unavailable, nil
		record.Error = &task.Failure{Code: task.Unavailable, Message: "subtasks: could not be kept: " + fault.From(err).Message}
		return
	}
	for _, t := range made {
		record.Subtasks = append(record.Subtasks, t.ID)
		_ = e.scopes.Added(ctx, t) // which spares a later reading of the lineage, no more
	}
}

func (e *Engine) record(result sandbox.Result, revision *tool.Revision) *task.Record {
	r := &task.Record{
		Outcome: task.Outcome(result.Outcome), Started: result.Started, Isolation: e.ports.Isolation,
		Logs: logLines(result.Logs), Dropped: result.Dropped, Asks: askRecords(result.Asks), StartedAt: task.Stamp(result.StartedAt),
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

func askRecords(list []sandbox.AskRecord) []task.AskRecord {
	var out []task.AskRecord
	for _, a := range list {
		out = append(out, task.AskRecord{Capability: a.Capability, Decision: task.Decision(a.Decision), Reason: a.Reason, Scope: a.Scope, Class: a.Class,
			Sent: a.Sent, BytesOut: a.BytesOut, BytesIn: a.BytesIn, DurationMs: milliseconds(a.Duration)})
	}
	return out
}

func logLines(lines []protocol.Line) []task.LogLine {
	out := make([]task.LogLine, len(lines))
	for i, line := range lines {
		out[i] = task.LogLine{Level: string(line.Level), Text: line.Text}
	}
	return out
}
