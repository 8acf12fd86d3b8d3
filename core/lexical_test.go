package core_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

// node compiles a draft below a parent, "" for a root.
func (f *fixture) node(t *testing.T, parent *task.Task, role, content string) *task.Task {
	compiled, err := f.try(t, parent, role, content)
	require.NoError(t, err)
	return compiled
}

func (f *fixture) try(t *testing.T, parent *task.Task, role, content string) (*task.Task, error) {
	above := ""
	if parent != nil {
		above = `"parent":"` + parent.ID.String() + `",`
	}
	return f.Compile(t.Context(), []byte(`{"role":"`+role+`",`+above+`"content":`+content+`}`))
}

func (f *fixture) define(t *testing.T, parent *task.Task, name, code string) *task.Task {
	return f.node(t, parent, "system", `{"toolDefinition":{"name":"`+name+`","description":"in the chat","code":"`+code+`"}}`)
}

func (f *fixture) call(t *testing.T, parent *task.Task, name string) *task.Task {
	return f.node(t, parent, "function", `{"functionCall":{"name":"`+name+`"}}`)
}

// ran runs a task and returns the program that answered.
func (f *fixture) ran(t *testing.T, of *task.Task) string {
	record := f.record(t, of, core.RunOptions{})
	require.Equal(t, task.OK, record.Outcome, "%+v", record.Error)
	return record.Result.(map[string]any)["program"].(string)
}

func (f *fixture) record(t *testing.T, of *task.Task, o core.RunOptions) *task.Record {
	text, err := of.JSON()
	require.NoError(t, err)
	record, err := f.Run(t.Context(), []byte(text), o)
	require.NoError(t, err)
	return record
}

func TestAToolDefinedInAChatIsSeenBelowItOnlyAndTheNearestWins(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "installed", "")
	root := f.node(t, nil, "user", `{"message":"hi"}`)
	outer := f.define(t, root, "a", "outer")
	beside := f.node(t, root, "user", `{"message":"another branch"}`)
	inner := f.define(t, outer, "a", "inner")
	other := f.define(t, inner, "b", "other")

	require.Equal(t, "installed", f.ran(t, f.call(t, nil, "a")))
	require.Equal(t, "installed", f.ran(t, f.call(t, root, "a")), "the node above does not see it")
	require.Equal(t, "installed", f.ran(t, f.call(t, beside, "a")), "nor does another branch")
	require.Equal(t, "outer", f.ran(t, f.call(t, outer, "a")))
	require.Equal(t, "inner", f.ran(t, f.call(t, inner, "a")))
	require.Equal(t, "inner", f.ran(t, f.call(t, other, "a")))
	require.Equal(t, "other", f.ran(t, f.call(t, other, "b")))

	pinned := f.call(t, other, "a")
	again := f.node(t, other, "function", `{"functionCall":{"name":"a","tool":"`+f.call(t, outer, "a").Pin().String()+`"}}`)
	require.NotEqual(t, pinned.Pin(), again.Pin(), "a draft that names a revision keeps it, also one that is hidden by a nearer one")
	require.Equal(t, "outer", f.ran(t, again))

	_, err := f.try(t, root, "function", `{"functionCall":{"name":"b"}}`)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	for _, id := range []canon.ToolID{pinned.Pin(), again.Pin()} {
		_, err = f.Registry().Revision(t.Context(), id)
		require.Equal(t, fault.NotFound, fault.CodeOf(err), "running does not install it")
	}
	list, err := f.Registry().List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestAToolDefinedInAChatRunsInAnEngineThatOnlyImportedTheChat(t *testing.T) {
	author, other := open(t, echo()), open(t, echo())
	definition := author.define(t, nil, "a", "mine")
	call := author.call(t, definition, "a")
	require.NoError(t, other.Tasks().Import(t.Context(), []*task.Task{definition, call}))
	require.Equal(t, "mine", other.ran(t, call))
}

