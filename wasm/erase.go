//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// importTasks keeps a list of tasks (a JSON array), all or none.
func importTasks(ctx context.Context, r request) (string, error) {
	var texts []canon.Raw
	if err := canon.Unmarshal([]byte(r.payload), &texts, importNesting, fault.InvalidTask); err != nil {
		return "", err
	}
	list := make([]*task.Task, len(texts))
	for i, text := range texts {
		t, err := task.Read(text, limits.Default())
		if err != nil {
			return "", fault.Wrap(fault.InvalidTask, err, "task %d of %d", i+1, len(texts))
		}
		list[i] = t
	}
	return "null", r.engine.Tasks().Import(ctx, list)
}

// importNesting leaves room for tasks, whose arguments may have 64 levels, in a list.
const importNesting = 64 + 16

// eraseTask forgets a task, its descendants and all their records.
func eraseTask(ctx context.Context, r request) (string, error) {
	id, err := byTask(r)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Tasks().Erase(ctx, id)
}

// eraseTool forgets a revision that is not active and that no task is pinned to, and ends its sandboxes.
func eraseTool(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	pinned, err := r.engine.Tasks().Pins(ctx, id)
	if err != nil {
		return "", err
	}
	if pinned {
		return "", registry.StillPinned(id)
	}
	if err := r.engine.Registry().Erase(ctx, id); err != nil {
		return "", err
	}
	r.engine.Sandboxes().Retire(id.String())
	return "null", nil
}

// clearAll forgets every task, record, revision and binding, and ends every sandbox.
func clearAll(ctx context.Context, r request) (string, error) {
	if err := r.engine.Tasks().Clear(ctx); err != nil {
		return "", err
	}
	if err := r.engine.Registry().Clear(ctx); err != nil {
		return "", err
	}
	r.engine.Sandboxes().Clear()
	return "null", nil
}
