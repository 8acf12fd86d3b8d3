package task

import (
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// Role says who speaks in a node.
type Role string

const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	Function  Role = "function"
)

// Node is the hashed part of a task, and the shape of a draft. A draft's function call may leave Tool out; a task's may not.
type Node struct {
	Role    Role         `json:"role"`
	Parent  canon.TaskID `json:"parent,omitempty"`
	Label   []string     `json:"label,omitempty"` // what an application or an import notes, no more than MostLabels
	Content Content      `json:"content"`
}

// Task is a node under its id.
type Task struct {
	ID canon.TaskID
	Node
	sealed Sealed
	proven bool // the node that was sealed is sound
}

// Sealed is what a store keeps of a task, as it was when it was hashed: nobody can change it.
type Sealed struct {
	ID, Parent canon.TaskID
	Pin        canon.ToolID // see Task.Pin
	Executable bool
	Bytes      string
}

// Executable tells whether the task can run: it holds a function call.
func (t *Task) Executable() bool { return t.Content.FunctionCall != nil }

// Pin is the one installed revision that the node refers to, the zero id where there is none. A store must know who pins what.
func (t *Task) Pin() canon.ToolID {
	if t.Executable() {
		return t.Content.FunctionCall.Tool
	}
	if text, bound := t.Content.ToolDefinition["tool"].(string); bound {
		id, _ := canon.ParseToolID(text)
		return id
	}
	return canon.ToolID{}
}

// Sealed is the task as it was hashed.
func (t *Task) Sealed() Sealed { return t.sealed }

// Bytes are the RFC 8785 bytes of the node, as text: what ID is the hash of.
func (t *Task) Bytes() string { return t.sealed.Bytes }

// JSON is the canonical text of `{ id, ...node }`, the form in which tasks travel.
func (t *Task) JSON() (string, error) {
	bytes := t.sealed.Bytes
	// In the order of canonical JSON the id stands behind the content, which is first, and before all else.
	if behind, err := t.behindContent(); err == nil && strings.HasPrefix(bytes, `{"content":`) && strings.HasSuffix(bytes, behind) {
		at := len(bytes) - len(behind)
		return bytes[:at] + `,"id":"` + t.sealed.ID.String() + `"` + behind, nil
	}
	tree, err := canon.Decode([]byte(bytes), nodeNesting)
	if err != nil {
		return "", err
	}
	tree.(map[string]any)["id"] = t.sealed.ID.String()
	text, err := canon.Encode(tree)
	return string(text), err
}

// behindContent is the part of the bytes that follows the content. Ids and roles are written as they are.
func (t *Task) behindContent() (string, error) {
	text := ""
	if len(t.Label) > 0 {
		label, err := canon.Marshal(t.Label)
		if err != nil {
			return "", err
		}
		text = `,"label":` + string(label)
	}
	if !t.sealed.Parent.IsZero() {
		text += `,"parent":"` + t.sealed.Parent.String() + `"`
	}
	return text + `,"role":"` + string(t.Role) + `"}`, nil
}

// nodeNesting leaves room for the arguments' own 64 levels inside a node.
const (
	dataNesting = 64
	nodeNesting = dataNesting + 8
)

// Seal names a pinned node by its hash.
func Seal(n Node) (*Task, error) {
	bytes, err := canon.Marshal(n)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidTask, err, "task")
	}
	t := &Task{ID: canon.SumTask(bytes), Node: n}
	t.seal(string(bytes))
	// What nests deeper than can be read back is no task for a store, which looks itself where nothing is proven.
	t.proven = !nests(n.Content.FunctionCall, n.Content.ToolResult, n.Content.ChatCompletion) && n.Verify() == nil
	return t, nil
}

// nests tells whether the data of a node may go deeper than the bound of arguments and results.
func nests(call *FunctionCall, result *ToolResult, completion *ChatCompletion) bool {
	switch {
	case call != nil:
		return deeper(call.Arguments, dataNesting)
	case result != nil:
		return deeper(result.Result, dataNesting)
	case completion != nil:
		return deeper(completion.Options, dataNesting)
	}
	return false
}

func deeper(v any, left int) bool {
	switch v := v.(type) {
	case nil, bool, float64, string:
		return false
	case []any:
		return left == 0 || slices.ContainsFunc(v, func(item any) bool { return deeper(item, left-1) })
	case map[string]any:
		if left == 0 {
			return true
		}
		for _, item := range v {
			if deeper(item, left-1) {
				return true
			}
		}
		return false
	}
	return true // no tree: whatever it is written as, nothing is known of it
}

func (t *Task) seal(bytes string) {
	t.sealed = Sealed{ID: t.ID, Parent: t.Parent, Pin: t.Pin(), Executable: t.Executable(), Bytes: bytes}
}

// Read takes a task as it travels and accepts it only when its id is the hash of the rest: else invalid_task.
func Read(text []byte, l limits.Limits) (*Task, error) {
	if most := l.ArgumentsBytes + 1<<20; len(text) > most {
		return nil, fault.New(fault.TooLarge, "task: %d bytes, at most %d", len(text), most)
	}
	tree, err := canon.Decode(text, nodeNesting)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidJSON, err, "task")
	}
	fields, ok := tree.(map[string]any)
	if !ok {
		return nil, fault.New(fault.InvalidTask, "task: want an object")
	}
	claimed, _ := fields["id"].(string)
	id, err := canon.ParseTaskID(claimed)
	if err != nil {
		return nil, fault.At(fault.InvalidTask, "$.id", "task: $.id: %q is no task id; compile the draft first", claimed)
	}
	delete(fields, "id")
	bytes, err := canon.Encode(tree)
	if err != nil {
		return nil, err
	}
	if got := canon.SumTask(bytes); got != id {
		return nil, fault.At(fault.InvalidTask, "$.id", "task: $.id: names %s, the node hashes to %s", id, got)
	}
	return fromTree(id, tree, string(bytes))
}

// Thaw reads a task back from a store; its bytes must hash to the id, else corrupt.
func Thaw(id canon.TaskID, bytes []byte) (*Task, error) {
	if got := canon.SumTask(bytes); got != id {
		return nil, fault.New(fault.Corrupt, "task %s: stored bytes are not it: they hash to %s", id, got)
	}
	tree, err := canon.Decode(bytes, nodeNesting)
	if err != nil {
		return nil, fault.New(fault.Corrupt, "task %s: stored bytes are not it: %s", id, err)
	}
	t, err := fromTree(id, tree, string(bytes))
	if err != nil {
		return nil, fault.New(fault.Corrupt, "task %s: stored bytes are not it: %s", id, err)
	}
	return t, nil
}

// fromTree makes the task of a tree whose bytes hash to the id.
func fromTree(id canon.TaskID, tree any, bytes string) (*Task, error) {
	t := &Task{ID: id}
	if err := canon.BindNormal(tree, &t.Node, fault.InvalidTask); err != nil {
		return nil, fault.Wrap(fault.InvalidTask, err, "task")
	}
	t.seal(bytes)
	err := t.Node.Verify()
	t.proven = err == nil
	return t, err
}
