package archive

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// known is a task that is in the store, or will be when the good ones are kept. Those of the file and those of the store are trees
// apart, since what is above a stored task is read only when somebody asks.
type known struct {
	task.Sealed // without the bytes
	fresh       bool
	outside     *known // of a fresh one: the stored task that its part of the file stands below, nil for none

	// Its place in its tree. far is an ancestor further up, chosen so that any depth is reached in logarithmically many steps: a file
	// may hold a hundred thousand results of one call far above. The far of a root is itself; nil means that nobody has asked.
	up, far *known
	depth   int
}

func newStored(t *task.Task) *known {
	sealed := t.Sealed()
	sealed.Bytes = ""
	return &known{Sealed: sealed}
}

// newBelow is a task of the file below its parent, nil for none.
func newBelow(t *task.Task, parent *known) *known {
	k := newStored(t)
	k.fresh = true
	if parent != nil && parent.fresh {
		k.outside = parent.outside
		k.stand(parent)
	} else {
		k.outside = parent
		k.stand(nil)
	}
	return k
}

// stand gives a task its place below another one that has its own, nil for the top.
func (k *known) stand(up *known) {
	if up == nil {
		k.far = k
		return
	}
	k.up, k.far, k.depth = up, up, up.depth+1
	// Two jumps of one length become one: the jumps of skew binary numbers.
	if next := up.far; up.depth-next.depth == next.depth-next.far.depth {
		k.far = next.far
	}
}

// below tells whether a task is another one of its tree, or stands below it.
func (k *known) below(ancestor *known) bool {
	for k.depth > ancestor.depth {
		if k.far.depth >= ancestor.depth {
			k = k.far
		} else {
			k = k.up
		}
	}
	return k == ancestor
}

// above returns the task with that id when it is a parent-to-be or stands above it, else nil.
func (i *importer) above(ctx context.Context, id canon.TaskID, parent *known) (*known, error) {
	if parent == nil {
		return nil, nil
	}
	if k := i.tasks[id]; k != nil && k.fresh {
		if parent.fresh && parent.below(k) {
			return k, nil
		}
		return nil, nil
	}
	if parent.fresh {
		if parent = parent.outside; parent == nil {
			return nil, nil
		}
	}
	if err := i.locate(ctx, parent); err != nil {
		return nil, err
	}
	// What stands above has a place by now.
	if k := i.tasks[id]; k != nil && k.far != nil && parent.below(k) {
		return k, nil
	}
	return nil, nil
}

// near is how many stored ancestors are read one by one before a whole lineage is.
const near = 8

// locate gives a stored task, and all above it, their places. Each stored task is read once, and lineages read no more of them again
// than the file may hold tasks.
func (i *importer) locate(ctx context.Context, k *known) error {
	var way []*known
	for k.far == nil {
		if err := ctx.Err(); err != nil {
			return err
		}
		if way = append(way, k); k.Parent.IsZero() {
			k = nil
			break
		}
		if len(way) == near && i.again < i.Limits.ArchiveTasks {
			if err := i.readLineage(ctx, k.Parent); err != nil {
				return err
			}
		}
		up, err := i.find(ctx, k.Parent)
		if err != nil {
			return err
		}
		if up == nil {
			return fault.New(fault.Corrupt, "task %s: its parent %s is not in the store", k.ID, k.Parent)
		}
		k = up
	}
	for n := len(way) - 1; n >= 0; n-- {
		way[n].stand(k)
		k = way[n]
	}
	return nil
}

func (i *importer) readLineage(ctx context.Context, id canon.TaskID) error {
	lineage, err := i.Tasks.Lineage(ctx, id)
	if err != nil {
		return answered(err)
	}
	for _, t := range lineage {
		if i.tasks[t.ID] == nil {
			i.tasks[t.ID] = newStored(t)
		} else {
			i.again++
		}
	}
	return nil
}
