package core_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// native is a definition named n; version goes into its implementation.
func native(version, more string) []byte {
	return []byte(`{"name":"n","description":"","implementation":{"class":"trusted-native","native":"n","version":"` + version + `"}` + more + `}`)
}

func (f *fixture) installAs(t *testing.T, implementation string) *tool.Revision {
	r, err := f.Install(t.Context(), []byte(`{"name":"n","description":"","implementation":{`+implementation+`}}`), true)
	require.NoError(t, err)
	return r
}

func (f *fixture) register(t *testing.T, version, more string, fn registry.Native) *tool.Revision {
	r, err := f.Registry().RegisterNative(t.Context(), native(version, more), fn, true)
	require.NoError(t, err)
	return r
}

func TestANativeRunsWithArgumentsContextLogAndProgressAndGivesTheSameRecord(t *testing.T) {
	f := open(t, echo())
	var got registry.NativeCall
	f.register(t, "1", `,"returns":{"type":"object"}`, func(_ context.Context, c registry.NativeCall) (any, error) {
		got = c
		c.Log("info", "hello")
		c.Progress(7, "far")
		return map[string]any{"n": map[string]any{"$t": "undefined"}}, nil
	})
	call := f.node(t, nil, "function", `{"functionCall":{"name":"n","arguments":{"$x":[1]}}}`)
	var lines []task.LogLine
	var fraction float64
	record := f.record(t, call, core.RunOptions{
		OnLog:      func(l []task.LogLine, _ int) { lines = append(lines, l...) },
		OnProgress: func(f float64, _ string) { fraction = f },
	})
	require.Equal(t, task.OK, record.Outcome, "%+v", record.Error)
	require.Equal(t, map[string]any{"n": map[string]any{"$t": "undefined"}}, record.Result)
	require.Equal(t, "host", record.Isolation)
	require.True(t, record.Started)
	require.Equal(t, []task.LogLine{{Level: "info", Text: "hello"}}, record.Logs)
	require.Equal(t, record.Logs, lines)
	require.Equal(t, 1.0, fraction)
	require.Equal(t, map[string]any{"$$x": []any{1.0}}, got.Args)
	require.Equal(t, call.ID.String(), got.Task)
	require.Equal(t, call.Pin().String(), got.Tool)
	require.Equal(t, call.Pin(), record.Tool)
	kept, err := f.Tasks().Records(t.Context(), call.ID)
	require.NoError(t, err)
	require.Len(t, kept, 1)
}

func TestHowANativeFailsIsATypedOutcome(t *testing.T) {
	for name, row := range map[string]struct {
		fn      registry.Native
		outcome task.Outcome
		message string
	}{
		"an error": {func(context.Context, registry.NativeCall) (any, error) { return nil, errors.New("no luck") }, task.ToolError, "no luck"},
		"a coded error": {func(context.Context, registry.NativeCall) (any, error) {
			return nil, fault.New(fault.Timeout, "theirs")
		}, task.ToolError, "theirs"},
		"a thrown error": {func(context.Context, registry.NativeCall) (any, error) {
			return nil, &registry.Thrown{Name: "RangeError", Message: "far"}
		}, task.ToolError, "far"},
		"a panic":              {func(context.Context, registry.NativeCall) (any, error) { panic("oh") }, task.ToolError, "oh"},
		"a malformed value":    {func(context.Context, registry.NativeCall) (any, error) { return map[string]any{"$t": "what"}, nil }, task.InvalidResult, "result of n"},
		"a breach":             {func(context.Context, registry.NativeCall) (any, error) { return "text", nil }, task.InvalidResult, "result of n"},
		"nothing that is JSON": {func(context.Context, registry.NativeCall) (any, error) { return make(chan int), nil }, task.InvalidResult, "result of n"},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, echo())
			f.register(t, "1", `,"returns":{"type":"number"}`, row.fn)
			record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
			require.Equal(t, row.outcome, record.Outcome, "%+v", record.Error)
			require.Contains(t, record.Error.Message, row.message)
			require.Equal(t, row.outcome, record.Error.Code)
			require.Nil(t, record.Result)
		})
	}
}

func TestALateNativeIsToldAndIgnored(t *testing.T) {
	f := open(t, echo())
	late, told := make(chan struct{}), make(chan error, 1)
	f.register(t, "1", `,"limits":{"timeoutMs":20}`, func(ctx context.Context, c registry.NativeCall) (any, error) {
		<-ctx.Done()
		told <- ctx.Err()
		<-late
		c.Log("info", "too late")
		c.Progress(1, "too late")
		told <- nil
		return "too late", nil
	})
	call := f.call(t, nil, "n")
	heard := 0
	record := f.record(t, call, core.RunOptions{OnLog: func([]task.LogLine, int) { heard++ }, OnProgress: func(float64, string) { heard++ }})
	require.Equal(t, task.Timeout, record.Outcome)
	require.True(t, record.Started)
	require.Error(t, <-told)
	close(late)
	require.NoError(t, <-told)
	require.Zero(t, heard)
	kept, err := f.Tasks().Records(t.Context(), call.ID)
	require.NoError(t, err)
	require.Len(t, kept, 1)
	require.Empty(t, kept[0].Logs)
}

