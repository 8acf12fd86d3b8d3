//go:build js && wasm

package store

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Tasks implements task.Store.
type Tasks struct{ s *Store }

// Tasks is the part that keeps tasks and records.
func (s *Store) Tasks() *Tasks { return &Tasks{s} }

var (
	taskByID     = object{tasks, "id"}
	taskByParent = object{tasks, "parent"}
	taskByRoot   = object{tasks, "root"}
	taskByTool   = object{tasks, "tool"}
)

// Put implements task.Store.
func (k *Tasks) Put(ctx context.Context, t *task.Task) error { return k.Import(ctx, []*task.Task{t}) }

// Import implements task.Store.
func (k *Tasks) Import(ctx context.Context, list []*task.Task) error {
	verified, outside, err := task.Admissible(list)
	if err != nil {
		return err
	}
	return k.s.transact(ctx, "readwrite", "put tasks", []any{tasks}, func(t *transaction) {
		places, open := map[canon.TaskID]place{}, len(outside)
		add := func() {
			for _, v := range verified {
				at := place{root: v.ID.String()}
				if !v.Parent.IsZero() {
					at = place{places[v.Parent].root, places[v.Parent].depth + 1}
				}
				places[v.ID] = at
				t.add(tasks, taskRow(v, at))
			}
		}
		if open == 0 {
			add()
		}
		for _, parent := range outside {
			t.request(taskByID, "get", func(found safejs.Value) {
				if found.IsUndefined() {
					t.fail(task.Orphan(parent))
					return
				}
				places[parent] = placeOf(row{found})
				if open--; open == 0 {
					add()
				}
			}, parent.String())
		}
	})
}

// place is where a task stands in its tree. It lets one request read a whole tree; what a lineage is, nodes say.
type place struct {
	root  string
	depth int
}

func placeOf(r row) place {
	depth, _ := number(r.js, "depth")
	return place{r.text("root"), depth}
}

func taskRow(v task.Sealed, at place) map[string]any {
	row := map[string]any{"id": v.ID.String(), "parent": v.Parent.String(), "node": v.Bytes, "root": at.root, "depth": at.depth}
	if !v.Pin.IsZero() {
		row["tool"] = v.Pin.String()
	}
	return row
}

// Get implements task.Store.
func (k *Tasks) Get(ctx context.Context, id canon.TaskID) (*task.Task, error) {
	var found safejs.Value
	err := k.s.transact(ctx, "readonly", "read a task", []any{tasks}, func(t *transaction) {
		t.request(taskByID, "get", func(result safejs.Value) { found = result }, id.String())
	})
	if err != nil {
		return nil, err
	}
	if found.IsUndefined() {
		return nil, task.Missing(id)
	}
	return task.Thaw(id, []byte(row{found}.text("node")))
}

// deep is the depth from which reading the whole tree is cheaper than climbing it, a request for each task.
const deep = 16

// Lineage implements task.Store, in one transaction.
func (k *Tasks) Lineage(ctx context.Context, id canon.TaskID) ([]*task.Task, error) {
	nodes := map[string]string{}
	err := k.s.transact(ctx, "readonly", "read a lineage", []any{tasks}, func(t *transaction) {
		var next func(id string)
		next = func(id string) {
			t.request(taskByID, "get", func(result safejs.Value) {
				if result.IsUndefined() {
					return
				}
				nodes[id] = row{result}.text("node")
				if at := placeOf(row{result}); at.depth >= deep && len(nodes) == 1 {
					t.request(taskByRoot, "getAll", func(tree safejs.Value) {
						for _, r := range textsOf(tree, "id", "node") {
							nodes[r[0]] = r[1]
						}
					}, at.root)
					return
				}
				parent := row{result}.text("parent")
				if _, seen := nodes[parent]; parent != "" && !seen { // only an edited row can make a circle
					next(parent)
				}
			}, id)
		}
		next(id.String())
	})
	if err != nil {
		return nil, err
	}
	return task.Climb(id, func(id canon.TaskID) (*task.Task, error) {
		node, here := nodes[id.String()]
		if !here {
			return k.Get(ctx, id)
		}
		return task.Thaw(id, []byte(node))
	})
}

// Children implements task.Store.
func (k *Tasks) Children(ctx context.Context, id canon.TaskID) ([]canon.TaskID, error) {
	var found []row
	err := k.s.transact(ctx, "readonly", "read children", []any{tasks}, func(t *transaction) {
		t.request(taskByParent, "getAll", func(result safejs.Value) { found = rowsOf(result) }, id.String())
	})
	if err != nil {
		return nil, err
	}
	var ids []canon.TaskID
	for _, r := range found {
		child, err := canon.ParseTaskID(r.text("id"))
		if err != nil {
			return nil, fault.New(fault.Corrupt, "task %s: child %.80q is no task", id, r.text("id"))
		}
		t, err := task.Thaw(child, []byte(r.text("node")))
		if err != nil {
			return nil, err
		}
		if t.Parent != id {
			return nil, fault.New(fault.Corrupt, "task %s: is stored under another parent than its own", child)
		}
		ids = append(ids, child)
	}
	return ids, nil
}

// Pins implements task.Store.
func (k *Tasks) Pins(ctx context.Context, tool canon.ToolID) (pinned bool, err error) {
	err = k.s.transact(ctx, "readonly", "look for pins", []any{tasks}, func(t *transaction) {
		t.request(taskByTool, "getKey", func(key safejs.Value) { pinned = !key.IsUndefined() }, tool.String())
	})
	return pinned, err
}

// Erase implements task.Store.
func (k *Tasks) Erase(ctx context.Context, root canon.TaskID) error {
	if root.IsZero() {
		return nil
	}
	return k.s.transact(ctx, "readwrite", "erase tasks", []any{tasks, records}, func(t *transaction) {
		t.request(taskByID, "get", func(result safejs.Value) {
			if result.IsUndefined() {
				return
			}
			t.request(taskByRoot, "getAll", func(tree safejs.Value) {
				below := map[string][]row{}
				for _, r := range rowsOf(tree) {
					below[r.text("parent")] = append(below[r.text("parent")], r)
				}
				for doomed := []row{{result}}; len(doomed) > 0; {
					r := doomed[0]
					id := r.text("id")
					t.remove(tasks, r)
					t.request(object{store: records}, "delete", nil, k.s.under(id))
					doomed = append(doomed[1:], below[id]...)
					delete(below, id) // only an edited row can make a circle
				}
			}, row{result}.text("root"))
		}, root.String())
	})
}

// Clear implements task.Store.
func (k *Tasks) Clear(ctx context.Context) error {
	return k.s.transact(ctx, "readwrite", "clear tasks", []any{tasks, records}, func(t *transaction) {
		t.request(object{store: tasks}, "clear", nil)
		t.request(object{store: records}, "clear", nil)
	})
}
