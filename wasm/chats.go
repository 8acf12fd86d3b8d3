//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func taskMessages(ctx context.Context, r request) (string, error) {
	id, err := byTask(r)
	if err != nil {
		return "", err
	}
	list, err := r.engine.Messages(ctx, id)
	if err != nil {
		return "", err
	}
	return array(list, (*task.Task).JSON)
}

// answerCall compiles the result of a call, as its latest record has it.
func answerCall(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Task   canon.TaskID `json:"task"`
		Parent canon.TaskID `json:"parent,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	t, err := r.engine.Answer(ctx, in.Task, in.Parent)
	if err != nil {
		return "", err
	}
	return t.JSON()
}

func copyChat(ctx context.Context, r request) (string, error) {
	id, err := byTask(r)
	if err != nil {
		return "", err
	}
	list, err := r.engine.CopyChat(ctx, id)
	if err != nil {
		return "", err
	}
	return array(list, (*task.Task).JSON)
}
