//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// putTasks keeps a list of tasks (a JSON array), all or none.
func putTasks(ctx context.Context, r request) (string, error) {
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

// eraseTask forgets a task, its descendants and all their records, and ends the sandboxes of tools that were defined there.
func eraseTask(ctx context.Context, r request) (string, error) {
	id, err := byTask(r)
	if err != nil {
		return "", err
	}
	return "null", r.engine.EraseChat(ctx, id)
}

// eraseTool forgets a revision that is not active and that no task is pinned to, with all that is kept for it, and ends its sandboxes.
func eraseTool(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return "null", r.engine.EraseTool(ctx, id)
}

// eraseUnpinned forgets every revision that is neither active nor pinned by a task, and answers with their ids.
func eraseUnpinned(ctx context.Context, r request) (string, error) {
	ids, err := r.engine.EraseUnpinned(ctx)
	if err != nil {
		return "", err
	}
	return encode(ids)
}

// clearAll forgets everything, and ends every sandbox.
func clearAll(ctx context.Context, r request) (string, error) {
	return "null", r.engine.Clear(ctx)
}
