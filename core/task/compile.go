package task

import (
	"context"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Tools is what compiling needs of the registry.
type Tools interface {
	Lookup(ctx context.Context, nameOrID string) (*tool.Revision, error)
}

// Compile turns a draft (JSON text) into a pinned, hashed task. A draft that already names a revision keeps it if it is
// installed. Errors: invalid_json, invalid_draft, not_found, invalid_arguments. Nothing is stored.
func Compile(ctx context.Context, draft []byte, tools Tools, l limits.Limits) (*Task, error) {
	if most := l.ArgumentsBytes + 1<<20; len(draft) > most {
		return nil, fault.New(fault.TooLarge, "draft: %d bytes, at most %d", len(draft), most)
	}
	tree, err := canon.Decode(draft, nodeNesting)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidJSON, err, "draft")
	}
	var n Node
	if err := canon.Bind(tree, &n, fault.InvalidDraft); err != nil {
		return nil, fault.Wrap(fault.InvalidDraft, err, "draft")
	}
	if err := n.shape(fault.InvalidDraft); err != nil {
		return nil, err
	}
	if n.Content.FunctionCall != nil {
		if err := pin(ctx, n.Content.FunctionCall, tools, l); err != nil {
			return nil, err
		}
	}
	return Seal(n)
}

func pin(ctx context.Context, call *FunctionCall, tools Tools, l limits.Limits) error {
	name := call.Name
	if !call.Tool.IsZero() {
		name = call.Tool.String()
	}
	revision, err := tools.Lookup(ctx, name)
	if err != nil {
		return fault.Wrap(fault.NotFound, err, "draft")
	}
	if revision.Name() != call.Name {
		return fault.At(fault.InvalidDraft, "$.content.functionCall.tool",
			"draft: $.content.functionCall.tool: revision %s is named %q, not %.80q", revision.ID(), revision.Name(), call.Name)
	}
	call.Tool = revision.ID()
	if call.Arguments, err = arguments(call.Arguments, l); err != nil {
		return err
	}
	if err := revision.CheckArguments(call.Arguments); err != nil {
		return fault.Wrap(fault.InvalidArguments, err, "arguments of %q", call.Name)
	}
	return nil
}

// arguments takes what models send: an object, JSON text of one, or nothing at all, which means no arguments.
func arguments(given any, l limits.Limits) (any, error) {
	switch given := given.(type) {
	case nil:
		return map[string]any{}, nil
	case map[string]any:
		return given, nil
	case string:
		if strings.TrimSpace(given) == "" {
			return map[string]any{}, nil
		}
		tree, err := canon.Decode([]byte(given), l.Nesting)
		if err != nil {
			return nil, fault.At(fault.InvalidArguments, "$.content.functionCall.arguments",
				"arguments: the text is incomplete or not JSON (%s); send it again, whole", err)
		}
		if object, ok := tree.(map[string]any); ok {
			return object, nil
		}
		return nil, notAnObject(tree)
	default:
		return nil, notAnObject(given)
	}
}

func notAnObject(v any) error {
	text, _ := canon.Encode(v)
	return fault.At(fault.InvalidArguments, "$.content.functionCall.arguments", "arguments: want an object, got %.60s", text)
}
