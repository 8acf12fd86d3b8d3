package core_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool/signature"
)

const unit = `,"settings":{"type":"object","properties":{"unit":{"enum":["C","F"]}},"required":["unit"],"additionalProperties":false}`

// given answers each call with the settings that came with it.
func given() *sandboxtest.Wall {
	return sandboxtest.New(sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Result{Call: c.Call, Value: c.Context.Settings})
	}))
}

func (f *fixture) set(t *testing.T, tool canon.ToolID, values string) canon.SettingsID {
	s, err := f.Registry().SetSettings(t.Context(), tool, []byte(values))
	require.NoError(t, err)
	return s.ID
}

func TestATaskIsPinnedToTheSettingsOfItsRevisionAndKeepsThem(t *testing.T) {
	f := open(t, given())
	r := f.install(t, "a", "one", unit)
	_, err := f.try(t, nil, "function", `{"functionCall":{"name":"a"}}`)
	require.Equal(t, fault.InvalidSettings, fault.CodeOf(err), "required settings have to be set first")

	celsius := f.set(t, r.ID(), `{"unit":"C"}`)
	cold := f.call(t, nil, "a")
	require.Equal(t, celsius, cold.Content.FunctionCall.Settings)
	require.Contains(t, cold.Bytes(), celsius.String(), "settings are part of the hash")
	fahrenheit := f.set(t, r.ID(), `{ "unit" : "F" }`)
	require.NotEqual(t, celsius, fahrenheit)
	warm := f.call(t, nil, "a")
	require.Equal(t, map[string]any{"unit": "C"}, f.record(t, cold, core.RunOptions{}).Result)
	require.Equal(t, map[string]any{"unit": "F"}, f.record(t, warm, core.RunOptions{}).Result)
	require.Equal(t, celsius, f.set(t, r.ID(), `{"unit":"C"}`), "equal settings have one id")
	require.Equal(t, cold.ID, f.call(t, nil, "a").ID)
	again := f.node(t, nil, "function", `{"functionCall":{"name":"a","settings":"`+fahrenheit.String()+`"}}`)
	require.Equal(t, warm.ID, again.ID, "a draft may name them")

	history, err := f.Registry().SettingsHistory(t.Context(), r.ID())
	require.NoError(t, err)
	require.Len(t, history, 3)
	require.NoError(t, f.Registry().RemoveSettings(t.Context(), r.ID()))
	_, err = f.try(t, nil, "function", `{"functionCall":{"name":"a"}}`)
	require.Equal(t, fault.InvalidSettings, fault.CodeOf(err))
	require.Equal(t, map[string]any{"unit": "C"}, f.record(t, cold, core.RunOptions{}).Result)
}

func TestSettingsThatDoNotFitAreRefusedAndNeverInheritedByAnotherRevision(t *testing.T) {
	f := open(t, given())
	r := f.install(t, "a", "one", unit)
	for _, values := range []string{`{"unit":"K"}`, `{"unit":"C","more":1}`, `{}`, `[]`, `null`, `"C"`} {
		_, err := f.Registry().SetSettings(t.Context(), r.ID(), []byte(values))
		require.Equal(t, fault.InvalidSettings, fault.CodeOf(err), values)
	}
	for _, values := range []string{`{"unit":"C","unit":"F"}`, `{"unit":"C"} {}`, ``} {
		_, err := f.Registry().SetSettings(t.Context(), r.ID(), []byte(values))
		require.Equal(t, fault.InvalidJSON, fault.CodeOf(err), values)
	}
	of := f.set(t, r.ID(), `{"unit":"C"}`)
	next := f.install(t, "a", "two", unit)
	_, err := f.try(t, nil, "function", `{"functionCall":{"name":"a"}}`)
	require.Equal(t, fault.InvalidSettings, fault.CodeOf(err), "a new revision starts without")
	_, err = f.try(t, nil, "function", `{"functionCall":{"name":"a","settings":"`+of.String()+`"}}`)
	require.Equal(t, fault.InvalidDraft, fault.CodeOf(err), "and is not given the old one's")
	require.Contains(t, err.Error(), r.ID().String())

	// An imported task with somebody else's settings does not run.
	forged, err := task.Seal(task.Node{Role: task.Function, Content: task.Content{FunctionCall: &task.FunctionCall{
		Name: "a", Arguments: map[string]any{}, Tool: next.ID(), Settings: of}}})
	require.NoError(t, err)
	record := f.record(t, forged, core.RunOptions{})
	require.Equal(t, task.Unavailable, record.Outcome)
	require.False(t, record.Started)

	free := f.install(t, "b", "one", "")
	_, err = f.Registry().SetSettings(t.Context(), free.ID(), []byte(`{"unit":"C"}`))
	require.Equal(t, fault.InvalidSettings, fault.CodeOf(err), "a tool that declares none takes none")
	require.Nil(t, f.record(t, f.call(t, nil, "b"), core.RunOptions{}).Result)
}

func TestAToolInAChatGetsNoSettingsOfAnInstalledOneWithEqualBytes(t *testing.T) {
	f := open(t, given())
	r := f.install(t, "a", "one", strings.Replace(unit, `"required":["unit"],`, "", 1))
	secret := f.set(t, r.ID(), `{"unit":"F"}`)
	definition := f.node(t, nil, "system", `{"toolDefinition":`+r.Bytes()+`}`)
	require.Nil(t, f.record(t, f.call(t, definition, "a"), core.RunOptions{}).Result)
	_, err := f.try(t, definition, "function", `{"functionCall":{"name":"a","settings":"`+secret.String()+`"}}`)
	require.Equal(t, fault.InvalidDraft, fault.CodeOf(err))
	forged, err := task.Seal(task.Node{Role: task.Function, Parent: definition.ID, Content: task.Content{FunctionCall: &task.FunctionCall{
		Name: "a", Arguments: map[string]any{}, Tool: r.ID(), Settings: secret}}})
	require.NoError(t, err)
	require.Equal(t, task.Unavailable, f.record(t, forged, core.RunOptions{}).Outcome, "nor by a task made elsewhere")
	bound := f.node(t, nil, "system", `{"toolDefinition":{"tool":"`+r.ID().String()+`"}}`)
	require.Equal(t, map[string]any{"unit": "F"}, f.record(t, f.call(t, bound, "a"), core.RunOptions{}).Result, "a binding is the installed tool")
}