func TestAToolDefinedInAChatIsSandboxedCodeOrABindingToAnInstalledRevision(t *testing.T) {
	f := open(t, echo())
	old := f.install(t, "a", "old", "")
	f.install(t, "a", "new", "")
	bound := f.node(t, nil, "system", `{"toolDefinition":{"tool":"`+old.ID().String()+`"}}`)
	require.Equal(t, old.ID(), bound.Pin(), "a store knows that the binding pins it")
	require.Equal(t, "old", f.ran(t, f.call(t, bound, "a")), "a binding keeps its revision")

	native := f.installAs(t, `"class":"trusted-native","native":"n","version":"1"`)
	for content, path := range map[string]string{
		`{"toolDefinition":{"name":"n","description":"","implementation":{"class":"trusted-native","native":"n","version":"1"}}}`:      "$.content.toolDefinition",
		`{"toolDefinition":{"name":"n","description":"","implementation":{"class":"external-service","service":"s","operation":"o"}}}`: "$.content.toolDefinition",
		`{"toolDefinition":{"tool":"` + native.ID().String() + `"}}`:                                                                   "$.content.toolDefinition",
		`{"toolDefinition":{"name":"other","tool":"` + old.ID().String() + `"}}`:                                                       "$.content.toolDefinition.name",
		`{"toolDefinition":{"tool":"` + old.ID().String() + `","more":1}}`:                                                             "$.more",
		`{"toolDefinition":{}}`:           "$.name",
		`{"toolDefinition":{"name":"x"}}`: "$.description",
	} {
		_, err := f.try(t, nil, "system", content)
		require.Equal(t, fault.InvalidDraft, fault.CodeOf(recoded(err)), "%s: %v", content, err)
		require.Equal(t, path, fault.From(err).Path, "%s: %v", content, err)
		if tree, decoded := canon.Decode([]byte(content), 64); decoded == nil {
			definition := tree.(map[string]any)["toolDefinition"].(map[string]any)
			forged, sealed := task.Seal(task.Node{Role: task.System, Content: task.Content{ToolDefinition: definition}})
			require.NoError(t, sealed)
			err := f.Tasks().Put(t.Context(), forged)
			if _, bound := definition["tool"]; !bound {
				require.Equal(t, fault.InvalidTask, fault.CodeOf(err), "no store takes %s", content)
			}
		}
	}
	// One definition has one spelling: another one, under another id, is refused at the store's door.
	for _, spelling := range []string{
		`{"name":"a","description":"","parameters":{"type":"object"},"code":"x"}`,
		`{"name":"a","description":"","parameters":{"type":"object"},"needs":{},"implementation":{"class":"sandboxed-code","language":"javascript","code":"x"}}`,
	} {
		tree, err := canon.Decode([]byte(spelling), 64)
		require.NoError(t, err)
		forged, err := task.Seal(task.Node{Role: task.System, Content: task.Content{ToolDefinition: tree.(map[string]any)}})
		require.NoError(t, err)
		require.Equal(t, fault.InvalidTask, fault.CodeOf(f.Tasks().Put(t.Context(), forged)))
	}
}

// recoded takes the codes of definitions for the draft's own.
func recoded(err error) error {
	if fault.CodeOf(err) == fault.InvalidDefinition {
		return fault.New(fault.InvalidDraft, "%s", err)
	}
	return err
}

func TestTheSandboxOfAToolInAChatIsApartAlsoWhenItsBytesAreInstalled(t *testing.T) {
	wall := sandboxtest.New(sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) { p.Say(&protocol.Result{Call: c.Call}) }))
	f := open(t, wall)
	installed := f.install(t, "a", "same", `,"parameters":{"type":"object"}`)
	content := `{"toolDefinition":` + installed.Bytes() + `}`
	one, two := f.node(t, nil, "system", content), f.node(t, nil, "user", content)
	require.NotEqual(t, one.ID, two.ID)
	for _, parent := range []*task.Task{nil, one, two, one, nil, two} {
		call := f.call(t, parent, "a")
		require.Equal(t, installed.ID(), call.Pin())
		require.Equal(t, task.OK, f.record(t, call, core.RunOptions{}).Outcome)
	}
	require.Equal(t, 3, wall.Live())
	require.NoError(t, f.EraseChat(t.Context(), one.ID))
	require.Equal(t, 2, wall.Live(), "what was defined in an erased chat is gone")
}

