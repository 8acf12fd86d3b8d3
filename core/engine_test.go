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
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

type anything struct{}

func (anything) Check(_ context.Context, source string) (tool.Verdict, error) {
	return tool.Verdict{Form: "expression", Program: source}, nil
}

// echo answers each call with the program it was started with and the arguments of the call.
func echo() *sandboxtest.Wall {
	return sandboxtest.New(func(p *sandboxtest.Place, m protocol.Message) {
		switch m := m.(type) {
		case *protocol.Start:
			p.State = m.Program
			p.Say(&protocol.Ready{Version: protocol.Version})
		case *protocol.Call:
			p.Say(&protocol.Result{Call: m.Call, Value: map[string]any{"program": p.State, "args": m.Args}})
		}
	})
}

type fixture struct {
	*core.Engine
	tools *registry.Memory
	tasks *task.Memory
	ended int
}

func open(t *testing.T, wall sandbox.Wall) *fixture {
	f := &fixture{tools: new(registry.Memory), tasks: new(task.Memory)}
	f.Engine = core.New(f.ports(wall))
	t.Cleanup(f.Close)
	return f
}

func (f *fixture) ports(wall sandbox.Wall) core.Ports {
	return core.Ports{Wall: wall, Isolation: "test", Syntax: anything{}, Tools: f.tools, Tasks: f.tasks,
		Clock: sandbox.SystemClock{}, Limits: limits.Default(), OnClose: func() { f.ended++ }}
}

func (f *fixture) install(t *testing.T, name, code, more string) *tool.Revision {
	r, err := f.Install(t.Context(), []byte(`{"name":"`+name+`","description":"","implementation":{"class":"sandboxed-code","language":"javascript","code":"`+code+`"}`+more+`}`), true)
	require.NoError(t, err)
	return r
}

func (f *fixture) compile(t *testing.T, name, args string) (*task.Task, string) {
	compiled, err := f.Compile(t.Context(), []byte(`{"role":"function","content":{"functionCall":{"name":"`+name+`","arguments":`+args+`}}}`))
	require.NoError(t, err)
	text, err := compiled.JSON()
	require.NoError(t, err)
	return compiled, text
}

func TestATaskKeepsItsRevisionWhateverBecomesActiveLater(t *testing.T) {
	f := open(t, echo())
	one := f.install(t, "a", "one", "")
	old, text := f.compile(t, "a", `{"$t":1,"n":null}`)
	two := f.install(t, "a", "two", "")
	fresh, freshText := f.compile(t, "a", `{}`)
	require.Equal(t, one.ID(), old.Content.FunctionCall.Tool)
	require.Equal(t, two.ID(), fresh.Content.FunctionCall.Tool)

	record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.OK, record.Outcome, "%+v", record.Error)
	require.Equal(t, map[string]any{"program": "one", "args": map[string]any{"$$t": 1.0, "n": nil}}, record.Result, "keys that look like tags are doubled")
	require.Equal(t, one.ID(), record.Tool)
	require.Equal(t, "test", record.Isolation)
	record, err = f.Run(t.Context(), []byte(freshText), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, "two", record.Result.(map[string]any)["program"])
	records, err := f.tasks.Records(t.Context(), old.ID)
	require.NoError(t, err)
	require.Len(t, records, 1)
}

func TestRunTakesOnlyATaskThatIsWhatItsIDSays(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "one", "")
	_, text := f.compile(t, "a", `{"n":1}`)
	message, err := f.Compile(t.Context(), []byte(`{"role":"user","content":{"message":"hi"}}`))
	require.NoError(t, err)
	messageText, err := message.JSON()
	require.NoError(t, err)
	for _, bad := range []string{strings.Replace(text, `"n":1`, `"n":2`, 1), messageText, `{}`, `[]`} {
		_, err := f.Run(t.Context(), []byte(bad), core.RunOptions{})
		require.Equal(t, fault.InvalidTask, fault.CodeOf(err), bad)
	}
	_, err = f.Run(t.Context(), []byte(`{`), core.RunOptions{})
	require.Equal(t, fault.InvalidJSON, fault.CodeOf(err))
}

