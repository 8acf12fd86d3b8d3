package archive

import (
	"bytes"
	"context"
	"iter"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Import takes an archive, or what Taskyon wrote before there were archives. What does not hold is refused in the report. It fails
// only when the text as a whole cannot be read (invalid_json, invalid_request, too_large; unavailable for a newer version), which
// keeps nothing but revisions, or when a store does not answer or ctx ends. What came in before that stays, and importing again brings
// the rest, except records of tasks that are here by then.
func (a Archive) Import(ctx context.Context, text []byte) (*Report, error) {
	if len(text) > a.Limits.ArchiveBytes {
		return nil, fault.New(fault.TooLarge, "archive: %d bytes, at most %d; raise the limit archiveBytes", len(text), a.Limits.ArchiveBytes)
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	i := &importer{Archive: a, report: &Report{Refused: []Refusal{}, Converted: []Note{}}, tasks: map[canon.TaskID]*known{}, refused: map[canon.TaskID]Place{}}
	headed, err := startsWithHeader(text)
	if err != nil {
		return nil, err
	}
	if headed {
		err = i.archive(ctx, text)
	} else {
		err = i.older(ctx, text)
	}
	if err == nil {
		err = i.finish(ctx)
	}
	if err != nil {
		return nil, err
	}
	i.report.sort()
	return i.report, nil
}

// importer is one import. Revisions are installed as they are met, tasks kept together at the end, and what needs both after that.
type importer struct {
	Archive
	report  *Report
	tasks   map[canon.TaskID]*known // those that the text holds or refers to, and that will be here
	refused map[canon.TaskID]Place  // what was said to be such a task
	good    []*task.Task            // to be kept, parents first
	records []pendingRecord
	count   int // tasks of the text
	again   int // stored tasks that were read more than once
}

// longestHeader bounds the line in which a header is looked for.
const longestHeader = 1 << 10

// lineNesting leaves room for the deepest item, a record, whose result nests three levels for each of its own 64.
const lineNesting = 3*64 + 24

// lines numbers the lines of a text that are not empty.
func lines(text []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		n := 0
		for line := range bytes.Lines(text) {
			n++
			if line = bytes.Trim(line, " \t\r\n"); len(line) > 0 && !yield(n, line) {
				return
			}
		}
	}
}

// startsWithHeader looks for the header on the first line that is not empty.
func startsWithHeader(text []byte) (bool, error) {
	for _, line := range lines(text) {
		if len(line) > longestHeader {
			return false, nil
		}
		tree, err := canon.Decode(line, lineNesting)
		object, _ := tree.(map[string]any)
		if _, headed := object["taskyon"]; err != nil || !headed {
			return false, nil
		}
		var h header
		switch v, _ := object["version"].(float64); {
		case object["taskyon"] == format && v > version:
			return true, fault.New(fault.Unavailable, "archive: is of version %v, newer than the %d that is read here; update the program", v, version)
		case canon.Bind(tree, &h, fault.InvalidRequest) != nil || h != header{format, version}:
			return true, fault.New(fault.InvalidRequest, `archive: its header is not {"taskyon":"archive","version":1}`)
		}
		return true, nil
	}
	return false, fault.New(fault.InvalidRequest, "archive: the file is empty")
}

// archive takes the lines behind the header. Revisions are taken first, wherever they stand: a binding is held to what comes with it.
func (i *importer) archive(ctx context.Context, text []byte) error {
	err := i.each(ctx, text, func(at Place, line []byte) error {
		if !mayBeRevision(line) {
			return nil
		}
		said, tree, _ := i.read(line)
		if said != revisionKind {
			return nil // looked at again, and refused then
		}
		return i.revisionLine(ctx, tree)
	})
	if err != nil {
		return err
	}
	return i.each(ctx, text, func(at Place, line []byte) error {
		said, tree, err := i.read(line)
		if err != nil {
			return err
		}
		switch said {
		case revisionKind:
			return nil
		case taskKind:
			return i.taskLine(ctx, at, tree)
		case recordKind:
			return i.recordLine(at, tree)
		case "settings":
			return fault.At(fault.InvalidRequest, "$.kind", "line: $.kind: settings are not carried by files; whoever uses a tool sets them")
		}
		return fault.At(fault.InvalidRequest, "$.kind", "line: $.kind: %.40q is not revision, task or record", string(said))
	})
}

// each gives every line behind the header to take, and refuses those that take gives an error for.
func (i *importer) each(ctx context.Context, text []byte, take func(at Place, line []byte) error) error {
	headed := false
	for n, line := range lines(text) {
		if !headed {
			headed = true
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		at := Place{Line: n}
		if err := take(at, line); err != nil {
			if err := i.report.refuse(at, err); err != nil {
				return err
			}
		}
	}
	return nil
}

// mayBeRevision spares most lines of a chat from being decoded twice. A letter can also be written as an escape.
func mayBeRevision(line []byte) bool {
	return bytes.Contains(line, []byte(`"`+revisionKind+`"`)) || bytes.Contains(line, []byte(`\u00`))
}

// read gives the tree of a line and the kind that it says it is.
func (i *importer) read(line []byte) (kind, any, error) {
	if most := max(i.Limits.ArgumentsBytes, i.Limits.ResultBytes, i.Limits.DefinitionBytes) + 2<<20; len(line) > most {
		return "", nil, fault.New(fault.TooLarge, "line: %d bytes, at most %d", len(line), most)
	}
	tree, err := canon.Decode(line, lineNesting)
	if err != nil {
		return "", nil, err
	}
	object, ok := tree.(map[string]any)
	if !ok {
		return "", nil, fault.New(fault.InvalidRequest, "line: want an object with a kind")
	}
	said, _ := object["kind"].(string)
	return kind(said), tree, nil
}

// finish keeps the good tasks in one change, and then what belongs to them.
func (i *importer) finish(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(i.good) > 0 {
		if err := i.Tasks.Import(ctx, i.good); err != nil {
			return err
		}
	}
	i.report.Tasks.New = len(i.good)
	i.good = nil
	kept := recorded{}
	for _, r := range i.records {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := i.keepRecord(ctx, r, kept); err != nil {
			if err := i.report.refuse(r.at, err); err != nil {
				return err
			}
		}
	}
	return nil
}
