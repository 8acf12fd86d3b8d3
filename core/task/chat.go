package task

import "github.com/xyntopia/taskyon-sandbox/core/canon"

// Messages are the nodes of a lineage that a model reads, in order: messages, calls, results and files. Definitions of tools and
// requests for a completion are none.
func Messages(lineage []*Task) []*Task {
	out := make([]*Task, 0, len(lineage))
	for _, t := range lineage {
		if t.Content.ToolDefinition == nil && t.Content.ChatCompletion == nil {
			out = append(out, t)
		}
	}
	return out
}

// Ordinary copies a lineage without its toolDefinition nodes: the same chat, for a place where those tools are not to be seen. A
// node below one that was left out has another parent and so another id, and results follow their calls; nodes above keep theirs.
// A copied call keeps its pin, and runs only where that revision is.
func Ordinary(lineage []*Task) ([]*Task, error) {
	moved := map[canon.TaskID]canon.TaskID{}
	out := make([]*Task, 0, len(lineage))
	for _, t := range lineage {
		parent := t.Parent
		if to, changed := moved[parent]; changed {
			parent = to
		}
		if t.Content.ToolDefinition != nil {
			moved[t.ID] = parent
			continue
		}
		n := t.Node
		n.Parent = parent
		if r := n.Content.ToolResult; r != nil {
			if to, changed := moved[r.Call]; changed {
				copied := *r
				copied.Call = to
				n.Content.ToolResult = &copied
			}
		}
		c, err := Seal(n)
		if err != nil {
			return nil, err
		}
		if c.ID != t.ID {
			moved[t.ID] = c.ID
		}
		out = append(out, c)
	}
	return out, nil
}
