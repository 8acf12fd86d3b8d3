package archive

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func (i *importer) taskLine(ctx context.Context, at Place, tree any) error {
	if err := i.another(); err != nil {
		return err
	}
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

// another counts a task of the text, whatever becomes of it: else too_large, which ends the import.
func (i *importer) another() error {
	if i.count++; i.count > i.Limits.ArchiveTasks {
		return final{tooMany(i.Limits.ArchiveTasks)}
	}
	return nil
}

func tooMany(most int) error {
	return fault.New(fault.TooLarge, "archive: more than %d tasks; split it, or raise the limit archiveTasks", most)
}

// keepTask notes a task, whose id is the hash of its node, to be kept: else not_found when its parent will not be here, or what it
// says of others is refused for.
func (i *importer) keepTask(ctx context.Context, t *task.Task) error {
	here, parent, err := i.lookup(ctx, t)
	if err != nil {
		return err
	}
	if here {
		i.report.Tasks.Known++
		return nil
	}
	if err := i.checkDefinition(ctx, t); err != nil {
		return err
	}
	if err := i.checkResult(ctx, t.Content.ToolResult, parent); err != nil {
		return err
	}
	i.tasks[t.ID] = newBelow(t, parent)
	// A store keeps what was sealed. The tree takes many times that, and nobody needs it any more.
	t.Content, t.Label = task.Content{}, nil
	i.good = append(i.good, t)
	return nil
}

// checkDefinition holds a tool that a task defines to what compiling holds it to. A binding to a revision that is not here comes in:
// where it is used, it is checked again.
func (i *importer) checkDefinition(ctx context.Context, t *task.Task) error {
	scope, err := task.Within(nil, t)
	if err != nil || scope == nil {
		return err
	}
	if revision := scope.Revision; revision != nil {
		if size, most := len(revision.Bytes()), i.Limits.DefinitionBytes; size > most {
			return fault.At(fault.TooLarge, "$.content.toolDefinition", "task: $.content.toolDefinition: %d bytes, at most %d", size, most)
		}
		return i.Registry.Accept(ctx, revision)
	}
	revision, err := i.Registry.Revision(ctx, scope.Tool)
	if fault.CodeOf(err) == fault.NotFound {
		return nil
	}
	if err != nil {
		return answered(err)
	}
	return scope.Fits(revision)
}

// checkResult holds that a tool result is well formed and of a call among its ancestors, as compiling does.
func (i *importer) checkResult(ctx context.Context, r *task.ToolResult, parent *known) error {
	if r == nil {
		return nil
	}
	call, err := i.above(ctx, r.Call, parent)
	if err != nil {
		return err
	}
	if call == nil || !call.Executable {
		return fault.At(fault.InvalidTask, "$.content.toolResult.call", "task: $.content.toolResult.call: %s is no function call among the ancestors", r.Call)
	}
	if err := protocol.CheckValue(r.Result, i.Limits.Nesting); err != nil {
		return fault.Wrap(fault.InvalidValue, err, "task: $.content.toolResult.result")
	}
	return nil
}

// lookup tells whether a task is here already, or in the file before, and gives its parent; it refuses one whose parent is neither. A
// store holds no task without its parent, so that below a task that is new nothing needs to be looked up.
func (i *importer) lookup(ctx context.Context, t *task.Task) (here bool, parent *known, err error) {
	if i.tasks[t.ID] != nil {
		return true, nil, nil
	}
	if !t.Parent.IsZero() {
		parent, err = i.find(ctx, t.Parent)
		if err != nil {
			return false, nil, err
		}
		if parent == nil {
			return false, nil, i.orphan(t.Parent)
		}
		if parent.fresh {
			return false, parent, nil
		}
	}
	stored, err := i.find(ctx, t.ID)
	return stored != nil, parent, err
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
		return nil, answered(err)
	}
	i.tasks[id] = newStored(t)
	return i.tasks[id], nil
}
