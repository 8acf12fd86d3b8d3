package task

import (
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Lexical is a tool that only the descendants of a toolDefinition node see. The node holds either a definition of sandboxed code, in
// normal form, or {name, tool}: a name for a revision that is installed. Neither is ever installed by the node.
type Lexical struct {
	Node     canon.TaskID
	Name     string
	Tool     canon.ToolID
	Revision *tool.Revision // nil for a binding
}

// binding is the form {name, tool}. A draft may leave the name out.
type binding struct {
	Name string       `json:"name,omitempty"`
	Tool canon.ToolID `json:"tool"`
}

const definitionPath = "$.content.toolDefinition"

// lexical reads the content of a pinned toolDefinition node: else invalid_task.
func (n Node) lexical() (Lexical, error) {
	tree := n.Content.ToolDefinition
	if _, bound := tree["tool"]; bound {
		b, err := readBinding(tree, fault.InvalidTask)
		if err == nil && !tool.IsName(b.Name) {
			err = fault.At(fault.InvalidTask, definitionPath+".name", "task: %s.name: %.80q is no name of a tool", definitionPath, b.Name)
		}
		return Lexical{Name: b.Name, Tool: b.Tool}, err
	}
	text, err := canon.Encode(tree)
	if err != nil {
		return Lexical{}, fault.Wrap(fault.InvalidTask, err, "task: %s", definitionPath)
	}
	// Thaw refuses what is not in normal form, so that one definition cannot hide under two ids.
	revision, err := tool.Thaw(canon.SumTool(text), text, limits.Default())
	if err != nil {
		return Lexical{}, &fault.Error{Code: fault.InvalidTask, Path: definitionPath, Message: "task: " + definitionPath + ": " + err.Error()}
	}
	if err := sandboxed(revision, fault.InvalidTask); err != nil {
		return Lexical{}, err
	}
	return Lexical{Name: revision.Name(), Tool: revision.ID(), Revision: revision}, nil
}

// Fits holds a binding to the revision that it names: a node may have come with a chat from anywhere, and text of a chat never
// chooses another name for a tool, nor reaches the host's own code. Else denied.
func (l Lexical) Fits(r *tool.Revision) error {
	if r.Name() != l.Name {
		return fault.New(fault.Denied, "tool %q: the chat binds this name to revision %s, which is %q", l.Name, r.ID(), r.Name())
	}
	return sandboxed(r, fault.Denied)
}

func readBinding(tree map[string]any, code fault.Code) (b binding, err error) {
	if err := canon.Bind(tree, &b, code); err != nil {
		return b, fault.Wrap(code, err, "task: %s", definitionPath)
	}
	return b, nil
}

// sandboxed holds that text from a chat never reaches the host's own code by a name that the chat chose.
func sandboxed(r *tool.Revision, code fault.Code) error {
	if class := r.Definition().Implementation.Class; class != tool.SandboxedCode {
		return fault.At(code, definitionPath, "task: %s: tool %q is of class %s; only sandboxed code may be defined in a chat", definitionPath, r.Name(), class)
	}
	return nil
}

// Scope is what a place in a task tree sees: the lexical tools of the node and its ancestors, the nearest first. It never changes, as
// a lineage never does. The nil scope is empty.
type Scope struct {
	Lexical
	outer *Scope
}

// ByName returns the nearest tool of that name, nil where there is none.
func (s *Scope) ByName(name string) *Lexical {
	for ; s != nil; s = s.outer {
		if s.Name == name {
			return &s.Lexical
		}
	}
	return nil
}

// ByPin returns the nearest tool that is the revision under that name, nil where there is none.
func (s *Scope) ByPin(id canon.ToolID, name string) *Lexical {
	for ; s != nil; s = s.outer {
		if s.Tool == id && s.Name == name {
			return &s.Lexical
		}
	}
	return nil
}

// Visible lists the tools that a name reaches, the nearest first.
func (s *Scope) Visible() []Lexical {
	var all []Lexical
	seen := map[string]bool{}
	for ; s != nil; s = s.outer {
		if !seen[s.Name] {
			seen[s.Name] = true
			all = append(all, s.Lexical)
		}
	}
	return all
}

// Within is the scope below a verified task, which stands in the scope outer.
func Within(outer *Scope, t *Task) (*Scope, error) {
	if t.Content.ToolDefinition == nil {
		return outer, nil
	}
	l, err := t.lexical()
	if err != nil {
		return nil, err
	}
	l.Node = t.ID
	return &Scope{Lexical: l, outer: outer}, nil
}