func TestTheCallersAbortReachesANative(t *testing.T) {
	f := open(t, echo())
	ctx, abort := context.WithCancel(t.Context())
	f.register(t, "1", "", func(ctx context.Context, _ registry.NativeCall) (any, error) {
		abort()
		<-ctx.Done()
		return nil, ctx.Err()
	})
	text, err := f.call(t, nil, "n").JSON()
	require.NoError(t, err)
	record, err := f.Run(ctx, []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.Aborted, record.Outcome)
}

func TestClosingTheEngineEndsANativeThatRuns(t *testing.T) {
	f := open(t, echo())
	told := make(chan struct{})
	f.register(t, "1", "", func(ctx context.Context, _ registry.NativeCall) (any, error) {
		f.Close()
		<-ctx.Done()
		close(told)
		return nil, ctx.Err()
	})
	record := f.record(t, f.node(t, nil, "function", `{"functionCall":{"name":"n"}}`), core.RunOptions{})
	require.Equal(t, task.Aborted, record.Outcome)
	<-told
}

func TestANativeThatIsNotHereOrInAnotherVersionIsUnavailable(t *testing.T) {
	f := open(t, echo())
	f.installAs(t, `"class":"trusted-native","native":"n","version":"1"`)
	one := f.call(t, nil, "n")
	record := f.record(t, one, core.RunOptions{})
	require.Equal(t, task.Unavailable, record.Outcome)
	require.False(t, record.Started)
	require.Contains(t, record.Error.Message, `version "1", is not registered here`)
	f.register(t, "2", "", func(context.Context, registry.NativeCall) (any, error) { return 2.0, nil })
	require.Equal(t, task.Unavailable, f.record(t, one, core.RunOptions{}).Outcome, "a task keeps its version")
	require.Equal(t, 2.0, f.record(t, f.call(t, nil, "n"), core.RunOptions{}).Result)

	_, err := f.Registry().RegisterNative(t.Context(), native("2", ""), nil, true)
	require.Equal(t, fault.Conflict, fault.CodeOf(err), "nobody slips in another function")
	_, err = f.Registry().RegisterNative(t.Context(), []byte(`{"name":"n","description":"","code":"x"}`), nil, true)
	require.Equal(t, fault.InvalidDefinition, fault.CodeOf(err))
	external := f.installAs(t, `"class":"external-service","service":"crm","operation":"o"`)
	require.Equal(t, tool.ExternalService, external.Definition().Implementation.Class)
	record = f.record(t, f.call(t, nil, "n"), core.RunOptions{})
	require.Equal(t, task.Unavailable, record.Outcome)
	require.Contains(t, record.Error.Message, `service "crm" is not connected`)
}

func TestBlockingANativeEndsItsRunningCallAsDenied(t *testing.T) {
	f := open(t, echo())
	var r *tool.Revision
	late := make(chan struct{})
	defer close(late)
	r = f.register(t, "1", "", func(ctx context.Context, _ registry.NativeCall) (any, error) {
		if err := f.Registry().Block(context.WithoutCancel(ctx), r.ID(), "reads mail"); err != nil {
			return nil, err
		}
		<-late
		return "too late", nil
	})
	record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
	require.Equal(t, task.Denied, record.Outcome, "%+v", record.Error)
	require.True(t, record.Started)
	require.Nil(t, record.Result)
}

func TestARunThatIsAbortedBeforeItBeginsHasARecordAndRunsNothing(t *testing.T) {
	f := open(t, echo())
	ran := false
	f.register(t, "1", "", func(context.Context, registry.NativeCall) (any, error) { ran = true; return nil, nil })
	f.install(t, "a", "one", "")
	ctx, abort := context.WithCancel(t.Context())
	abort()
	for _, name := range []string{"n", "a"} {
		call := f.call(t, nil, name)
		text, err := call.JSON()
		require.NoError(t, err)
		record, err := f.Run(ctx, []byte(text), core.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, task.Aborted, record.Outcome)
		require.False(t, record.Started)
		kept, err := f.Tasks().Records(t.Context(), call.ID)
		require.NoError(t, err)
		require.Len(t, kept, 1)
	}
	require.False(t, ran)
}
