package core_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// tabs are two engines over the same stores that hear each other.
func tabs(t *testing.T) (one, other *fixture, live func() int) {
	one = open(t, echo())
	wall := echo()
	other = &fixture{tools: one.tools, tasks: one.tasks}
	ports := one.ports(wall)
	other.Engine = core.New(ports)
	ports.Wall, ports.Tell = echo(), other.Hear
	one.Engine = core.New(ports)
	t.Cleanup(one.Close)
	t.Cleanup(other.Close)
	return one, other, wall.Live
}

func TestWhatOneTabRetiresBlocksOrErasesEndsInTheOthers(t *testing.T) {
	for name, end := range map[string]func(t *testing.T, one *fixture, call *task.Task){
		"another revision becomes active": func(t *testing.T, one *fixture, _ *task.Task) { one.install(t, "a", "two", "") },
		"the name is removed": func(t *testing.T, one *fixture, _ *task.Task) {
			require.NoError(t, one.Registry().Remove(t.Context(), "a"))
		},
		"the revision is blocked": func(t *testing.T, one *fixture, call *task.Task) {
			require.NoError(t, one.Registry().Block(t.Context(), call.Pin(), ""))
		},
		"everything is cleared": func(t *testing.T, one *fixture, _ *task.Task) { require.NoError(t, one.Clear(t.Context())) },
	} {
		t.Run(name, func(t *testing.T) {
			one, other, live := tabs(t)
			one.install(t, "a", "one", "")
			call := one.call(t, nil, "a")
			require.Equal(t, "one", other.ran(t, call))
			require.Equal(t, 1, live())
			end(t, one, call)
			require.Eventually(t, func() bool { return live() == 0 }, time.Second, time.Millisecond)
		})
	}
}

func TestWhatOneTabErasedIsNotServedFromTheMemoryOfAnother(t *testing.T) {
	one, other, _ := tabs(t)
	r := one.install(t, "a", "one", "")
	definition := one.define(t, nil, "b", "two")
	require.Equal(t, "two", other.ran(t, other.call(t, definition, "b")))
	_, err := other.Registry().Revision(t.Context(), r.ID())
	require.NoError(t, err)
	require.NoError(t, one.EraseChat(t.Context(), definition.ID))
	_, err = other.try(t, definition, "function", `{"functionCall":{"name":"b"}}`)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.NoError(t, one.Registry().Remove(t.Context(), "a"))
	require.NoError(t, one.EraseTool(t.Context(), r.ID()))
	_, err = other.Registry().Revision(t.Context(), r.ID())
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
}

func TestAChatErasedInOneTabEndsItsToolsInTheOthersWithTheirState(t *testing.T) {
	one, other, live := tabs(t)
	definition := one.define(t, nil, "b", "two")
	kept := one.define(t, nil, "b", "three")
	other.ran(t, other.call(t, definition, "b"))
	other.ran(t, other.call(t, kept, "b"))
	require.Equal(t, 2, live())
	require.NoError(t, one.EraseChat(t.Context(), definition.ID))
	require.Eventually(t, func() bool { return live() == 1 }, time.Second, time.Millisecond)
}