func TestAnImportedTaskIsCheckedAgainAndStored(t *testing.T) {
	author, other := open(t, echo()), open(t, echo())
	author.install(t, "a", "one", "")
	compiled, text := author.compile(t, "a", `{"n":1}`)

	record, err := other.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.Unavailable, record.Outcome, "the revision is not installed there")
	require.Equal(t, compiled.Content.FunctionCall.Tool, record.Tool)
	require.False(t, record.Started)

	strict := other.install(t, "a", "one", `,"parameters":{"type":"object","required":["m"]}`)
	forged, err := task.Seal(task.Node{Role: task.Function, Content: task.Content{FunctionCall: &task.FunctionCall{Name: "a", Arguments: map[string]any{"n": 1.0}, Tool: strict.ID()}}})
	require.NoError(t, err)
	forgedText, err := forged.JSON()
	require.NoError(t, err)
	record, err = other.Run(t.Context(), []byte(forgedText), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.InvalidArguments, record.Outcome)
	kept, err := other.Tasks().Get(t.Context(), forged.ID)
	require.NoError(t, err)
	require.Equal(t, forged.ID, kept.ID)
}

func TestADeclaredResultSchemaDecides(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "one", `,"returns":{"type":"object","properties":{"program":{"const":"two"}}}`)
	_, text := f.compile(t, "a", `{}`)
	record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.InvalidResult, record.Outcome)
	require.Equal(t, "$.program", record.Error.Path)
	require.Nil(t, record.Result)
}

func TestTheAuthorsTimeLimitIsNeverAboveTheEngines(t *testing.T) {
	given := make(chan int, 2)
	f := open(t, sandboxtest.New(sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		given <- c.TimeoutMs
		p.Say(&protocol.Result{Call: c.Call})
	})))
	for more, want := range map[string]int{`,"limits":{"timeoutMs":250}`: 250, `,"limits":{"timeoutMs":99999999}`: int(limits.Default().Call.Milliseconds()), ``: 30000} {
		f.install(t, "a", "one", more)
		_, text := f.compile(t, "a", `{}`)
		_, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, want, <-given, more)
	}
}

func TestActivatingARevisionRetiresTheSandboxOfTheOldOne(t *testing.T) {
	wall := echo()
	f := open(t, wall)
	f.install(t, "a", "one", "")
	_, text := f.compile(t, "a", `{}`)
	_, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, 1, wall.Live())
	f.install(t, "a", "two", "")
	require.Eventually(t, func() bool { return wall.Live() == 0 }, time.Second, time.Millisecond)
}

func TestAClosedEngineRefusesAndEndsWhatItsHostOpened(t *testing.T) {
	f := open(t, echo())
	f.Close()
	f.Close()
	require.Equal(t, 1, f.ended)
	_, err := f.Install(t.Context(), []byte(`{}`), true)
	require.Equal(t, fault.Closed, fault.CodeOf(err))
	_, err = f.Compile(t.Context(), []byte(`{}`))
	require.Equal(t, fault.Closed, fault.CodeOf(err))
	_, err = f.Run(t.Context(), []byte(`{}`), core.RunOptions{})
	require.Equal(t, fault.Closed, fault.CodeOf(err))
}

func TestAnAbortedRunIsARecordAndIsKept(t *testing.T) {
	f := open(t, sandboxtest.New(sandboxtest.Tool(func(*sandboxtest.Place, *protocol.Call) {})))
	r := f.install(t, "a", "one", "")
	compiled, text := f.compile(t, "a", `{}`)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	record, err := f.Run(ctx, []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.Aborted, record.Outcome)
	records, err := f.tasks.Records(t.Context(), compiled.ID)
	require.NoError(t, err)
	require.Len(t, records, 1)
	require.Equal(t, r.ID(), records[0].Tool)
	require.NotEqual(t, canon.TaskID{}, records[0].Task)
}

func TestAStringDeclaredAsBase64ArrivesAsBytes(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "one", `,"parameters":{"type":"object","properties":{"image":{"type":"string","contentEncoding":"base64"},
		"$list":{"type":"array","items":{"$ref":"#/$defs/b"}},"text":{"type":"string"}},"$defs":{"b":{"type":"string","contentEncoding":"base64"}}}`)
	_, text := f.compile(t, "a", `{"image":"AP8=","$list":["AA==",""],"text":"AP8=","other":"AP8="}`)
	record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	bytes := func(text string) any { return map[string]any{"$t": "bytes", "v": text} }
	require.Equal(t, map[string]any{"image": bytes("AP8="), "$$list": []any{bytes("AA=="), bytes("")}, "text": "AP8=", "other": "AP8="},
		record.Result.(map[string]any)["args"])
	_, err = f.Compile(t.Context(), []byte(`{"role":"function","content":{"functionCall":{"name":"a","arguments":{"$list":["AA==","AA"]}}}}`))
	require.Equal(t, fault.InvalidArguments, fault.CodeOf(err))
	require.Equal(t, `$.$list[1]`, fault.From(err).Path)
}