func TestABlockedRevisionIsRefusedEverywhereAlsoWhenATaskPinsIt(t *testing.T) {
	running, wall := make(chan struct{}, 1), sandboxtest.New(sandboxtest.Tool(func(*sandboxtest.Place, *protocol.Call) {}))
	f := open(t, wall)
	r := f.install(t, "a", "one", "")
	call := f.call(t, nil, "a")
	ended := make(chan *task.Record, 1)
	text, err := call.JSON()
	require.NoError(t, err)
	go func() {
		running <- struct{}{}
		record, _ := f.Run(t.Context(), []byte(text), core.RunOptions{})
		ended <- record
	}()
	<-running
	require.Eventually(t, func() bool { return wall.Live() == 1 }, time.Second, time.Millisecond)
	require.NoError(t, f.Registry().Block(t.Context(), r.ID(), "sends mail"))
	record := <-ended
	require.NotEqual(t, task.OK, record.Outcome, "what runs of it is ended")

	record = f.record(t, call, core.RunOptions{})
	require.Equal(t, task.Denied, record.Outcome)
	require.Contains(t, record.Error.Message, "sends mail")
	require.False(t, record.Started)
	_, err = f.try(t, nil, "function", `{"functionCall":{"name":"a"}}`)
	require.Equal(t, fault.Denied, fault.CodeOf(err))
	_, err = f.Registry().Activate(t.Context(), r.ID())
	require.Equal(t, fault.Denied, fault.CodeOf(err))
	_, err = f.Install(t.Context(), []byte(r.Bytes()), false)
	require.Equal(t, fault.Denied, fault.CodeOf(err))
	definition, err := f.try(t, nil, "system", `{"toolDefinition":`+r.Bytes()+`}`)
	require.Equal(t, fault.Denied, fault.CodeOf(err), "nor does it come in through a chat")
	require.Nil(t, definition)

	other := open(t, echo())
	smuggled := other.node(t, nil, "system", `{"toolDefinition":`+r.Bytes()+`}`)
	inside := other.call(t, smuggled, "a")
	require.NoError(t, f.Tasks().Import(t.Context(), []*task.Task{smuggled, inside}))
	require.Equal(t, task.Denied, f.record(t, inside, core.RunOptions{}).Outcome, "a block survives an import")

	require.NoError(t, f.Registry().Unblock(t.Context(), r.ID()))
	f.call(t, nil, "a")
}

func TestARemovedNameMeansNothingAndLosesNothing(t *testing.T) {
	f := open(t, echo())
	r := f.install(t, "a", "one", "")
	call := f.call(t, nil, "a")
	require.NoError(t, f.Registry().Remove(t.Context(), "a"))
	_, err := f.try(t, nil, "function", `{"functionCall":{"name":"a"}}`)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Equal(t, fault.NotFound, fault.CodeOf(f.Registry().Remove(t.Context(), "a")))
	list, err := f.Registry().List(t.Context())
	require.NoError(t, err)
	require.Empty(t, list)
	require.Equal(t, "one", f.ran(t, call), "a pinned task keeps running")
	require.Equal(t, fault.Conflict, fault.CodeOf(f.EraseTool(t.Context(), r.ID())), "it is pinned")
	erased, err := f.EraseUnpinned(t.Context())
	require.NoError(t, err)
	require.Empty(t, erased)
	_, err = f.Registry().Activate(t.Context(), r.ID())
	require.NoError(t, err)
	f.call(t, nil, "a")
	history, err := f.Registry().History(t.Context(), "a")
	require.NoError(t, err)
	require.Len(t, history, 3)
	loose, err := f.Install(t.Context(), []byte(`{"name":"b","description":"","code":"x"}`), false)
	require.NoError(t, err)
	erased, err = f.EraseUnpinned(t.Context())
	require.NoError(t, err)
	require.Equal(t, []canon.ToolID{loose.ID()}, erased)
}

func TestAToolThatCannotBeCalledForWantOfSettingsIsSaidToBe(t *testing.T) {
	f := open(t, given())
	r := f.install(t, "a", "one", unit)
	shown := func() (names map[string]string, notes int) {
		set, err := f.Signatures(t.Context(), signature.MCP, canon.TaskID{})
		require.NoError(t, err)
		return set.Names(), len(set.Notes())
	}
	manifest := func() string {
		m, err := f.Registry().Manifest(t.Context(), "a")
		require.NoError(t, err)
		return m.Missing
	}
	names, notes := shown()
	require.Empty(t, names)
	require.Equal(t, 1, notes)
	require.Contains(t, manifest(), "set them")
	f.set(t, r.ID(), `{"unit":"C"}`)
	names, _ = shown()
	require.Contains(t, names, "a")
	require.Empty(t, manifest())

	_, err := f.try(t, nil, "system", `{"toolDefinition":`+r.Bytes()+`}`)
	require.Equal(t, fault.InvalidSettings, fault.CodeOf(err), "nobody could ever give a chat's tool any")
}
