//go:build js && wasm

package main

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
)

// What is kept for a revision beside its settings: secrets, and what it has stored itself.

// instant reads an RFC 3339 time, the zero time from nothing.
func instant(name, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return at, fault.At(fault.InvalidRequest, "$."+name, "$.%s: %.40q is no time; write it as 2026-01-02T03:04:05Z", name, text)
	}
	return at, nil
}

// setSecret takes the value as its payload, so that it stands in no text that is decoded and could be quoted.
func setSecret(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Revision canon.ToolID `json:"revision"`
		Name     string       `json:"name"`
		Origins  []string     `json:"origins"`
	}](r.text)
	if err != nil {
		return "", err
	}
	book, err := r.engine.Secrets()
	if err != nil {
		return "", err
	}
	return "null", book.Set(ctx, in.Revision, in.Name, secret.NewValue(r.payload), in.Origins)
}

func forgetSecret(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Revision canon.ToolID `json:"revision"`
		Name     string       `json:"name"`
	}](r.text)
	if err != nil {
		return "", err
	}
	book, err := r.engine.Secrets()
	if err != nil {
		return "", err
	}
	return "null", book.Forget(ctx, in.Revision, in.Name)
}

// secretView is what may be known of a secret.
type secretView struct {
	Name    string   `json:"name"`
	Origins []string `json:"origins"`
	At      string   `json:"at"`
	Lasting bool     `json:"lasting"`
}

func listSecrets(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	book, err := r.engine.Secrets()
	if err != nil {
		return "", err
	}
	entries, err := book.List(ctx, id)
	if err != nil {
		return "", err
	}
	list := make([]secretView, len(entries))
	for i, e := range entries {
		list[i] = secretView{e.Name, e.Origins, e.At.Format(time.RFC3339Nano), book.Lasting()}
	}
	return encode(list)
}

type usageView struct {
	Revision canon.ToolID `json:"revision"`
	Bytes    int          `json:"bytes"`
	Keys     int          `json:"keys"`
}

func listStorage(ctx context.Context, r request) (string, error) {
	usages, err := r.engine.Storage().List(ctx)
	if err != nil {
		return "", err
	}
	list := make([]usageView, len(usages))
	for i, u := range usages {
		list[i] = usageView(u)
	}
	return encode(list)
}

// storedView is one stored value, in tagged form.
type storedView struct {
	Partition string       `json:"partition"`
	Node      canon.TaskID `json:"node,omitempty"`
	Key       string       `json:"key"`
	Value     any          `json:"value"`
	Bytes     int          `json:"bytes"`
}

func readStorage(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	entries, err := r.engine.Storage().Read(ctx, id)
	if err != nil {
		return "", err
	}
	list := make([]storedView, len(entries))
	for i, e := range entries {
		list[i] = storedView{e.Partition, e.Node, e.Key, e.Value, e.Bytes}
	}
	return encode(list)
}

func clearStorage(ctx context.Context, r request) (string, error) {
	id, err := byTool(r)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Storage().Clear(ctx, id)
}

func carryStorage(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		From canon.ToolID `json:"from"`
		To   canon.ToolID `json:"to"`
	}](r.text)
	if err != nil {
		return "", err
	}
	return "null", r.engine.Storage().Carry(ctx, in.From, in.To)
}
