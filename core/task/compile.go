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
	// Lookup returns the revision that a name means now, or the one with that id: else not_found.
	Lookup(ctx context.Context, nameOrID string) (*tool.Revision, error)
	// Permit returns denied when a revision is blocked.
	Permit(ctx context.Context, id canon.ToolID) error
	// Accept checks the code of a revision, as for installing it: else invalid_code.
	Accept(ctx context.Context, revision *tool.Revision) error
	// Current returns the settings that a revision has now, nil for none.
	Current(ctx context.Context, id canon.ToolID) (*tool.Settings, error)
	// Settings returns settings by id: else not_found.
	Settings(ctx context.Context, id canon.SettingsID) (*tool.Settings, error)
}

// Compiler turns drafts into pinned, hashed tasks. It stores nothing.
type Compiler struct {
	Tools  Tools
	Scopes *Scopes
	Limits limits.Limits
}

// Compile takes a draft (JSON text). A name means the nearest lexical tool of the draft's lineage, else the active revision; a
// draft that already names a revision keeps it if there is one. Errors: invalid_json, invalid_draft, not_found, denied,
// invalid_arguments, invalid_settings, and what a tool definition can be refused for.
func (c Compiler) Compile(ctx context.Context, draft []byte, label ...string) (*Task, error) {
	if most := c.Limits.ArgumentsBytes + 1<<20; len(draft) > most {
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
	n.Label = append(n.Label, label...)
	if err := n.shape(fault.InvalidDraft); err != nil {
		return nil, err
	}
	switch {
	case n.Content.FunctionCall != nil:
		err = c.pin(ctx, n.Parent, n.Content.FunctionCall)
	case n.Content.ToolDefinition != nil:
		n.Content.ToolDefinition, err = c.define(ctx, n.Content.ToolDefinition)
	case n.Content.ToolResult != nil:
		err = c.answers(ctx, n.Parent, n.Content.ToolResult.Call)
	}
	if err != nil {
		return nil, err
	}
	return Seal(n)
}

func (c Compiler) pin(ctx context.Context, parent canon.TaskID, call *FunctionCall) error {
	revision, inline, err := c.resolve(ctx, parent, call)
	if err != nil {
		return fault.Wrap(fault.NotFound, err, "draft")
	}
	if revision.Name() != call.Name {
		return fault.At(fault.InvalidDraft, "$.content.functionCall.tool",
			"draft: $.content.functionCall.tool: revision %s is named %q, not %.80q", revision.ID(), revision.Name(), call.Name)
	}
	if err := c.Tools.Permit(ctx, revision.ID()); err != nil {
		return err
	}
	call.Tool = revision.ID()
	if call.Arguments, err = Arguments(call.Arguments, c.Limits); err != nil {
		return err
	}
	if err := revision.CheckArguments(call.Arguments); err != nil {
		return fault.Wrap(fault.InvalidArguments, err, "arguments of %q", call.Name)
	}
	return c.settle(ctx, call, revision, inline)
}

// Invocation is what a call of a name would be pinned to below a node: a revision, and its settings, the zero id for none. Errors: not_found, denied.
func (c Compiler) Invocation(ctx context.Context, parent canon.TaskID, name string) (id canon.ToolID, settings canon.SettingsID, err error) {
	call := &FunctionCall{Name: name}
	revision, from, err := c.resolve(ctx, parent, call)
	if err == nil {
		err = c.Tools.Permit(ctx, revision.ID())
	}
	if err == nil && (from == nil || from.Revision == nil) {
		var current *tool.Settings
		if current, err = c.Tools.Current(ctx, revision.ID()); current != nil {
			settings = current.ID
		}
	}
	if err != nil {
		return id, settings, err
	}
	return revision.ID(), settings, nil
}

// resolve returns the revision that a draft's call means, and the lexical tool that it came from, if it did.
func (c Compiler) resolve(ctx context.Context, parent canon.TaskID, call *FunctionCall) (*tool.Revision, *Lexical, error) {
	scope, err := c.Scopes.Below(ctx, parent)
	if err != nil {
		return nil, nil, err
	}
	found, name := scope.ByName(call.Name), call.Name
	if !call.Tool.IsZero() {
		found, name = scope.ByPin(call.Tool, call.Name), call.Tool.String()
	}
	switch {
	case found == nil:
		revision, err := c.Tools.Lookup(ctx, name)
		return revision, nil, err
	case found.Revision == nil:
		revision, err := c.Tools.Lookup(ctx, found.Tool.String())
		if err == nil {
			err = found.Fits(revision)
		}
		return revision, found, err
	}
	return found.Revision, found, nil
}

// settle pins the settings: those that the draft names, else the current ones of an installed revision. A definition that stands in
// the chat has none, not even when its bytes equal an installed one: nobody gave it any.
func (c Compiler) settle(ctx context.Context, call *FunctionCall, revision *tool.Revision, from *Lexical) error {
	const path = "$.content.functionCall.settings"
	var settings *tool.Settings
	var err error
	switch installed := from == nil || from.Revision == nil; {
	case !call.Settings.IsZero() && !installed:
		return fault.At(fault.InvalidDraft, path, "draft: %s: tool %q is defined in the chat and has no settings", path, call.Name)
	case !call.Settings.IsZero():
		if settings, err = c.Tools.Settings(ctx, call.Settings); err == nil && settings.Revision != revision.ID() {
			err = fault.At(fault.InvalidDraft, path, "%s: settings %s are of revision %s", path, settings.ID, settings.Revision)
		}
	case installed:
		settings, err = c.Tools.Current(ctx, revision.ID())
	}
	if err != nil {
		return fault.Wrap(fault.InvalidDraft, err, "draft")
	}
	if settings != nil {
		call.Settings = settings.ID
	}
	return revision.CheckSettings(settings)
}

// define brings a lexical tool into its pinned form: a definition in normal form whose code is accepted, or a name for a revision
// that is there.
func (c Compiler) define(ctx context.Context, tree map[string]any) (map[string]any, error) {
	if _, bound := tree["tool"]; bound {
		b, err := readBinding(tree, fault.InvalidDraft)
		if err != nil {
			return nil, err
		}
		revision, err := c.Tools.Lookup(ctx, b.Tool.String())
		if err != nil {
			return nil, fault.Wrap(fault.NotFound, err, "draft: %s.tool", definitionPath)
		}
		if b.Name != "" && b.Name != revision.Name() {
			return nil, fault.At(fault.InvalidDraft, definitionPath+".name", "draft: %s.name: revision %s is named %q", definitionPath, b.Tool, revision.Name())
		}
		return map[string]any{"name": revision.Name(), "tool": b.Tool.String()}, sandboxed(revision, fault.InvalidDraft)
	}
	text, err := canon.Encode(tree)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidDraft, err, "draft: %s", definitionPath)
	}
	d, err := tool.Read(text, c.Limits)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidDraft, err, "draft: %s", definitionPath)
	}
	revision, err := tool.Freeze(d)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidDraft, err, "draft: %s", definitionPath)
	}
	if err := sandboxed(revision, fault.InvalidDraft); err != nil {
		return nil, err
	}
	if err := c.Tools.Permit(ctx, revision.ID()); err != nil {
		return nil, err
	}
	if err := revision.CheckSettings(nil); err != nil {
		return nil, fault.New(fault.InvalidSettings, "draft: %s: a tool that is defined in a chat has no settings, and this one requires some", definitionPath)
	}
	if err := c.Tools.Accept(ctx, revision); err != nil {
		return nil, err
	}
	normal, err := canon.Decode([]byte(revision.Bytes()), nodeNesting)
	if err != nil {
		return nil, err
	}
	return normal.(map[string]any), nil
}

// answers holds that a tool result is of a call among its ancestors.
func (c Compiler) answers(ctx context.Context, parent, call canon.TaskID) error {
	t, err := c.Scopes.ancestor(ctx, parent, call)
	if err != nil {
		return fault.Wrap(fault.NotFound, err, "draft")
	}
	if t == nil || !t.Executable() {
		return fault.At(fault.InvalidDraft, "$.content.toolResult.call", "draft: $.content.toolResult.call: %s is no function call among the ancestors", call)
	}
	return nil
}

// Arguments takes what models send: an object, JSON text of one, or nothing at all, which means no arguments.
func Arguments(given any, l limits.Limits) (any, error) {
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
