package archive

import (
	"context"
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// The labels that a conversion adds. A node has task.MostLabels at most, none longer than task.LongestLabel bytes.
const (
	wasLabel       = "was:"
	callLabel      = "call-not-pinned"
	resultLabel    = "result-of-no-call"
	contentLabel   = "content-not-known"
	functionLabel  = "function"
	mostFiles      = 256 // of one node
	noSuchToolHere = "no tool of that name is in the file or active here"
)

// piece is one task that an old node becomes.
type piece struct {
	role    task.Role
	content task.Content
	label   string
	call    bool // it was a call, pinned or not
}

func message(role task.Role, text, label string) piece {
	return piece{role: role, content: task.Content{Message: text}, label: label}
}

// asJSON keeps content that cannot become what it was.
func asJSON(name string, v any, label string) piece {
	return message(task.Assistant, asText(map[string]any{name: v}), label)
}

// convert gives the pieces of a node, one below the other. A content of several kinds gives all of them.
func (o *older) convert(ctx context.Context, n node, call canon.TaskID) ([]piece, error) {
	content, ok := n.content.(map[string]any)
	if !ok {
		content = map[string]any{"message": n.content}
	}
	held := func(name string) bool { return content[name] != nil }
	var pieces []piece
	for _, name := range []string{"message", "structuredResponse"} {
		if text := asText(content[name]); text != "" {
			role := o.speaker(n)
			if name == "structuredResponse" {
				role = task.Assistant
			}
			pieces = append(pieces, message(role, text, ""))
		}
	}
	if held("uploadedFiles") {
		pieces = append(pieces, o.files(n, content["uploadedFiles"])...)
	}
	if held("functionCall") {
		p, err := o.pin(ctx, n, content["functionCall"])
		if err != nil {
			return nil, err
		}
		pieces = append(pieces, p)
		call = canon.TaskID{} // a result in the same node would be of this call, whose id is not known yet
	}
	if held("toolResult") {
		pieces = append(pieces, o.result(n, content["toolResult"], call))
	}
	if len(pieces) > 0 {
		return pieces, nil
	}
	if strange(content) {
		o.report.note(n.at, n.id, "its content is of no kind that is known; it became a message that holds it as JSON")
		return []piece{message(task.Assistant, asText(content), contentLabel)}, nil
	}
	o.report.note(n.at, n.id, "it says nothing and was left out")
	return nil, nil
}

// strange tells whether a content holds something beside empty known kinds.
func strange(content map[string]any) bool {
	for name, v := range content {
		if v != nil && !slices.Contains([]string{"message", "structuredResponse", "uploadedFiles"}, name) {
			return true
		}
	}
	return false
}

// speaker is the role of a message.
func (o *older) speaker(n node) task.Role {
	switch n.role {
	case task.System, task.User, task.Assistant:
		return n.role
	}
	o.report.note(n.at, n.id, "a message does not have the role "+clip(string(n.role), task.LongestLabel)+"; it became the assistant's")
	return task.Assistant
}

// files makes a piece of each file, of mostFiles at most.
func (o *older) files(n node, v any) []piece {
	role := n.role
	switch role {
	case task.System, task.User, task.Assistant, task.Function:
	default:
		role = task.User
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	var pieces []piece
	for _, item := range list {
		if name := asText(item); name != "" {
			if len(pieces) == mostFiles {
				o.report.note(n.at, n.id, "more than 256 files; the rest was left out")
				break
			}
			pieces = append(pieces, piece{role: role, content: task.Content{File: &task.File{Name: name}}})
		}
	}
	return pieces
}

// pin makes the call that a tool takes, else a message.
func (o *older) pin(ctx context.Context, n node, v any) (piece, error) {
	fields, _ := v.(map[string]any)
	name, _ := fields["name"].(string)
	revision, err := o.named(ctx, name)
	if err != nil {
		return piece{}, err
	}
	reason := noSuchToolHere
	if revision != nil {
		args, err := task.Arguments(fields["arguments"], o.Limits)
		if err == nil {
			err = revision.CheckArguments(args)
		}
		if err == nil {
			call := &task.FunctionCall{Name: name, Arguments: args, Tool: revision.ID()}
			return piece{role: task.Function, content: task.Content{FunctionCall: call}, call: true}, nil
		}
		reason = "its arguments are not what the tool takes: " + err.Error()
	}
	o.report.note(n.at, n.id, "the call of "+clip(name, task.LongestLabel)+" became a message: "+reason)
	p := asJSON("functionCall", v, callLabel)
	p.call = true
	return p, nil
}

// named returns the tool that a name means, nil for none.
func (o *older) named(ctx context.Context, name string) (*tool.Revision, error) {
	if revision := o.tools[name]; revision != nil {
		return revision, nil
	}
	if !tool.IsName(name) {
		return nil, nil // nor is an id one
	}
	revision, asked := o.active[name]
	if asked {
		return revision, nil
	}
	revision, err := o.activeHere(ctx, name)
	if err == nil {
		o.active[name] = revision
	}
	return revision, err
}

// activeHere asks the store alone: for a name that means nothing the registry looks for what was meant among all names, and a file
// may hold as many such names as it has calls.
func (o *older) activeHere(ctx context.Context, name string) (*tool.Revision, error) {
	bound, err := o.Tools.Active(ctx, name)
	if err != nil || bound.Revision.IsZero() {
		return nil, err
	}
	revision, err := o.Registry.Revision(ctx, bound.Revision)
	switch fault.CodeOf(err) {
	case "":
	case fault.NotFound, fault.Corrupt:
		return nil, nil
	default:
		return nil, err
	}
	if revision.Name() != name {
		return nil, nil // the binding was changed in the store
	}
	return revision, nil
}

// result makes the result of a call, else a message.
func (o *older) result(n node, v any, call canon.TaskID) piece {
	fields, ok := v.(map[string]any)
	if !ok {
		fields = map[string]any{"result": v}
	}
	r := &task.ToolResult{Call: call, Outcome: task.OK, Error: asText(fields["error"])}
	if r.Error != "" {
		r.Outcome = task.ToolError
	} else {
		r.Result = protocol.FromJSON(fields["result"])
	}
	reason := "there is no pinned call above it"
	if !call.IsZero() {
		err := protocol.CheckValue(r.Result, o.Limits.Nesting)
		if err == nil {
			return piece{role: task.Function, content: task.Content{ToolResult: r}}
		}
		reason = err.Error()
	}
	o.report.note(n.at, n.id, "the result became a message: "+reason)
	return asJSON("toolResult", v, resultLabel)
}

// labels keeps the old id and the old labels as far as a node holds them. All pieces of a node have the same.
func (o *older) labels(n node) []string {
	var kept []string
	add := func(label string) {
		switch {
		case label == "" || slices.Contains(kept, label):
		case len(label) > task.LongestLabel:
			o.report.note(n.at, n.id, "a label of more than 256 bytes was cut")
			kept = append(kept, clip(label, task.LongestLabel))
		default:
			kept = append(kept, label)
		}
	}
	if n.id != "" {
		add(wasLabel + n.id)
	}
	for _, label := range n.labels {
		if len(kept) == task.MostLabels {
			o.report.note(n.at, n.id, "more than 16 labels; the rest was left out")
			break
		}
		add(label)
	}
	return kept
}

// labelled puts what the conversion says behind the old id. Where a node holds no more, the last label makes room.
func labelled(labels []string, extra string) []string {
	if extra == "" || slices.Contains(labels, extra) {
		return labels
	}
	at := 0
	if len(labels) > 0 && strings.HasPrefix(labels[0], wasLabel) {
		at = 1
	}
	all := slices.Insert(slices.Clone(labels), at, extra)
	return all[:min(len(all), task.MostLabels)]
}

// toolNode installs the definition that a node labelled `function` holds.
func (o *older) toolNode(ctx context.Context, n node) error {
	content, _ := n.content.(map[string]any)
	if !slices.Contains(n.labels, functionLabel) || content["functionCall"] != nil || content["toolResult"] != nil {
		return nil
	}
	held := content["structuredResponse"]
	if held == nil {
		held = content["message"]
	}
	if text, ok := held.(string); ok {
		tree, err := canon.Decode([]byte(text), olderNesting)
		if err != nil {
			return o.report.refuse(n.at, fault.Wrap(fault.InvalidJSON, err, "tool of node %.80q", n.id))
		}
		held = tree
	}
	if err := o.install(ctx, held); err != nil {
		return o.report.refuse(n.at, fault.Wrap(fault.InvalidDefinition, err, "tool of node %.80q", n.id))
	}
	return nil
}
