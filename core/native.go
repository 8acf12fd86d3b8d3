package core

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// hostIsolation is what records say of what ran with the host's own rights.
const hostIsolation = "host"

// nativeRun is one call of a native function. Whatever the function says after the end has no effect.
type nativeRun struct {
	ctx     context.Context // ends with the call
	call    registry.NativeCall
	session *power.Session
	asks    *sandbox.HostAsks
	time    *hostTime
	options RunOptions
	settled chan nativeEnd // buffered: a late function must not wait for a reader

	mu    sync.Mutex
	over  bool
	lines *sandbox.HostLog
}

type nativeEnd struct {
	value any
	err   error
	early task.Outcome // of a call that ended before its function: timeout or aborted
}

// inHost runs a trusted-native revision. The function is told of its deadline by its context and is not waited for: nothing can
// stop code that runs with the host's rights.
func (e *Engine) inHost(ctx context.Context, r run, fn registry.Native) *task.Record {
	began := e.ports.Clock.Now()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer e.hosted.add(r.revision.ID(), cancel)()
	defer context.AfterFunc(e.life, func() { cancel(nil) })()
	timeout := e.timeout(r.revision.Definition())
	running := startHostTime(e.ports.Clock, timeout, func() { cancel(errDeadline) })
	defer running.end()
	defer e.ports.Clock.AfterFunc(max(e.ports.Limits.Wall, timeout), func() { cancel(errDeadline) })()
	n := &nativeRun{ctx: ctx, options: r.options, settled: make(chan nativeEnd, 1), lines: sandbox.NewHostLog(e.ports.Limits), time: running,
		session: e.powers.Open(power.Call{Task: r.task, Revision: r.revision, Node: r.scope, Partition: r.options.Partition}),
		asks:    sandbox.NewHostAsks(e.ports.Limits, e.ports.Clock)}
	n.call = registry.NativeCall{Args: r.args, Task: r.task.ID.String(), Tool: r.revision.ID().String(), Settings: r.settings,
		Log: n.log, Progress: n.progress, Popup: n.popup}
	var end nativeEnd
	started := ctx.Err() == nil // not when its revision was blocked a moment ago
	if started {
		go func() { n.settled <- n.invoke(ctx, fn) }()
		select {
		case end = <-n.settled:
		case <-ctx.Done():
		}
	}
	// A function that heeds its context settles at the moment at which the context ends: that is no result.
	if ctx.Err() != nil {
		end = early(context.Cause(ctx), r.revision.Name(), timeout)
	}
	record := e.nativeRecord(r, n.end(), end)
	record.Started, record.Asks = started, askRecords(n.asks.End())
	e.note(ctx, r, record.Asks)
	record.StartedAt, record.DurationMs = task.Stamp(began), milliseconds(max(e.ports.Clock.Now().Sub(began), 0))
	return record
}

// early is the end of a call that did not wait for its function.
func early(cause error, name string, timeout time.Duration) nativeEnd {
	switch cause {
	case errDeadline:
		return nativeEnd{early: task.Timeout, err: fault.New(fault.Timeout, "call of %s: did not end within %v; what it still does cannot be stopped", name, timeout)}
	case errBlocked:
		return nativeEnd{early: task.Denied, err: fault.New(fault.Denied, "call of %s: its revision was blocked; what it still does cannot be stopped", name)}
	}
	return nativeEnd{early: task.Aborted, err: fault.New(fault.Aborted, "call of %s: was given up by its caller", name)}
}

// invoke calls the function and makes an error of a panic.
func (n *nativeRun) invoke(ctx context.Context, fn registry.Native) (end nativeEnd) {
	defer func() {
		if p := recover(); p != nil {
			end.err = &registry.Thrown{Name: "panic", Message: fmt.Sprint(p), Stack: string(debug.Stack())}
		}
	}()
	value, err := fn(ctx, n.call)
	return nativeEnd{value: value, err: err}
}

func (n *nativeRun) log(level, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.over {
		return
	}
	streamed := n.lines.Add(protocol.Line{Level: protocol.Level(level), Text: text})
	if streamed != nil && n.options.OnLog != nil {
		n.options.OnLog(logLines(streamed.Lines), streamed.Dropped)
	}
}

func (n *nativeRun) progress(fraction float64, text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.over && n.options.OnProgress != nil {
		n.options.OnProgress(min(max(fraction, 0), 1), text)
	}
}

// popup asks for a window. The call's time stands still until it has closed: it is the user's.
func (n *nativeRun) popup(asked context.Context, request any, open registry.Open) (string, error) {
	ctx, cancel := context.WithCancel(n.ctx)
	defer context.AfterFunc(asked, cancel)()
	n.time.pause()
	var window <-chan struct{}
	answer := n.asks.Do(protocol.CapabilityPopup, func(ask sandbox.Ask) sandbox.Answer {
		return n.session.Popup(ctx, ask, request, func(ctx context.Context, w registry.Window) (<-chan struct{}, error) {
			closed, err := open(ctx, w)
			window = closed
			return closed, err
		})
	})
	if answer.Error != nil {
		cancel()
		n.time.resume()
		return "", &registry.Refused{Code: answer.Error.Code, Message: answer.Error.Message}
	}
	go func() {
		defer cancel()
		select {
		case <-window:
		case <-n.ctx.Done():
		}
		n.time.resume()
	}()
	value, _ := answer.Value.(map[string]any)
	url, _ := value["url"].(string)
	return url, nil
}

// end closes the call's mouth and returns what it said.
func (n *nativeRun) end() *sandbox.HostLog {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.over = true
	return n.lines
}

func (e *Engine) nativeRecord(r run, said *sandbox.HostLog, end nativeEnd) *task.Record {
	lines, dropped := said.Kept()
	record := &task.Record{Outcome: task.OK, Result: end.value, Started: true, Isolation: hostIsolation, Logs: logLines(lines), Dropped: dropped}
	if end.err == nil {
		if record.Outcome, end.err = task.InvalidResult, e.checkValue(end.value); end.err == nil {
			if end.err = r.revision.CheckResult(protocol.ToJSON(end.value)); end.err == nil {
				record.Outcome = task.OK
				return record
			}
		}
		end.err = fault.Wrap(fault.InvalidValue, end.err, "result of %s", r.revision.Name())
	} else {
		record.Outcome = cmp.Or(end.early, outcomeOf(end.err))
	}
	f := fault.From(end.err)
	record.Result, record.Error = nil, &task.Failure{Code: record.Outcome, Message: f.Message, Path: f.Path}
	var thrown *registry.Thrown
	if errors.As(end.err, &thrown) {
		record.Error.Name, record.Error.Message, record.Error.Stack = thrown.Name, thrown.Message, thrown.Stack
		record.Error.Value = thrown.Value
	}
	return record
}

// outcomeOf judges the error of a function.
func outcomeOf(err error) task.Outcome {
	if fault.CodeOf(err) == fault.InvalidValue {
		return task.InvalidResult
	}
	return task.ToolError
}

// checkValue holds a native's result to what a sandbox's is held to, so that records stay bounded and readable.
func (e *Engine) checkValue(v any) error {
	if err := protocol.CheckValue(v, e.ports.Limits.Nesting); err != nil {
		return err
	}
	text, err := canon.Encode(v)
	if err != nil {
		return err
	}
	if most := e.ports.Limits.ResultBytes; len(text) > most {
		return fault.New(fault.InvalidValue, "%d bytes, at most %d", len(text), most)
	}
	return nil
}
