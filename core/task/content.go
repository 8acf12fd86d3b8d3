package task

import (
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Content holds exactly one kind.
type Content struct {
	Message        string          `json:"message,omitempty"`
	FunctionCall   *FunctionCall   `json:"functionCall,omitempty"`
	ToolResult     *ToolResult     `json:"toolResult,omitempty"`
	File           *File           `json:"file,omitempty"`
	ToolDefinition map[string]any  `json:"toolDefinition,omitempty"` // see Lexical
	ChatCompletion *ChatCompletion `json:"chatCompletion,omitempty"`
}

// FunctionCall names a tool and its arguments, JSON data where null counts. Tool and Settings are pins.
type FunctionCall struct {
	Name      string           `json:"name"`
	Arguments any              `json:"arguments,omitempty"`
	Tool      canon.ToolID     `json:"tool,omitempty"`
	Settings  canon.SettingsID `json:"settings,omitempty"`
}

// ToolResult is what a call among the node's ancestors gave, for the reader of the chat: a record says more. Result is in tagged
// form and present when ok; else Error says why not.
type ToolResult struct {
	Call    canon.TaskID `json:"call"`
	Outcome Outcome      `json:"outcome"`
	Result  any          `json:"result"`
	Error   string       `json:"error,omitempty"`
}

// File refers to a file by its content, as b3sum names it. An imported reference may know no digest; it proves nothing then.
type File struct {
	Name      string       `json:"name"`
	MediaType string       `json:"mediaType,omitempty"` // RFC 6838
	Size      int          `json:"size,omitempty"`      // bytes
	Digest    canon.FileID `json:"digest,omitempty"`
}

// ChatCompletion asks a model to go on with the chat. It runs nothing here.
type ChatCompletion struct {
	Model   string `json:"model"`
	Options any    `json:"options,omitempty"` // an object, the provider's
}

// What the labels of a node keep to.
const (
	MostLabels   = 16
	LongestLabel = 256 // bytes
)

// kind is one row of the table of contents: which roles may say it, and what its closed type cannot check.
type kind struct {
	name  string
	roles []Role
	check func(n Node, code fault.Code) error
}

// The kinds of a node. messages are said by those who chat, and what runs or defines by any.
var (
	chatters = []Role{System, User, Assistant}
	anybody  = []Role{System, User, Assistant, Function}
	callers  = []Role{Function}
)

// kind returns the kind that the node holds; a sound node holds one.
func (n *Node) kind() (k kind, held int) {
	c := &n.Content
	if c.Message != "" {
		k, held = kind{"message", chatters, nil}, held+1
	}
	if c.FunctionCall != nil {
		k, held = kind{"functionCall", callers, nil}, held+1
	}
	if c.ToolResult != nil {
		k, held = kind{"toolResult", callers, Node.checkResult}, held+1
	}
	if c.File != nil {
		k, held = kind{"file", anybody, Node.checkFile}, held+1
	}
	if c.ToolDefinition != nil {
		k, held = kind{"toolDefinition", anybody, nil}, held+1
	}
	if c.ChatCompletion != nil {
		k, held = kind{"chatCompletion", chatters, Node.checkCompletion}, held+1
	}
	return k, held
}

// Verify checks what the closed types cannot say of a pinned node: one kind of content, a role that fits it, pins where the kind
// needs them, a tool definition that this place may hold.
func (n Node) Verify() error {
	if err := n.shape(fault.InvalidTask); err != nil {
		return err
	}
	if call := n.Content.FunctionCall; call != nil && call.Tool.IsZero() {
		return fault.At(fault.InvalidTask, "$.content.functionCall.tool", "task: $.content.functionCall.tool: missing, an executable task is pinned to a revision")
	}
	if n.Content.ToolDefinition == nil {
		return nil
	}
	_, err := n.lexical()
	return err
}

func (n Node) shape(code fault.Code) error {
	k, held := n.kind()
	if held != 1 {
		return fault.At(code, "$.content", "task: $.content: want exactly one of message, functionCall, toolResult, file, toolDefinition and chatCompletion")
	}
	if len(n.Label) > MostLabels {
		return fault.At(code, "$.label", "task: $.label: %d labels, at most %d", len(n.Label), MostLabels)
	}
	for i, label := range n.Label {
		if label == "" || len(label) > LongestLabel {
			path := canon.Index("$.label", i)
			return fault.At(code, path, "task: %s: %d bytes, want 1 to %d", path, len(label), LongestLabel)
		}
	}
	if err := k.admits(n.Role, code); err != nil {
		return err
	}
	if k.check == nil {
		return nil
	}
	return k.check(n, code)
}

func (k kind) admits(role Role, code fault.Code) error {
	if slices.Contains(k.roles, role) {
		return nil
	}
	want := ""
	for i, allowed := range k.roles {
		switch {
		case i > 0 && i == len(k.roles)-1:
			want += " or "
		case i > 0:
			want += ", "
		}
		want += string(allowed)
	}
	return fault.At(code, "$.role", "task: $.role: a %s has role %s, not %.40q", k.name, want, string(role))
}

func (n Node) checkResult(code fault.Code) error {
	r := n.Content.ToolResult
	switch {
	case !r.Outcome.Known():
		return fault.At(code, "$.content.toolResult.outcome", "task: $.content.toolResult.outcome: %.40q is no outcome", string(r.Outcome))
	case (r.Outcome == OK) != (r.Error == ""):
		return fault.At(code, "$.content.toolResult.error", "task: $.content.toolResult.error: goes with every outcome but ok")
	case r.Outcome != OK && r.Result != nil:
		return fault.At(code, "$.content.toolResult.result", "task: $.content.toolResult.result: goes with outcome ok only")
	case r.Call.IsZero():
		return fault.At(code, "$.content.toolResult.call", "task: $.content.toolResult.call: missing, a result is of a call")
	}
	return nil
}

func (n Node) checkFile(code fault.Code) error {
	f := n.Content.File
	if f.Name == "" {
		return fault.At(code, "$.content.file.name", "task: $.content.file.name: is empty")
	}
	if f.Size < 0 {
		return fault.At(code, "$.content.file.size", "task: $.content.file.size: %d is negative", f.Size)
	}
	return nil
}

func (n Node) checkCompletion(code fault.Code) error {
	c := n.Content.ChatCompletion
	if c.Model == "" {
		return fault.At(code, "$.content.chatCompletion.model", "task: $.content.chatCompletion.model: is empty")
	}
	if _, ok := c.Options.(map[string]any); c.Options != nil && !ok {
		return fault.At(code, "$.content.chatCompletion.options", "task: $.content.chatCompletion.options: must be an object")
	}
	return nil
}
