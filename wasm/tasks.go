//go:build js && wasm

package main

import (
	"context"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func compileTask(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Label []string `json:"label,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	t, err := r.engine.Compile(ctx, []byte(r.payload), in.Label...)
	if err != nil {
		return "", err
	}
	return t.JSON()
}

func runTask(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Disposable bool   `json:"disposable,omitempty"`
		Partition  string `json:"partition,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	options := core.RunOptions{Disposable: in.Disposable, Partition: in.Partition}
	if !r.listener.IsUndefined() {
		options.OnLog = func(lines []task.LogLine, dropped int) {
			r.tell("log", struct {
				Lines   []task.LogLine `json:"lines"`
				Dropped int            `json:"dropped"`
			}{lines, dropped})
		}
		options.OnProgress = func(fraction float64, text string) {
			r.tell("progress", struct {
				Fraction float64 `json:"fraction"`
				Text     string  `json:"text"`
			}{fraction, text})
		}
	}
	record, err := r.engine.Run(ctx, []byte(r.payload), options)
	if err != nil {
		return "", err
	}
	return record.JSON()
}

// tell gives the listener one event. A listener that throws loses the event, not the run.
func (r request) tell(kind string, v any) {
	if text, err := encode(v); err == nil {
		_, _ = r.listener.Invoke(kind, text)
	}
}

func getTask(ctx context.Context, r request) (string, error) {
	id, err := byTask(r)
	if err != nil {
		return "", err
	}
	t, err := r.engine.Tasks().Get(ctx, id)
	if err != nil {
		return "", err
	}
	return t.JSON()
}

func taskLineage(ctx context.Context, r request) (string, error) {
	id, err := byTask(r)
	if err != nil {
		return "", err
	}
	lineage, err := r.engine.Tasks().Lineage(ctx, id)
	if err != nil {
		return "", err
	}
	return array(lineage, (*task.Task).JSON)
}

// taskChildren gives the children of a task, or the roots when it is told none.
func taskChildren(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Task canon.TaskID `json:"task,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	ids, err := r.engine.Tasks().Children(ctx, in.Task)
	if err != nil {
		return "", err
	}
	return array(ids, func(id canon.TaskID) (string, error) {
		t, err := r.engine.Tasks().Get(ctx, id)
		if err != nil {
			return "", err
		}
		return t.JSON()
	})
}

func taskRecords(ctx context.Context, r request) (string, error) {
	id, err := byTask(r)
	if err != nil {
		return "", err
	}
	records, err := r.engine.Tasks().Records(ctx, id)
	if err != nil {
		return "", err
	}
	return array(records, (*task.Record).JSON)
}

// array joins JSON texts to one.
func array[T any](items []T, text func(T) (string, error)) (string, error) {
	texts := make([]string, len(items))
	for i, item := range items {
		var err error
		if texts[i], err = text(item); err != nil {
			return "", err
		}
	}
	return "[" + strings.Join(texts, ",") + "]", nil
}
