package archive

import (
	"context"
	"maps"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// found is one item of a text that is no archive: a definition or a node.
type found struct {
	at   Place
	tree map[string]any
	id   string // the key it stood under, where the list was an object
}

// olderNesting leaves room for arguments' own 64 levels in a node in a list.
const olderNesting = 64 + 16

// wrappers are the names under which a list of nodes or definitions is looked for, in this order.
var wrappers = []string{"tools", "functions", "tasks", "taskNodes", "nodes", "docs", "messages"}

// older takes definitions and nodes, which may stand side by side: one, a JSON list, a list inside an object, or one a line.
func (i *importer) older(ctx context.Context, text []byte) error {
	if most := valuesOfTask * i.Limits.ArchiveTasks; weight(text) > most {
		return fault.New(fault.TooLarge, "archive: consists of more than %d values; split it, or raise the limit archiveTasks", most)
	}
	items, err := i.items(ctx, text)
	if err != nil {
		return err
	}
	if len(items) > i.Limits.ArchiveTasks {
		return tooMany(i.Limits.ArchiveTasks)
	}
	o := &older{importer: i, tools: map[string]*tool.Revision{}, active: map[string]*tool.Revision{}}
	for k, f := range items {
		items[k].tree = nil // a node keeps what it needs of it
		if err := ctx.Err(); err != nil {
			return err
		}
		switch {
		case isNode(f.tree):
			o.nodes = append(o.nodes, readNode(f))
		case isDefinition(f.tree):
			err = o.definition(ctx, f.at, f.tree)
		default:
			err = i.report.refuse(f.at, fault.New(fault.InvalidRequest, "item: is neither a tool definition nor a task node"))
		}
		if err != nil {
			return err
		}
	}
	return o.chat(ctx)
}

// Decoding makes much of little: about 40 bytes of a value, and objectWeight times that of an object. A task has valuesOfTask of such
// units on average.
const (
	objectWeight = 8
	valuesOfTask = 32
)

// weight counts the values of a text before it is decoded, an object as objectWeight more. Of a text that is not JSON it counts no
// fewer than are decoded before that shows.
func weight(text []byte) int {
	values, quoted := 1, false
	for at := 0; at < len(text); at++ {
		switch c := text[at]; {
		case c == '\n':
			quoted = false // no string goes on behind its line, and what one line hides the next does not
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\' && at+1 < len(text) && text[at+1] != '\n':
			at++
		case quoted:
		case c == ',', c == '[':
			values++
		case c == '{':
			values += 1 + objectWeight
		}
	}
	return values
}

func isNode(tree map[string]any) bool {
	_, holds := tree["content"]
	return holds
}

func isDefinition(tree map[string]any) bool {
	_, named := tree["name"].(string)
	_, short := tree["code"]
	_, full := tree["implementation"]
	return named && (short || full)
}

// items finds the list in a text.
func (i *importer) items(ctx context.Context, text []byte) ([]found, error) {
	tree, err := canon.Decode(text, olderNesting)
	if err != nil {
		if items, lined := i.itemLines(ctx, text); lined {
			return items, headless(items)
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		return nil, fault.Wrap(fault.InvalidJSON, err, "archive")
	}
	items, listed := i.list(tree, nil)
	if object, ok := tree.(map[string]any); ok {
		if isNode(object) || isDefinition(object) {
			return []found{{at: Place{Item: 1}, tree: object}}, nil
		}
		for _, name := range wrappers {
			more, one := i.list(object[name], items)
			items, listed = more, listed || one
		}
	}
	if !listed {
		return nil, fault.New(fault.InvalidRequest, "archive: is neither an archive, which begins with its header, nor a tool definition, nor a list of tasks")
	}
	return items, nil
}

// list appends the items of an array, or of an object that holds nothing but items, by its keys; listed tells whether it is one.
func (i *importer) list(tree any, items []found) (all []found, listed bool) {
	add := func(id string, v any) {
		object, _ := v.(map[string]any) // what is none is refused later, with its place
		items = append(items, found{Place{Item: len(items) + 1}, object, id})
	}
	switch tree := tree.(type) {
	case []any:
		for _, v := range tree {
			add("", v)
		}
		return items, true
	case map[string]any:
		if !holdsItems(tree) {
			return items, false
		}
		for _, id := range slices.Sorted(maps.Keys(tree)) {
			add(id, tree[id])
		}
		return items, true
	}
	return items, false
}

func holdsItems(tree map[string]any) bool {
	for _, v := range tree {
		if object, ok := v.(map[string]any); !ok || !isNode(object) && !isDefinition(object) {
			return false
		}
	}
	return len(tree) > 0
}

// itemLines reads one item a line. It is no such text when its first line is no object by itself, or its only line.
func (i *importer) itemLines(ctx context.Context, text []byte) (items []found, lined bool) {
	count := 0
	for n, line := range lines(text) {
		if ctx.Err() != nil || len(items) > i.Limits.ArchiveTasks {
			break // the caller looks for both
		}
		tree, err := canon.Decode(line, olderNesting)
		object, ok := tree.(map[string]any)
		if count++; count == 1 && !ok {
			return nil, false
		}
		switch {
		case ok:
			items = append(items, found{at: Place{Line: n}, tree: object})
		case err != nil:
			_ = i.report.refuse(Place{Line: n}, err) // what is no JSON is never an error of ours
		default:
			items = append(items, found{at: Place{Line: n}})
		}
	}
	return items, count > 1
}

// headless refuses an archive that has lost its first line: nothing says which version the rest is of.
func headless(items []found) error {
	if len(items) == 0 || isNode(items[0].tree) {
		return nil
	}
	switch said, _ := items[0].tree["kind"].(string); kind(said) {
	case revisionKind, taskKind, recordKind:
		return fault.New(fault.InvalidRequest, `archive: its first line is not the header, {"taskyon":"archive","version":1}`)
	}
	return nil
}

// definition installs a definition in full or short form, and remembers it for the calls of the same text.
func (o *older) definition(ctx context.Context, at Place, tree any) error {
	err := o.install(ctx, tree)
	if err == nil {
		return nil
	}
	return o.report.refuse(at, err)
}

func (o *older) install(ctx context.Context, tree any) error {
	text, err := canon.Encode(tree)
	if err != nil {
		return err
	}
	d, err := tool.Read(text, o.Limits)
	if err != nil {
		return err
	}
	revision, err := tool.Freeze(d)
	if err != nil {
		return err
	}
	err = o.keepRevision(ctx, revision)
	// A call of a blocked tool is a call of that tool all the same: it comes in and does not run.
	if err == nil || fault.CodeOf(o.Registry.Permit(ctx, revision.ID())) == fault.Denied {
		o.tools[d.Name] = revision
	}
	return err
}
