package archive_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// judge accepts every source but those that hold the word broken; of those with the word mute it knows nothing.
type judge struct{}

func (judge) Check(_ context.Context, source string) (tool.Verdict, error) {
	switch {
	case strings.Contains(source, "broken"):
		return tool.Verdict{}, fault.New(fault.InvalidCode, "code: is broken")
	case strings.Contains(source, "mute"):
		return tool.Verdict{}, fault.New(fault.Unavailable, "syntax: is not here")
	}
	return tool.Verdict{Form: "expression", Program: source}, nil
}

// rig is a pair of stores with what stands on them.
type rig struct {
	archive.Archive
	t     testing.TB
	store *counting
	tools *failing
}

// failing is a store of revisions that does not answer when it is told so.
type failing struct {
	registry.Memory
	reads, writes, active, blocks error
	asked                         int // for what a name means
	listed                        int // how often all names were asked for
}

func (f *failing) Revision(ctx context.Context, id canon.ToolID) ([]byte, error) {
	if f.reads != nil {
		return nil, f.reads
	}
	return f.Memory.Revision(ctx, id)
}

func (f *failing) PutRevision(ctx context.Context, id canon.ToolID, name string, bytes []byte) error {
	if f.writes != nil {
		return f.writes
	}
	return f.Memory.PutRevision(ctx, id, name, bytes)
}

func (f *failing) Active(ctx context.Context, name string) (registry.Binding, error) {
	if f.asked++; f.active != nil {
		return registry.Binding{}, f.active
	}
	return f.Memory.Active(ctx, name)
}

func (f *failing) Blocked(ctx context.Context, id canon.ToolID) (registry.Block, error) {
	if f.blocks != nil {
		return registry.Block{}, f.blocks
	}
	return f.Memory.Blocked(ctx, id)
}

func (f *failing) Bound(ctx context.Context) ([]registry.Binding, error) {
	f.listed++
	return f.Memory.Bound(ctx)
}

// counting tells how many changes of tasks a store was asked for.
type counting struct {
	task.Memory
	imports, puts, gets, lineages int
	fails, failsToGet             error
	failsToComplete               error
}

func (c *counting) Lineage(ctx context.Context, id canon.TaskID) ([]*task.Task, error) {
	c.lineages++
	return c.Memory.Lineage(ctx, id)
}

func (c *counting) Complete(ctx context.Context, r *task.Record) error {
	if c.failsToComplete != nil {
		return c.failsToComplete
	}
	return c.Memory.Complete(ctx, r)
}

func (c *counting) Import(ctx context.Context, tasks []*task.Task) error {
	if c.imports++; c.fails != nil {
		return c.fails
	}
	return c.Memory.Import(ctx, tasks)
}

func (c *counting) Get(ctx context.Context, id canon.TaskID) (*task.Task, error) {
	if c.gets++; c.failsToGet != nil {
		return nil, c.failsToGet
	}
	return c.Memory.Get(ctx, id)
}

func (c *counting) Put(ctx context.Context, t *task.Task) error {
	c.puts++
	return c.Memory.Put(ctx, t)
}

func now() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) }

func open(t testing.TB) *rig {
	tools, store := new(failing), new(counting)
	l := limits.Default()
	r := registry.New(registry.Options{Store: tools, Syntax: judge{}, Limits: l, Now: now, Languages: []tool.Language{tool.JavaScript}})
	return &rig{archive.Archive{Registry: r, Tools: tools, Tasks: store, Limits: l}, t, store, tools}
}

const parameters = `"parameters":{"type":"object","properties":{"n":{"type":"number"}},"additionalProperties":false}`

func definition(name, code string) string {
	return `{"name":"` + name + `","description":"","code":"` + code + `",` + parameters + `}`
}

func (r *rig) install(text string, activate bool) *tool.Revision {
	revision, err := r.Registry.Install(r.t.Context(), []byte(text), activate)
	require.NoError(r.t, err)
	return revision
}

// put compiles a draft, as its JSON members without parent, below a task and stores it.
func (r *rig) put(parent canon.TaskID, members string) *task.Task {
	if !parent.IsZero() {
		members += `,"parent":"` + parent.String() + `"`
	}
	c := task.Compiler{Tools: r.Registry, Scopes: task.NewScopes(r.Tasks), Limits: r.Limits}
	made, err := c.Compile(r.t.Context(), []byte(`{`+members+`}`))
	require.NoError(r.t, err)
	require.NoError(r.t, r.Tasks.Put(r.t.Context(), made))
	return made
}

func (r *rig) message(parent canon.TaskID, text string) *task.Task {
	return r.put(parent, `"role":"user","content":{"message":"`+text+`"}`)
}

func (r *rig) call(parent canon.TaskID, name string) *task.Task {
	return r.put(parent, `"role":"function","content":{"functionCall":{"name":"`+name+`","arguments":{"n":1}}}`)
}

func (r *rig) complete(call *task.Task, result any) *task.Record {
	record := &task.Record{Task: call.ID, Tool: call.Content.FunctionCall.Tool, Outcome: task.OK, Result: result, Started: true,
		Isolation: "browser", StartedAt: task.Stamp(now()), DurationMs: 1.5}
	require.NoError(r.t, r.Tasks.Complete(r.t.Context(), record))
	return record
}

func (r *rig) export(id canon.TaskID, o archive.Options) string {
	var text strings.Builder
	require.NoError(r.t, r.Chat(r.t.Context(), id, o, &text))
	return text.String()
}

func (r *rig) take(text string) *archive.Report {
	report, err := r.Import(r.t.Context(), []byte(text))
	require.NoError(r.t, err)
	return report
}

// inert requires that an import has made no name mean anything.
func (r *rig) inert() {
	list, err := r.Registry.List(r.t.Context())
	require.NoError(r.t, err)
	require.Empty(r.t, list)
}

func (r *rig) records(id canon.TaskID) []*task.Record {
	records, err := r.Tasks.Records(r.t.Context(), id)
	require.NoError(r.t, err)
	return records
}

// roots are the tasks without parent.
func (r *rig) roots() []canon.TaskID {
	ids, err := r.Tasks.Children(r.t.Context(), canon.TaskID{})
	require.NoError(r.t, err)
	return ids
}

// story stores a chat with one node of every kind, and returns its root and its last node.
func (r *rig) story() (root, last *task.Task) {
	r.install(definition("sum", "(a) => a.n"), true)
	bound := r.install(definition("bound", "(a) => 0"), false)
	root = r.put(canon.TaskID{}, `"role":"system","label":["start"],"content":{"message":"Be brief. \u2028 é 😀"}`)
	lexical := r.put(root.ID, `"role":"user","content":{"toolDefinition":`+definition("inner", "(a) => 1")+`}`)
	binding := r.put(lexical.ID, `"role":"user","content":{"toolDefinition":{"tool":"`+bound.ID().String()+`"}}`)
	file := r.put(binding.ID, `"role":"user","content":{"file":{"name":"a.txt","mediaType":"text/plain","size":3}}`)
	asked := r.put(file.ID, `"role":"user","content":{"chatCompletion":{"model":"m","options":{"__proto__":{"x":null}}}}`)
	call := r.call(asked.ID, "sum")
	r.complete(call, map[string]any{"$t": "bytes", "v": "AP8="})
	result := r.put(call.ID, `"role":"function","content":{"toolResult":{"call":"`+call.ID.String()+`","outcome":"ok","result":1}}`)
	inner := r.call(result.ID, "inner")
	r.complete(inner, nil)
	last = r.message(inner.ID, "thanks")
	r.message(result.ID, "another way")
	return root, last
}
