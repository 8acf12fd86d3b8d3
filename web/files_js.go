//go:build js && wasm

package main

import (
	"context"
	"time"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// downloadTime is how long the address of a saved file is good: a browser takes the file after the click, not in it.
const downloadTime = 2 * time.Second

// save gives a person a text as a file. Its address is revoked.
func (p *page) save(name, text string) {
	urls, err := at(safejs.Global(), "URL")
	if err != nil {
		return
	}
	blob, err := blobOf(text)
	if err != nil {
		return
	}
	url, err := urls.Call("createObjectURL", blob)
	if err != nil {
		return
	}
	time.AfterFunc(downloadTime, func() { _, _ = urls.Call("revokeObjectURL", url) })
	document, err := at(safejs.Global(), "document")
	if err != nil {
		return
	}
	link, err := document.Call("createElement", "a")
	if err != nil {
		return
	}
	_ = link.Set("href", url)
	_ = link.Set("download", name)
	_, _ = link.Call("click")
}

func blobOf(text string) (safejs.Value, error) {
	class, err := at(safejs.Global(), "Blob")
	if err != nil {
		return class, err
	}
	parts, err := safejs.ValueOf([]any{text})
	if err != nil {
		return parts, err
	}
	kind, err := safejs.ValueOf(map[string]any{"type": "application/jsonl"})
	if err != nil {
		return kind, err
	}
	return class.New(parts, kind)
}

// chosen reads the file that was chosen in an input, and empties the input, so that the same file can be chosen again.
func (p *page) chosen(ctx context.Context, id string, most int) (name, text string, err error) {
	input, ok := element(id)
	if !ok {
		return "", "", fault.New(fault.NotFound, "file: none was chosen; choose one")
	}
	file, err := at(input, "files", "0")
	if err != nil || file.IsUndefined() {
		return "", "", fault.New(fault.NotFound, "file: none was chosen; choose one")
	}
	defer func() { _ = input.Set("value", "") }()
	called, err := at(file, "name")
	if err != nil {
		return "", "", err
	}
	if name, err = called.String(); err != nil {
		return "", "", err
	}
	if size := decimal(file, "size"); size > float64(most) {
		return name, "", fault.New(fault.TooLarge, "file %.80q: %.0f bytes, at most %d", name, size, most)
	}
	promise, err := file.Call("text")
	if err != nil {
		return name, "", err
	}
	content, err := jsbind.Await(ctx, promise)
	if err != nil {
		return name, "", err
	}
	text, err = content.String()
	return name, text, err
}
