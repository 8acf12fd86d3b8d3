package core_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// stuck is a network that does not answer.
type stuck struct {
	world
	sending chan struct{}
}

func (s *stuck) Send(ctx context.Context, _ power.Request) (*power.Response, error) {
	close(s.sending)
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestAnAskThatIsOpenWhenTheEngineClosesIsInItsAudit(t *testing.T) {
	net := &stuck{sending: make(chan struct{})}
	net.answer = grant.Once
	f := connected(t, net)
	f.install(t, "maker", "1", fetches)
	call := f.node(t, nil, "function", `{"functionCall":{"name":"maker","arguments":{"capability":"fetch","params":`+request+`}}}`)
	text, err := call.JSON()
	require.NoError(t, err)
	over := make(chan struct{})
	go func() {
		defer close(over)
		_, _ = f.Run(context.Background(), []byte(text), core.RunOptions{})
	}()
	<-net.sending
	f.Close()
	rows, err := f.Audit().Query(t.Context(), audit.Query{})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, []any{"open", true, site}, []any{rows[0].Decision, rows[0].Sent, rows[0].Scope})
	<-over
}

// crowded keeps no task that says two.
type crowded struct{ task.Memory }

var errNoRoom = errors.New("no room")

func (f *crowded) Put(ctx context.Context, t *task.Task) error {
	if t.Content.Message == "two" {
		return errNoRoom
	}
	return f.Memory.Put(ctx, t)
}

func (f *crowded) Import(ctx context.Context, list []*task.Task) error {
	for _, t := range list {
		if t.Content.Message == "two" {
			return errNoRoom
		}
	}
	return f.Memory.Import(ctx, list)
}

func TestSubtasksAreKeptAllOrNone(t *testing.T) {
	f := &fixture{tools: new(registry.Memory)}
	ports := f.ports(asker())
	ports.Tasks = new(crowded)
	f.Engine = core.New(ports)
	t.Cleanup(f.Close)
	f.install(t, "maker", "1", makesTasks)
	record := f.asks(t, nil, "subtasks", `{"drafts":[{"role":"assistant","content":{"message":"one"}},{"role":"assistant","content":{"message":"two"}}]}`)
	require.Equal(t, task.Unavailable, record.Outcome)
	require.Empty(t, record.Subtasks, "which go with ok alone")
	children, err := f.Tasks().Children(t.Context(), record.Task)
	require.NoError(t, err)
	require.Empty(t, children)
}

func TestAChatThatIsErasedTakesWithItWhatItsToolsHaveStoredAndWereAllowed(t *testing.T) {
	const needs = `,"needs":{"storage":true,"fetch":[{"origin":"https://api.example.com","access":"read"}]}`
	f := connected(t, &world{answer: grant.Session})
	f.install(t, "maker", "1", needs)
	other := f.asks(t, nil, "storage", `{"op":"set","key":"k","value":1}`)
	chat := func(text string) *task.Task {
		root := f.node(t, nil, "user", `{"message":"`+text+`"}`)
		defined := f.node(t, root, "system", `{"toolDefinition":{"name":"maker","description":"","implementation":{"class":"sandboxed-code","language":"javascript","code":"1"}`+needs+`}}`)
		for _, params := range []string{`{"op":"set","key":"a","value":1}`, `{"op":"set","key":"b","value":1}`} {
			require.Equal(t, task.OK, f.asks(t, defined, "storage", params).Outcome)
		}
		require.Equal(t, task.AskAllowed, f.asks(t, defined, "fetch", request).Asks[0].Decision)
		return root
	}
	first, second := chat("one"), chat("two")
	count := func() (keys, grants int) {
		used, err := f.Storage().List(t.Context())
		require.NoError(t, err)
		for _, u := range used {
			keys += u.Keys
		}
		list, err := f.Grants().List(t.Context(), canon.ToolID{})
		require.NoError(t, err)
		return keys, len(list)
	}
	keys, grants := count()
	require.Equal(t, []int{5, 2}, []int{keys, grants})
	require.NoError(t, f.EraseChat(t.Context(), first.ID))
	keys, grants = count()
	require.Equal(t, []int{3, 1}, []int{keys, grants}, "the other chat and the installed tool keep what they have")
	require.NoError(t, f.EraseChat(t.Context(), second.ID))
	keys, grants = count()
	require.Equal(t, []int{1, 0}, []int{keys, grants})
	require.Equal(t, task.OK, other.Outcome)
}

