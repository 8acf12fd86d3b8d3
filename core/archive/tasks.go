package archive

import (
	"context"
	"fmt"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func (i *importer) taskLine(ctx context.Context, at Place, tree any) error {
	var l taskLine
	if err := canon.Bind(tree, &l, fault.InvalidRequest); err != nil {
		return err
	}
	t, err := task.Read(l.Task, i.Limits)
	if err == nil {
		err = i.keepTask(ctx, t)
	}
	if err != nil {
		object, _ := tree.(map[string]any)["task"].(map[string]any)
		claimed, _ := object["id"].(string)
		if id, bad := canon.ParseTaskID(claimed); bad == nil {
			i.refused[id] = at
		}
	}
	return err
}

// keepTask notes a task, whose id is the hash of its node, to be kept: else not_found when its parent will not be here, or what the
// code of a tool that it defines is refused for.
func (i *importer) keepTask(ctx context.Context, t *task.Task) error {
	here, err := i.lookup(ctx, t)
	if err != nil {
		return err
	}
	if here {
		i.report.Tasks.Known++
		return nil
	}
	scope, err := task.Within(nil, t)
	if err != nil {
		return err
	}
	if scope != nil && scope.Revision != nil {
		if err := i.Registry.Accept(ctx, scope.Revision); err != nil {
			return err
		}
	}
	i.tasks[t.ID] = &known{t, true}
	i.good = append(i.good, t)
	return nil
}

// lookup tells whether a task is here already, or in the file before, and refuses one whose parent is neither. A store holds no task
// without its parent, so that below a task that is new nothing needs to be looked up.
func (i *importer) lookup(ctx context.Context, t *task.Task) (here bool, err error) {
	if i.tasks[t.ID] != nil {
		return true, nil
	}
	if !t.Parent.IsZero() {
		parent, err := i.find(ctx, t.Parent)
		if err != nil {
			return false, err
		}
		if parent == nil {
			return false, i.orphan(t.Parent)
		}
		if parent.fresh {
			return false, nil
		}
	}
	stored, err := i.find(ctx, t.ID)
	return stored != nil, err
}

func (i *importer) orphan(parent canon.TaskID) error {
	if at, refused := i.refused[parent]; refused {
		return fault.At(fault.NotFound, "$.parent", "task: its parent %s was refused on %s", parent, at)
	}
	return task.Orphan(parent)
}

// find returns a task of the file or the store, nil where there is none.
func (i *importer) find(ctx context.Context, id canon.TaskID) (*known, error) {
	if k := i.tasks[id]; k != nil {
		return k, nil
	}
	t, err := i.Tasks.Get(ctx, id)
	if fault.CodeOf(err) == fault.NotFound {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	i.tasks[id] = &known{Task: t}
	return i.tasks[id], nil
}

// pendingRecord waits for its task.
type pendingRecord struct {
	at     Place
	record *task.Record
	text   string // canonical
}

// recordNesting is that of a record as the stores read it.
const recordNesting = 3*64 + 16

func (i *importer) recordLine(at Place, tree any) error {
	var l recordLine
	if err := canon.Bind(tree, &l, fault.InvalidRequest); err != nil {
		return err
	}
	r := new(task.Record)
	if err := canon.Unmarshal(l.Record, r, recordNesting, fault.InvalidTask); err != nil {
		return fault.Wrap(fault.InvalidTask, err, "record")
	}
	if err := i.sound(r); err != nil {
		return err
	}
	text, err := r.JSON()
	if err != nil {
		return err
	}
	i.records = append(i.records, pendingRecord{at, r, text})
	return nil
}

// sound holds a record to what every run keeps to, so that whoever reads it later need not ask where it came from.
func (i *importer) sound(r *task.Record) error {
	switch {
	case !r.Outcome.Known():
		return fault.At(fault.InvalidTask, "$.outcome", "record: $.outcome: %.40q is no outcome", string(r.Outcome))
	case (r.Outcome == task.OK) != (r.Error == nil):
		return fault.At(fault.InvalidTask, "$.error", "record: $.error: goes with every outcome but ok")
	case r.Error != nil && r.Error.Code != r.Outcome:
		return fault.At(fault.InvalidTask, "$.error.code", "record: $.error.code: %.40q is not the outcome, %s", string(r.Error.Code), r.Outcome)
	case r.Outcome != task.OK && r.Result != nil:
		return fault.At(fault.InvalidTask, "$.result", "record: $.result: goes with outcome ok only")
	}
	if err := protocol.CheckValue(r.Result, i.Limits.Nesting); err != nil {
		return fault.Wrap(fault.InvalidValue, err, "record: $.result")
	}
	if r.Error == nil {
		return nil
	}
	if err := protocol.CheckValue(r.Error.Value, i.Limits.Nesting); err != nil {
		return fault.Wrap(fault.InvalidValue, err, "record: $.error.value")
	}
	return nil
}

// keepRecord appends a record to its task unless it is there already. kept holds the records of the tasks met so far.
func (i *importer) keepRecord(ctx context.Context, p pendingRecord, kept map[canon.TaskID]map[string]bool) error {
	id := p.record.Task
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
	if err := task.Admit(t.Task.Sealed(), p.record); err != nil {
		return err
	}
	if kept[id] == nil {
		if kept[id], err = i.recorded(ctx, t); err != nil {
			return err
		}
	}
	if kept[id][p.text] {
		i.report.Records.Known++
		return nil
	}
	if err := i.Tasks.Complete(ctx, p.record); err != nil {
		return fmt.Errorf("record of task %s: %w", id, err)
	}
	kept[id][p.text] = true
	i.report.Records.New++
	return nil
}

// recorded lists the records that a task has, by their canonical text.
func (i *importer) recorded(ctx context.Context, t *known) (map[string]bool, error) {
	texts := map[string]bool{}
	if t.fresh {
		return texts, nil
	}
	records, err := i.Tasks.Records(ctx, t.ID)
	if err != nil {
		return nil, err
	}
	for _, r := range records {
		text, err := r.JSON()
		if err != nil {
			return nil, err
		}
		texts[text] = true
	}
	return texts, nil
}
