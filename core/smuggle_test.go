package core_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

// These tests take what compiling never makes: tasks that somebody else sealed.

func sealed(t *testing.T, n task.Node) *task.Task {
	s, err := task.Seal(n)
	require.NoError(t, err)
	return s
}

// put stores a task as an import does.
func (f *fixture) put(t *testing.T, n task.Node) *task.Task {
	s := sealed(t, n)
	require.NoError(t, f.Tasks().Import(t.Context(), []*task.Task{s}))
	return s
}

func TestAForeignChatNeitherReachesANativeNorNamesAToolAnew(t *testing.T) {
	f := open(t, echo())
	ran := 0
	native := f.register(t, "1", "", func(context.Context, registry.NativeCall) (any, error) { ran++; return nil, nil })
	f.install(t, "weather", "installed", "")
	mail := f.install(t, "mail", "mail", unit)
	f.set(t, mail.ID(), `{"unit":"C"}`)
	for name, id := range map[string]canon.ToolID{"weather": native.ID(), "n": native.ID(), "calculator": mail.ID()} {
		node := f.put(t, task.Node{Role: task.User, Content: task.Content{ToolDefinition: map[string]any{"name": name, "tool": id.String()}}})
		_, err := f.try(t, node, "function", `{"functionCall":{"name":"`+name+`"}}`)
		require.Equal(t, fault.Denied, fault.CodeOf(err), name)
		_, err = f.try(t, node, "function", `{"functionCall":{"name":"`+name+`","tool":"`+id.String()+`"}}`)
		require.Equal(t, fault.Denied, fault.CodeOf(err), name)
		call := f.put(t, task.Node{Role: task.Function, Parent: node.ID, Content: task.Content{FunctionCall: &task.FunctionCall{
			Name: name, Arguments: map[string]any{}, Tool: id}}})
		record := f.record(t, call, core.RunOptions{})
		require.Equal(t, task.Denied, record.Outcome, name)
		require.False(t, record.Started)
		set, err := f.Signatures(t.Context(), signature.JSONSchema, node.ID)
		require.NoError(t, err)
		require.NotContains(t, set.Names(), name, "nor is it shown to a model")
	}
	for name, id := range map[string]canon.ToolID{"weather": native.ID(), "calculator": mail.ID()} {
		call := sealed(t, task.Node{Role: task.Function, Content: task.Content{FunctionCall: &task.FunctionCall{Name: name, Arguments: map[string]any{}, Tool: id}}})
		record := f.record(t, call, core.RunOptions{})
		require.Equal(t, task.Unavailable, record.Outcome, "a task cannot be pinned to a tool of another name")
		require.Contains(t, record.Error.Message, "is")
	}
	require.Zero(t, ran)
	for _, name := range []string{"", "a b", strings.Repeat("x", 65)} {
		node := sealed(t, task.Node{Role: task.User, Content: task.Content{ToolDefinition: map[string]any{"name": name, "tool": mail.ID().String()}}})
		require.Equal(t, fault.InvalidTask, fault.CodeOf(f.Tasks().Put(t.Context(), node)), "%q", name)
	}
	// An honest draft that names a revision is not disturbed by a foreign name for it.
	node := f.put(t, task.Node{Role: task.User, Content: task.Content{ToolDefinition: map[string]any{"name": "zzz", "tool": mail.ID().String()}}})
	f.node(t, node, "function", `{"functionCall":{"name":"mail","tool":"`+mail.ID().String()+`"}}`)
}

func TestAnotherDefinitionDoesNotGetARegisteredFunction(t *testing.T) {
	f := open(t, echo())
	ran := 0
	strict := f.register(t, "1", `,"parameters":{"type":"object","properties":{"path":{"const":"/tmp"}},"required":["path"],"additionalProperties":false}`,
		func(context.Context, registry.NativeCall) (any, error) { ran++; return nil, nil })
	loose, err := f.Install(t.Context(), native("1", ""), true)
	require.NoError(t, err)
	require.NotEqual(t, strict.ID(), loose.ID())
	record := f.record(t, f.node(t, nil, "function", `{"functionCall":{"name":"n","arguments":{"path":"/etc"}}}`), core.RunOptions{})
	require.Equal(t, task.Unavailable, record.Outcome)
	require.Contains(t, record.Error.Message, "registered here for another definition")
	require.Zero(t, ran)
}