func TestClearingForgetsWhatThisSessionAllowedHereAndInEveryTab(t *testing.T) {
	w := &world{answer: grant.Session}
	f := connected(t, w)
	f.install(t, "maker", "1", fetches)
	f.asks(t, nil, "fetch", request)
	require.NoError(t, f.Clear(t.Context()))
	f.install(t, "maker", "1", fetches)
	f.asks(t, nil, "fetch", request)
	require.Len(t, w.asked, 2)
	f.Hear(core.Notice{Cleared: true})
	f.asks(t, nil, "fetch", request)
	require.Len(t, w.asked, 3)
	f.Hear(core.Notice{Retired: f.active(t, "maker"), Erased: true})
	f.asks(t, nil, "fetch", request)
	require.Len(t, w.asked, 4, "another tab has erased the revision")
	f.Hear(core.Notice{Retired: f.active(t, "maker")})
	f.asks(t, nil, "fetch", request)
	require.Len(t, w.asked, 4, "one that is active no more keeps what it was allowed")
}

func (f *fixture) active(t *testing.T, name string) canon.ToolID {
	r, err := f.Registry().Lookup(t.Context(), name)
	require.NoError(t, err)
	return r.ID()
}

// slowAudit is a shelf that takes a row of the audit only when it is told to.
type slowAudit struct {
	shelf.Memory
	putting, let chan struct{}
}

func (s *slowAudit) Put(ctx context.Context, changes ...shelf.Change) error {
	if strings.HasPrefix(changes[0].Key, "audit/") {
		s.putting <- struct{}{}
		<-s.let
	}
	return s.Memory.Put(ctx, changes...)
}

func TestNothingOfACallThatClearingEndedIsLeftInTheAudit(t *testing.T) {
	s := &slowAudit{putting: make(chan struct{}, 9), let: make(chan struct{})}
	f := shelved(t, s, asker())
	f.install(t, "maker", "1", "")
	f.asks(t, nil, "popup", `{}`)
	<-s.putting
	time.AfterFunc(20*time.Millisecond, func() { close(s.let) })
	require.NoError(t, f.Clear(t.Context()))
	f.Close()
	require.Empty(t, kept(t, s))
}

// pondering is a user who says nothing until the question is taken away.
type pondering struct {
	world
	asking, left chan struct{}
}

func (p *pondering) Decide(ctx context.Context, _ grant.Request) (grant.Answer, error) {
	close(p.asking)
	<-ctx.Done()
	close(p.left)
	return grant.Always, nil
}

func TestClosingTakesTheQuestionAwayAndALateYesGrantsNothing(t *testing.T) {
	p := &pondering{asking: make(chan struct{}), left: make(chan struct{})}
	f := connected(t, p)
	f.install(t, "maker", "1", fetches)
	text, err := f.node(t, nil, "function", `{"functionCall":{"name":"maker","arguments":{"capability":"fetch","params":`+request+`}}}`).JSON()
	require.NoError(t, err)
	outcome := make(chan task.Outcome, 1)
	go func() {
		record, err := f.Run(context.Background(), []byte(text), core.RunOptions{})
		if err == nil {
			outcome <- record.Outcome
		}
		close(outcome)
	}()
	<-p.asking
	f.Close()
	require.Equal(t, task.Aborted, <-outcome)
	<-p.left
	require.Empty(t, p.sent)
	list, err := f.Grants().List(t.Context(), canon.ToolID{})
	require.NoError(t, err)
	require.Empty(t, list)
}
