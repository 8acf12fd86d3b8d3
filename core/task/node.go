package task

import (
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
	Label   []string     `json:"label,omitempty"` // what an application or an import notes, no more than mostLabels
	Content Content      `json:"content"`
}

// Task is a node under its id.
type Task struct {
	ID canon.TaskID
	Node
	bytes string
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

// Bytes are the RFC 8785 bytes of the node, as text: what ID is the hash of.
func (t *Task) Bytes() string { return t.bytes }

// JSON is the canonical text of `{ id, ...node }`, the form in which tasks travel.
func (t *Task) JSON() (string, error) {
	tree, err := canon.Decode([]byte(t.bytes), nodeNesting)
	if err != nil {
		return "", err
	}
	tree.(map[string]any)["id"] = t.ID.String()
	text, err := canon.Encode(tree)
	return string(text), err
}

// nodeNesting leaves room for the arguments' own 64 levels inside a node.
const nodeNesting = 64 + 8

// Seal names a pinned node by its hash.
func Seal(n Node) (*Task, error) {
	bytes, err := canon.Marshal(n)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidTask, err, "task")
	}
	return &Task{ID: canon.SumTask(bytes), Node: n, bytes: string(bytes)}, nil
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
	return fromTree(id, tree)
}

// Thaw reads a task back from a store; its bytes must hash to the id, else corrupt.
func Thaw(id canon.TaskID, bytes []byte) (*Task, error) {
	tree, err := canon.Decode(bytes, nodeNesting)
	if err != nil {
		return nil, fault.New(fault.Corrupt, "task %s: stored bytes are not it: %s", id, err)
	}
	t, err := fromTree(id, tree)
	if err != nil {
		return nil, fault.New(fault.Corrupt, "task %s: stored bytes are not it: %s", id, err)
	}
	return t, nil
}

func fromTree(id canon.TaskID, tree any) (*Task, error) {
	bytes, err := canon.Encode(tree)
	if err != nil {
		return nil, err
	}
	if got := canon.SumTask(bytes); got != id {
		return nil, fault.At(fault.InvalidTask, "$.id", "task: $.id: names %s, the node hashes to %s", id, got)
	}
	t := &Task{ID: id, bytes: string(bytes)}
	if err := canon.BindNormal(tree, &t.Node, fault.InvalidTask); err != nil {
		return nil, fault.Wrap(fault.InvalidTask, err, "task")
	}
	return t, t.Node.Verify()
}
