package archive

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// pendingRecord waits for its task, as canonical text, which takes less room than what it says.
type pendingRecord struct {
	at   Place
	text string
}

// recordNesting is that of a record as the stores read it.
const recordNesting = 3*64 + 16

func (i *importer) recordLine(at Place, tree any) error {
	var l recordLine
	if err := canon.Bind(tree, &l, fault.InvalidRequest); err != nil {
		return err
	}
	r, err := readRecord(l.Record)
	if err != nil {
		return err
	}
	if err := i.sound(r); err != nil {
		return err
	}
	text, err := r.JSON()
	if err != nil {
		return err
	}
	i.records = append(i.records, pendingRecord{at, text})
	return nil
}

func readRecord(text []byte) (*task.Record, error) {
	r := new(task.Record)
	if err := canon.Unmarshal(text, r, recordNesting, fault.InvalidTask); err != nil {
		return nil, fault.Wrap(fault.InvalidTask, err, "record")
	}
	return r, nil
}

// sound holds a record to what every run keeps to, so that whoever reads it later need not ask where it came from.
func (i *importer) sound(r *task.Record) error {
	switch {
	case !r.Outcome.Known():
		return badRecord("outcome", "%.40q is no outcome", string(r.Outcome))
	case (r.Outcome == task.OK) != (r.Error == nil):
		return badRecord("error", "goes with every outcome but ok")
	case r.Error != nil && r.Error.Code != r.Outcome:
		return badRecord("error.code", "%.40q is not the outcome, %s", string(r.Error.Code), r.Outcome)
	case r.Outcome != task.OK && r.Result != nil:
		return badRecord("result", "goes with outcome ok only")
	case !slices.Contains(isolations, r.Isolation):
		return badRecord("isolation", "%.40q is no kind of isolation", r.Isolation)
	case !stamped(r.StartedAt):
		return badRecord("startedAt", "%.40q is no instant in UTC with milliseconds", r.StartedAt)
	case !lasts(r.DurationMs):
		return badRecord("durationMs", "is not a number of milliseconds")
	case !lasts(r.QueuedMs):
		return badRecord("queuedMs", "is not a number of milliseconds")
	}
	if err := i.soundLogs(r); err != nil {
		return err
	}
	if err := i.soundAsks(r); err != nil {
		return err
	}
	if err := protocol.CheckValue(r.Result, i.Limits.Nesting); err != nil {
		return fault.Wrap(fault.InvalidValue, err, "record: $.result")
	}
	if r.Error == nil {
		return nil
	}
	if r.Error.Line < 0 || r.Error.Column < 0 {
		return badRecord("error", "its line and column are not negative")
	}
	if err := protocol.CheckValue(r.Error.Value, i.Limits.Nesting); err != nil {
		return fault.Wrap(fault.InvalidValue, err, "record: $.error.value")
	}
	return nil
}

func badRecord(field, format string, args ...any) error {
	return fault.At(fault.InvalidTask, "$."+field, "record: $."+field+": "+format, args...)
}

// isolations is the closed set of what can have held the code of a call; "" is of a call of which nothing ran.
var isolations = []string{"browser", "os", "runtime", "host", "none", ""}

// stamped tells whether a text is what task.Stamp writes.
func stamped(text string) bool {
	at, err := time.Parse(time.RFC3339Nano, text)
	return err == nil && task.Stamp(at) == text
}

func lasts(ms float64) bool { return ms >= 0 && !math.IsInf(ms, 1) }

// soundLogs holds the log of a record to the limits that a run's log has here.
func (i *importer) soundLogs(r *task.Record) error {
	if r.Dropped < 0 {
		return badRecord("dropped", "%d is negative", r.Dropped)
	}
	if most := i.Limits.LogLines; len(r.Logs) > most {
		return fault.At(fault.TooLarge, "$.logs", "record: $.logs: %d lines, at most %d", len(r.Logs), most)
	}
	bytes := 0
	for n, line := range r.Logs {
		if !slices.Contains(protocol.Level("").Words(), line.Level) {
			return badRecord("logs", "%.40q of line %d is no level", line.Level, n)
		}
		bytes += len(line.Text)
	}
	if most := i.Limits.LogBytes; bytes > most {
		return fault.At(fault.TooLarge, "$.logs", "record: $.logs: %d bytes, at most %d", bytes, most)
	}
	return nil
}

