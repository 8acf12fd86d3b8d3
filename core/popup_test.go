package core_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
)

type saying grant.Answer

func (s saying) Decide(context.Context, grant.Request) (grant.Answer, error) {
	return grant.Answer(s), nil
}

// showing is an engine whose user says one thing, and whose tool n may open windows.
func showing(t *testing.T, says saying) *fixture {
	f := open(t, echo())
	f.Engine.Close()
	ports := f.ports(echo())
	var err error
	ports.Policy, err = policy.New(urls.Parser{}, policy.Host{}, limits.Default())
	require.NoError(t, err)
	ports.Decider = says
	f.Engine = core.New(ports)
	t.Cleanup(f.Close)
	return f
}

const mayShow = `,"needs":{"popup":["custom-html","https://shop.example.com"]}`

func page(html string) map[string]any { return map[string]any{"kind": "custom-html", "html": html} }

func TestEveryWindowThatAFunctionAsksForIsInItsRecordAndInTheAudit(t *testing.T) {
	f := showing(t, "once")
	f.register(t, "1", mayShow, func(ctx context.Context, c registry.NativeCall) (any, error) {
		closed := make(chan struct{})
		defer close(closed)
		url, err := c.Popup(ctx, page("<p>hi"), func(_ context.Context, w registry.Window) (<-chan struct{}, error) {
			require.Equal(t, "custom-html", w.Scope)
			return closed, nil
		})
		require.NoError(t, err)
		require.Empty(t, url)
		_, err = c.Popup(ctx, map[string]any{"kind": "origin", "url": "https://other.example.com"}, nil)
		require.Equal(t, &registry.Refused{Code: "undeclared", Message: "popup: the tool does not declare this need; add it to its definition"}, err)
		_, err = c.Popup(ctx, map[string]any{"kind": "origin", "url": "https://localhost"}, nil)
		require.Equal(t, "host_name", err.(*registry.Refused).Code)
		return nil, nil
	})
	record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
	require.Equal(t, task.OK, record.Outcome, "%+v", record.Error)
	for i := range record.Asks {
		require.GreaterOrEqual(t, record.Asks[i].DurationMs, 0.0)
		record.Asks[i].DurationMs = 0
	}
	require.Equal(t, []task.AskRecord{
		{Capability: "popup", Decision: task.AskAllowed, Scope: "custom-html", Sent: true, BytesOut: 5},
		{Capability: "popup", Decision: task.AskDenied, Reason: "undeclared", Scope: "https://other.example.com"},
		{Capability: "popup", Decision: task.AskDenied, Reason: "host_name"},
	}, record.Asks)
	f.Close() // the audit is written by then
	rows, err := f.Audit().Query(t.Context(), audit.Query{Capability: "popup"})
	require.NoError(t, err)
	require.Len(t, rows, 3)
	require.Equal(t, record.Tool, rows[0].Tool)
}

func TestAUserWhoSaysNoIsARecordAndNoWindow(t *testing.T) {
	f := showing(t, "deny")
	f.register(t, "1", mayShow, func(ctx context.Context, c registry.NativeCall) (any, error) {
		_, err := c.Popup(ctx, page(""), func(context.Context, registry.Window) (<-chan struct{}, error) {
			t.Error("a window was opened")
			return nil, nil
		})
		return nil, err
	})
	record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
	require.Equal(t, task.ToolError, record.Outcome)
	require.Len(t, record.Asks, 1)
	require.Equal(t, []any{task.AskDenied, "not_granted", false}, []any{record.Asks[0].Decision, record.Asks[0].Reason, record.Asks[0].Sent})
}

func TestAWindowThatTheBrowserBlocksHasFailedAndNothingWasSent(t *testing.T) {
	f := showing(t, "once")
	f.register(t, "1", mayShow, func(ctx context.Context, c registry.NativeCall) (any, error) {
		_, err := c.Popup(ctx, page("x"), func(context.Context, registry.Window) (<-chan struct{}, error) {
			return nil, power.Fail(power.Blocked, "popup: no")
		})
		require.Equal(t, &registry.Refused{Code: "blocked", Message: "popup: no"}, err)
		return nil, nil
	})
	record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
	require.Equal(t, []any{task.AskFailed, "blocked", false}, []any{record.Asks[0].Decision, record.Asks[0].Reason, record.Asks[0].Sent})
}

func TestTheEndOfACallEndsAWindowThatIsBeingOpenedAndNoneComesLater(t *testing.T) {
	f := showing(t, "once")
	ended, later := make(chan error, 1), make(chan registry.NativeCall, 1)
	f.register(t, "1", mayShow, func(ctx context.Context, c registry.NativeCall) (any, error) {
		opening := make(chan struct{})
		go func() {
			_, err := c.Popup(context.Background(), page("x"), func(ctx context.Context, _ registry.Window) (<-chan struct{}, error) {
				close(opening)
				<-ctx.Done()
				return make(chan struct{}), nil // too late
			})
			ended <- err
		}()
		<-opening
		later <- c
		return nil, nil
	})
	record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
	require.Equal(t, task.OK, record.Outcome)
	require.Equal(t, []any{task.AskOpen, false}, []any{record.Asks[0].Decision, record.Asks[0].Sent})
	require.Equal(t, "aborted", (<-ended).(*registry.Refused).Code)
	_, err := (<-later).Popup(context.Background(), page("x"), nil)
	require.Equal(t, "denied", err.(*registry.Refused).Code)
}

func TestTheTimeOfAFunctionStandsStillWhileItsWindowIsOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := showing(t, "once")
		f.register(t, "1", mayShow+`,"limits":{"timeoutMs":1000}`, func(ctx context.Context, c registry.NativeCall) (any, error) {
			closed := make(chan struct{})
			time.Sleep(600 * time.Millisecond)
			_, err := c.Popup(ctx, page("x"), func(context.Context, registry.Window) (<-chan struct{}, error) { return closed, nil })
			require.NoError(t, err)
			time.Sleep(time.Minute)
			require.NoError(t, ctx.Err())
			close(closed)
			<-ctx.Done()
			return nil, nil
		})
		began := time.Now()
		record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
		require.Equal(t, task.Timeout, record.Outcome, "it goes on when the window has closed")
		require.Equal(t, time.Minute+time.Second, time.Since(began))
	})
}

func TestAWindowThatNobodyClosesEndsWithTheTotalTimeOfACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := showing(t, "once")
		f.register(t, "1", mayShow, func(ctx context.Context, c registry.NativeCall) (any, error) {
			_, err := c.Popup(ctx, page("x"), func(context.Context, registry.Window) (<-chan struct{}, error) { return make(chan struct{}), nil })
			require.NoError(t, err)
			<-ctx.Done()
			return nil, nil
		})
		began := time.Now()
		record := f.record(t, f.call(t, nil, "n"), core.RunOptions{})
		require.Equal(t, task.Timeout, record.Outcome)
		require.Equal(t, limits.Default().Wall, time.Since(began))
	})
}

func TestAForecastNamesTheWindowsAndRefusesANeedForAnyOrigin(t *testing.T) {
	f := showing(t, "deny")
	list, err := f.Forecast(native("1", mayShow))
	require.NoError(t, err)
	require.Len(t, list, 2)
	require.Equal(t, []string{"custom-html", "https://shop.example.com"}, []string{list[0].Scope, list[1].Scope})
	require.NotEqual(t, list[0].Leak, list[1].Leak)
	require.True(t, list[0].Asks && list[1].Asks)
	_, err = f.Forecast(native("1", `,"needs":{"popup":["*"]}`))
	require.Equal(t, fault.InvalidDefinition, fault.CodeOf(err))
}