func TestNothingOfABlockedRevisionRunsAfterTheBlockNotEvenWhatWaited(t *testing.T) {
	began := make(chan string, 4)
	f := open(t, sandboxtest.New(sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		began <- c.Args.(map[string]any)["n"].(string)
		if c.Args.(map[string]any)["n"] == "second" {
			p.Say(&protocol.Result{Call: c.Call, Value: "ran"})
		}
	})))
	r := f.install(t, "a", "one", "")
	records := make(chan *task.Record, 2)
	for _, n := range []string{"first", "second"} {
		compiled, text := f.compile(t, "a", `{"n":"`+n+`"}`)
		_ = compiled
		go func() {
			record, _ := f.Run(t.Context(), []byte(text), core.RunOptions{})
			records <- record
		}()
		if n == "first" {
			require.Equal(t, "first", <-began)
		}
	}
	require.Eventually(t, func() bool { list := f.Sandboxes().List(); return len(list) == 1 && list[0].Queued == 1 }, time.Second, time.Millisecond)
	require.NoError(t, f.Registry().Block(t.Context(), r.ID(), ""))
	for range 2 {
		require.Equal(t, task.Denied, (<-records).Outcome)
	}
	require.Empty(t, began)
	require.NoError(t, f.Registry().Unblock(t.Context(), r.ID()))
	_, text := f.compile(t, "a", `{"n":"second"}`)
	record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.OK, record.Outcome, "until the block is taken back")
}

// late blocks the revision at the moment at which a run has been let through and is about to begin.
type late struct {
	*registry.Memory
	then func()
}

func (s *late) Settings(ctx context.Context, id canon.SettingsID) ([]byte, error) {
	if s.then != nil {
		s.then()
	}
	return s.Memory.Settings(ctx, id)
}

func TestABlockThatComesWhileARunBeginsStopsIt(t *testing.T) {
	for _, class := range []string{"sandboxed", "native"} {
		t.Run(class, func(t *testing.T) {
			f := open(t, given())
			store := &late{Memory: f.tools}
			ports := f.ports(given())
			ports.Tools = store
			f.Engine = core.New(ports)
			t.Cleanup(f.Close)
			ran := false
			var id canon.ToolID
			if class == "native" {
				id = f.register(t, "1", unit, func(context.Context, registry.NativeCall) (any, error) { ran = true; return nil, nil }).ID()
			} else {
				id = f.install(t, "n", "one", unit).ID()
			}
			f.set(t, id, `{"unit":"C"}`)
			call := f.call(t, nil, "n")
			f.Registry().Forget() // so that the settings are read from the store
			store.then = func() {
				store.then = nil
				require.NoError(t, f.Registry().Block(t.Context(), id, ""))
			}
			record := f.record(t, call, core.RunOptions{})
			require.Equal(t, task.Denied, record.Outcome)
			require.False(t, record.Started)
			require.False(t, ran)
		})
	}
}

func TestClearingEndsNativesAndLetsThemBeRegisteredAgain(t *testing.T) {
	f := open(t, echo())
	began, told := make(chan struct{}), make(chan struct{})
	fn := func(ctx context.Context, _ registry.NativeCall) (any, error) {
		close(began)
		<-ctx.Done()
		close(told)
		return nil, nil
	}
	f.register(t, "1", "", fn)
	text, err := f.call(t, nil, "n").JSON()
	require.NoError(t, err)
	records := make(chan *task.Record)
	go func() {
		record, _ := f.Run(t.Context(), []byte(text), core.RunOptions{})
		records <- record
	}()
	<-began
	require.NoError(t, f.Clear(t.Context()))
	<-told
	record := <-records
	require.NotNil(t, record, "the caller has a record, also when its task was erased")
	require.Equal(t, task.Aborted, record.Outcome)
	f.register(t, "1", "", fn)
}

func TestAnErasedNativeMayBeRegisteredAgain(t *testing.T) {
	f := open(t, echo())
	fn := func(context.Context, registry.NativeCall) (any, error) { return nil, nil }
	r := f.register(t, "1", "", fn)
	require.NoError(t, f.Registry().Remove(t.Context(), "n"))
	require.NoError(t, f.EraseTool(t.Context(), r.ID()))
	f.register(t, "1", "", fn)
}

func TestAToolResultHoldsAValueThatCanBeRead(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "one", "")
	call := f.call(t, nil, "a")
	for result, ok := range map[string]bool{`{"$t":"bytes","v":"AA=="}`: true, `{"$t":"money"}`: false, `{"$t":"date","v":"soon"}`: false} {
		_, err := f.try(t, call, "function", `{"toolResult":{"call":"`+call.ID.String()+`","outcome":"ok","result":`+result+`}}`)
		if ok {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, fault.InvalidDraft, fault.CodeOf(err), result)
		require.Equal(t, "$.content.toolResult.result", fault.From(err).Path)
	}
}
