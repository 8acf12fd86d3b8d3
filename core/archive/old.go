package archive

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// older reads what Taskyon wrote in 2024. A node was
//
//	{ "id": "…", "role": "…", "parentID": "…", "label": ["…"], "content": { one of
//	    "message": "…", "structuredResponse": "…", "uploadedFiles": ["…"],
//	    "functionCall": { "name": "…", "arguments": {…} }, "toolResult": { "result": … or "error": … } } }
//
// and every other field is ignored. Nodes may stand in any order; those whose parent is not there become roots. A node labelled
// `function` holds a definition as its message, which is installed and not activated; the node stays in the chat as it was.
//
//	message, structuredResponse  a message
//	uploadedFiles                one file node per file, one below the other
//	functionCall                 a call pinned to the tool of that name in the same text, the last one, else to the one active here;
//	                             without settings, since nobody noted which it ran with
//	toolResult                   the result of the nearest call above
//
// A call that no tool takes, a result of no pinned call and content that is none of these become messages of the assistant that hold
// their JSON text, with a label that says so: nothing is lost. A node that says nothing is left out, and its children move up. The old
// id is kept as a label, `was:<id>`, before the old labels. One text gives the same tasks each time, in the same registry.
type older struct {
	*importer
	nodes  []node
	tools  map[string]*tool.Revision // of the same text
	active map[string]*tool.Revision // what names mean here; nil for nothing
}

type node struct {
	at         Place
	id, parent string
	role       task.Role
	labels     []string
	content    any
	children   []int
}

func readNode(f found) node {
	n := node{at: f.at, id: asText(f.tree["id"]), parent: asText(f.tree["parentID"]), role: task.Role(asText(f.tree["role"])), content: f.tree["content"]}
	if n.id == "" {
		n.id = f.id
	}
	switch labels := f.tree["label"].(type) {
	case []any:
		for _, label := range labels {
			n.labels = append(n.labels, asText(label))
		}
	case string:
		n.labels = []string{labels}
	}
	return n
}

// asText gives a string as it is, nothing for null, and any other value as its JSON text.
func asText(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, _ := canon.Encode(v) // a decoded tree always encodes
	return string(text)
}

// chat brings the nodes in, tools first, then each below its parent.
func (o *older) chat(ctx context.Context) error {
	for _, n := range o.nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := o.toolNode(ctx, n); err != nil {
			return err
		}
	}
	roots, err := o.link()
	if err != nil {
		return err
	}
	reached := make([]bool, len(o.nodes))
	var waiting []step
	for k := len(roots) - 1; k >= 0; k-- {
		waiting = append(waiting, step{node: roots[k]})
	}
	for len(waiting) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		s := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		reached[s.node] = true
		below, err := o.step(ctx, s)
		if err != nil {
			return err
		}
		children := o.nodes[s.node].children
		for k := len(children) - 1; k >= 0; k-- {
			below.node = children[k]
			waiting = append(waiting, below)
		}
	}
	for k, n := range o.nodes {
		if !reached[k] && !n.twin() {
			if err := o.report.refuse(n.at, fault.New(fault.InvalidTask, "node %.80q: is its own ancestor, or below one that is", n.id)); err != nil {
				return err
			}
		}
	}
	return nil
}

// twin marks a node whose id was given before; link says so.
func (n node) twin() bool { return n.at == Place{} }

// link finds the children of each node and returns the roots, in the order of the text.
func (o *older) link() (roots []int, err error) {
	byID := map[string]int{}
	for k := range o.nodes {
		n := &o.nodes[k]
		if n.id == "" {
			continue
		}
		first, twice := byID[n.id]
		if !twice {
			byID[n.id] = k
			continue
		}
		if err := o.report.refuse(n.at, fault.New(fault.Conflict, "node %.80q: its id was given before, on %s", n.id, o.nodes[first].at)); err != nil {
			return nil, err
		}
		n.at = Place{}
	}
	for k, n := range o.nodes {
		if n.twin() {
			continue
		}
		parent, here := byID[n.parent]
		switch {
		case n.parent != "" && here:
			o.nodes[parent].children = append(o.nodes[parent].children, k)
			continue
		case n.parent != "":
			o.report.note(n.at, n.id, "its parent "+clip(n.parent, task.LongestLabel)+" is not in this file; it became a root")
		}
		roots = append(roots, k)
	}
	return roots, nil
}

// step is a node to be brought in below a task. call is the nearest call above it, if that one is pinned.
type step struct {
	node    int
	parent  canon.TaskID
	call    canon.TaskID
	refused Place // of an ancestor that did not come in
}

// step brings one node in, and says what its children stand below.
func (o *older) step(ctx context.Context, s step) (below step, err error) {
	n := o.nodes[s.node]
	o.nodes[s.node].content, o.nodes[s.node].labels = nil, nil // each node is met once
	if s.refused != (Place{}) {
		return s, o.report.refuse(n.at, fault.New(fault.NotFound, "node %.80q: is below one that was refused", n.id))
	}
	pieces, err := o.convert(ctx, n, s.call)
	if err != nil {
		return s, err
	}
	var labels []string
	if len(pieces) > 0 {
		labels = o.labels(n)
	}
	for k, p := range pieces {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		if err := o.another(); err != nil {
			return s, err
		}
		pieces[k] = piece{} // its tree is not needed twice
		t, err := o.seal(p, labels, s.parent)
		if err == nil {
			err = o.keepTask(ctx, t)
		}
		if err != nil {
			s.refused = n.at
			return s, o.report.refuse(n.at, err)
		}
		s.parent = t.ID
		if p.content.FunctionCall != nil {
			s.call = t.ID
		} else if p.call {
			s.call = canon.TaskID{}
		}
	}
	return s, nil
}

// seal makes a task that could have travelled.
func (o *older) seal(p piece, labels []string, parent canon.TaskID) (*task.Task, error) {
	t, err := task.Seal(task.Node{Role: p.role, Parent: parent, Label: labelled(labels, p.label), Content: p.content})
	if err != nil {
		return nil, err
	}
	text, err := t.JSON()
	if err != nil {
		return nil, err
	}
	return task.Read([]byte(text), o.Limits)
}