func TestModelsAndCopiesOfAChatDoNotSeeDefinitions(t *testing.T) {
	f := open(t, echo())
	root := f.node(t, nil, "user", `{"message":"hi"}`)
	definition := f.define(t, root, "a", "mine")
	asked := f.node(t, definition, "assistant", `{"chatCompletion":{"model":"m","options":{"temperature":0}}}`)
	call := f.call(t, asked, "a")
	f.ran(t, call)
	result := f.node(t, call, "function", `{"toolResult":{"call":"`+call.ID.String()+`","outcome":"ok","result":{"n":null}}}`)
	file := f.node(t, result, "user", `{"file":{"name":"a.png","mediaType":"image/png","size":3,"digest":"b3:`+canon.SumFile([]byte("abc")).String()[3:]+`"}}`)

	messages, err := f.Messages(t.Context(), file.ID)
	require.NoError(t, err)
	require.Equal(t, []canon.TaskID{root.ID, call.ID, result.ID, file.ID}, ids(messages))

	copied, err := f.CopyChat(t.Context(), file.ID)
	require.NoError(t, err)
	require.Len(t, copied, 5, "all but the definition")
	require.Equal(t, root.ID, copied[0].ID, "what stands above it is the same")
	require.Equal(t, root.ID, copied[1].Parent)
	require.Equal(t, copied[2].ID, copied[3].Content.ToolResult.Call, "a result follows its call")
	lineage, err := f.Tasks().Lineage(t.Context(), copied[4].ID)
	require.NoError(t, err)
	require.Equal(t, ids(copied), ids(lineage), "the copy is stored")
	require.Equal(t, task.Unavailable, f.record(t, copied[2], core.RunOptions{}).Outcome, "its call keeps its pin, and the tool is not there")
	_, err = f.try(t, copied[4], "function", `{"functionCall":{"name":"a"}}`)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	again, err := f.CopyChat(t.Context(), copied[4].ID)
	require.NoError(t, err)
	require.Equal(t, ids(copied), ids(again), "a chat without definitions is its own copy")
}

func ids(tasks []*task.Task) []canon.TaskID {
	out := make([]canon.TaskID, len(tasks))
	for i, t := range tasks {
		out[i] = t.ID
	}
	return out
}

func TestAProviderIsShownTheToolsThatAPlaceSees(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "installed", "")
	f.install(t, "c", "installed", "")
	blocked := f.install(t, "d", "blocked", "")
	require.NoError(t, f.Registry().Block(t.Context(), blocked.ID(), "bad"))
	f.installAs(t, `"class":"trusted-native","native":"n","version":"1"`)
	definition := f.define(t, f.define(t, nil, "b", "outer"), "a", "mine")

	set, err := f.Signatures(t.Context(), signature.JSONSchema, definition.ID)
	require.NoError(t, err)
	require.JSONEq(t, `[
		{"name":"a","description":"in the chat","parameters":{"type":"object"}},
		{"name":"b","description":"in the chat","parameters":{"type":"object"}},
		{"name":"c","parameters":{"type":"object"}}]`, set.JSON())
	left := map[string]bool{}
	for _, note := range set.Notes() {
		left[note.Tool] = note.Refused
	}
	require.Equal(t, map[string]bool{"d": true, "n": true}, left)

	draft, err := f.ProviderDraft(t.Context(), signature.OpenAIChat, signature.ProviderCall{Name: "a", Arguments: "{}", Parent: definition.ID})
	require.NoError(t, err)
	compiled, err := f.Compile(t.Context(), draft)
	require.NoError(t, err)
	require.Equal(t, "mine", f.ran(t, compiled))
}

func TestAToolResultIsOfACallAboveIt(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "one", "")
	call := f.call(t, nil, "a")
	message := f.node(t, call, "assistant", `{"message":"done"}`)
	result := func(parent, of *task.Task, rest string) error {
		_, err := f.try(t, parent, "function", `{"toolResult":{"call":"`+of.ID.String()+`",`+rest+`}}`)
		return err
	}
	require.NoError(t, result(message, call, `"outcome":"timeout","result":null,"error":"too slow"`))
	for _, err := range []error{
		result(nil, call, `"outcome":"ok","result":1`),
		result(message, message, `"outcome":"ok","result":1`),
		result(message, call, `"outcome":"fine","result":1`),
		result(message, call, `"outcome":"ok","result":1,"error":"no"`),
		result(message, call, `"outcome":"crashed","result":1,"error":"no"`),
		result(message, call, `"outcome":"crashed","result":null`),
	} {
		require.Equal(t, fault.InvalidDraft, fault.CodeOf(err), "%v", err)
	}
}
