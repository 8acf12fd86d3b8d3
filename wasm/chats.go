//go:build js && wasm

package main

import (
	"context"

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
