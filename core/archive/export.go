package archive

import (
	"context"
	"io"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Revision writes an archive of one installed revision to w, line by line. Errors: not_found, corrupt, too_large, and what w returns.
func (a Archive) Revision(ctx context.Context, id canon.ToolID, o Options, w io.Writer) error {
	x := &exporter{Archive: a, o: o, w: w}
	if err := x.header(); err != nil {
		return err
	}
	return x.revision(ctx, id)
}

// Chat writes an archive of a task with its ancestors, of the installed revisions that their calls and definitions name, and of their
// records. Revisions that are not installed are left out: a chat holds its own tools itself. Errors are as for Revision.
func (a Archive) Chat(ctx context.Context, id canon.TaskID, o Options, w io.Writer) error {
	x := &exporter{Archive: a, o: o, w: w, tools: map[canon.ToolID]bool{}}
	if err := x.header(); err != nil {
		return err
	}
	ids, err := x.walk(ctx, id)
	if err != nil {
		return err
	}
	for _, t := range x.order {
		if err := x.revision(ctx, t); fault.CodeOf(err) == fault.NotFound {
			continue
		} else if err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := x.task(ctx, id); err != nil {
			return err
		}
	}
	for _, id := range ids {
		if err := x.records(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// exporter holds ids only; what they name is read again when its line is written.
type exporter struct {
	Archive
	o       Options
	w       io.Writer
	written int
	tools   map[canon.ToolID]bool
	order   []canon.ToolID // those tools, as they are met
}

// walk lists a task with its ancestors and, if asked for, its descendants, parents first, and notes what they are pinned to.
func (x *exporter) walk(ctx context.Context, id canon.TaskID) ([]canon.TaskID, error) {
	lineage, err := x.Tasks.Lineage(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []canon.TaskID
	for _, t := range lineage[:len(lineage)-1] {
		x.meet(t)
		ids = append(ids, t.ID)
	}
	for waiting := []canon.TaskID{id}; len(waiting) > 0; {
		next := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		t, err := x.Tasks.Get(ctx, next)
		if err != nil {
			return nil, err
		}
		x.meet(t)
		if ids = append(ids, next); len(ids) > x.Limits.ArchiveTasks {
			return nil, fault.New(fault.TooLarge, "archive: more than %d tasks; export less, or raise the limit archiveTasks", x.Limits.ArchiveTasks)
		}
		if !x.o.Descendants {
			break
		}
		children, err := x.Tasks.Children(ctx, next)
		if err != nil {
			return nil, err
		}
		for i := len(children) - 1; i >= 0; i-- {
			waiting = append(waiting, children[i])
		}
	}
	return ids, nil
}

func (x *exporter) meet(t *task.Task) {
	if pin := t.Pin(); !pin.IsZero() && !x.tools[pin] {
		x.tools[pin] = true
		x.order = append(x.order, pin)
	}
}

func (x *exporter) revision(ctx context.Context, id canon.ToolID) error {
	revision, err := x.Registry.Revision(ctx, id)
	if err != nil {
		return err
	}
	return x.line(revisionLine{revisionKind, id, canon.Raw(revision.Bytes())})
}

func (x *exporter) task(ctx context.Context, id canon.TaskID) error {
	t, err := x.Tasks.Get(ctx, id)
	if err != nil {
		return err
	}
	text, err := t.JSON()
	if err != nil {
		return err
	}
	return x.line(taskLine{taskKind, canon.Raw(text)})
}

func (x *exporter) records(ctx context.Context, id canon.TaskID) error {
	records, err := x.Tasks.Records(ctx, id)
	if err != nil {
		return err
	}
	for _, r := range records {
		text, err := r.JSON()
		if err != nil {
			return err
		}
		if err := x.line(recordLine{recordKind, canon.Raw(text)}); err != nil {
			return err
		}
	}
	return nil
}

func (x *exporter) header() error { return x.line(header{format, version}) }

// line writes one item. An archive that no import with the same limits would take is not written to its end.
func (x *exporter) line(item any) error {
	text, err := canon.Marshal(item)
	if err != nil {
		return err
	}
	if x.written += len(text) + 1; x.written > x.Limits.ArchiveBytes {
		return fault.New(fault.TooLarge, "archive: more than %d bytes; export less, or raise the limit archiveBytes", x.Limits.ArchiveBytes)
	}
	_, err = x.w.Write(append(text, '\n'))
	return err
}
