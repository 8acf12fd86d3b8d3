//go:build js && wasm

package main

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

// signaturesView is what a page needs to tell a provider about tools: tools is the value of the request's field.
type signaturesView struct {
	Tools canon.Raw         `json:"tools"`
	Notes []signature.Note  `json:"notes"`
	Names map[string]string `json:"names"` // the provider's name of a tool → its own
}

func toolSignatures(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Format signature.Format `json:"format"`
		Parent canon.TaskID     `json:"parent,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	set, err := r.engine.Signatures(ctx, in.Format, in.Parent)
	if err != nil {
		return "", err
	}
	return encode(signaturesView{canon.Raw(set.JSON()), set.Notes(), set.Names()})
}

// draftOfCall turns a provider's call, whose arguments are the payload, into a draft.
func draftOfCall(ctx context.Context, r request) (string, error) {
	in, err := decode[struct {
		Format signature.Format `json:"format"`
		Name   string           `json:"name"`
		Parent canon.TaskID     `json:"parent,omitempty"`
		Call   string           `json:"call,omitempty"`
	}](r.text)
	if err != nil {
		return "", err
	}
	draft, err := r.engine.ProviderDraft(ctx, in.Format, signature.ProviderCall{Name: in.Name, Arguments: r.payload, Parent: in.Parent, ID: in.Call})
	return string(draft), err
}