// soundAsks holds the asks of a record to what a run keeps of them here.
func (i *importer) soundAsks(r *task.Record) error {
	if most := i.Limits.AsksPerCall; len(r.Asks) > most {
		return fault.At(fault.TooLarge, "$.asks", "record: $.asks: %d asks, at most %d", len(r.Asks), most)
	}
	if most := i.Limits.Subtasks; len(r.Subtasks) > most {
		return fault.At(fault.TooLarge, "$.subtasks", "record: $.subtasks: %d tasks, at most %d", len(r.Subtasks), most)
	}
	if len(r.Subtasks) > 0 && r.Outcome != task.OK {
		return badRecord("subtasks", "go with outcome ok only")
	}
	for n, a := range r.Asks {
		switch {
		case !a.Decision.Known():
			return badRecord("asks", "%.40q of ask %d is no decision", string(a.Decision), n)
		case len(a.Capability) > 64 || len(a.Reason) > 512 || len(a.Scope) > 512 || len(a.Class) > 512:
			return badRecord("asks", "a text of ask %d is too long", n)
		case a.BytesOut < 0 || a.BytesIn < 0 || !lasts(a.DurationMs):
			return badRecord("asks", "a number of ask %d is negative", n)
		}
	}
	return nil
}

// recorded are the records that tasks have, by the digest of their canonical text.
type recorded map[canon.TaskID]map[canon.FileID]bool

// keepRecord appends a record to its task when the task is new with this file. What ran here is the history of here: to a task that
// was here already no file adds, though it may tell again what is known.
func (i *importer) keepRecord(ctx context.Context, p pendingRecord, kept recorded) error {
	r, err := readRecord([]byte(p.text))
	if err != nil {
		return err
	}
	id := r.Task
	t, err := i.find(ctx, id)
	if err != nil {
		return err
	}
	if t == nil {
		if at, refused := i.refused[id]; refused {
			return fault.New(fault.NotFound, "record: its task %s was refused on %s", id, at)
		}
		return fault.Wrap(fault.NotFound, task.Missing(id), "record")
	}
	if err := task.Admit(t.Sealed, r); err != nil {
		return err
	}
	if kept[id] == nil {
		if kept[id], err = i.recordsOf(ctx, t); err != nil {
			return err
		}
	}
	digest := canon.SumFile([]byte(p.text))
	switch {
	case kept[id][digest]:
		i.report.Records.Known++
		return nil
	case !t.fresh:
		return fault.New(fault.Conflict, "record: is of task %s; records of a task that was here already are its own history", id)
	}
	if err := i.madeBy(ctx, r); err != nil {
		return err
	}
	if err := i.Tasks.Complete(ctx, r); err != nil {
		return fault.Wrap(fault.Internal, answered(err), "record of task %s", id)
	}
	kept[id][digest] = true
	i.report.Records.New++
	return nil
}

// madeBy holds that what a record names as made by its call stands below it, each once: who runs a call's subtasks goes by that list.
// One that is not here may have been erased.
func (i *importer) madeBy(ctx context.Context, r *task.Record) error {
	for n, id := range r.Subtasks {
		made, err := i.find(ctx, id)
		if err != nil {
			return err
		}
		if made != nil && made.Parent != r.Task || slices.Contains(r.Subtasks[:n], id) {
			return badRecord("subtasks", "%s was not made by this call", id)
		}
	}
	return nil
}

func (i *importer) recordsOf(ctx context.Context, t *known) (map[canon.FileID]bool, error) {
	digests := map[canon.FileID]bool{}
	if t.fresh {
		return digests, nil
	}
	records, err := i.Tasks.Records(ctx, t.ID)
	if err != nil {
		return nil, answered(err)
	}
	for _, r := range records {
		text, err := r.JSON()
		if err != nil {
			return nil, err
		}
		digests[canon.SumFile([]byte(text))] = true
	}
	return digests, nil
}
