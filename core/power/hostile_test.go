package power_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/storage"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func TestASecretThatIsSentWhileABodyFlowsIsTakenOutOfTheRestOfIt(t *testing.T) {
	r := open(t, keyed)
	r.hold(t)
	session := power.New(r.ports).Open(r.call)
	events := &pieces{list: []string{"hello ", "you sent s3cret-", "value, did you not?"}, end: io.EOF}
	r.answer = func(context.Context, power.Request) (*power.Response, error) {
		return &power.Response{Status: 200, Body: events}, nil
	}
	stream := session.Answer(t.Context(), get(origin+"/events"))
	require.Empty(t, reason(stream))
	r.answer = func(context.Context, power.Request) (*power.Response, error) {
		return &power.Response{Status: 204}, nil
	}
	require.Empty(t, reason(session.Answer(t.Context(), header(origin+"/", session.Placeholders()["key"]))))
	text, err := all(stream.Body)
	require.Equal(t, io.EOF, err)
	require.Equal(t, "hello you sent [secret key], did you not?", text)
}

func TestHowLongASecretIsStandsInNoRefusal(t *testing.T) {
	r := open(t, keyed)
	r.hold(t)
	session := power.New(r.ports).Open(r.call)
	held := session.Placeholders()["key"]
	pad := strings.Repeat("x", limits.Default().FetchHeaderBytes-len(held))
	r.answer = func(context.Context, power.Request) (*power.Response, error) {
		return &power.Response{Status: 204}, nil
	}
	require.Empty(t, reason(session.Answer(t.Context(), header(origin+"/", pad+held))), "as long as a tool may write it")
	require.Equal(t, pad+value, r.sent[0].Headers()[0].Value)
	long := strings.Repeat("y", 5000)
	r.holdValue(t, long)
	session = power.New(r.ports).Open(r.call)
	held = session.Placeholders()["key"]
	require.Empty(t, reason(session.Answer(t.Context(), header(origin+"/", pad+held))), "whatever it is filled with")
	a := session.Answer(t.Context(), header(origin+"/", pad+held+"zz"))
	require.Equal(t, "header", reason(a))
	require.NotContains(t, a.Error.Message, fmt.Sprint(len(long)))
	require.Len(t, r.sent, 2)
}

// many declares storage, subtasks and requests to anywhere.
const many = `{"fetch":[{"origin":"*","access":"write"}],"storage":true,"subtasks":true,"secrets":["key"]}`

// slowShelf holds every list until it is let go.
type slowShelf struct {
	shelf.Memory
	mu         sync.Mutex
	open, most int
	gate       chan struct{}
}

func (s *slowShelf) opened(more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open += more
	s.most = max(s.most, s.open)
}

func (s *slowShelf) List(ctx context.Context, prefix, after string, most int) ([]shelf.Row, error) {
	s.opened(1)
	defer s.opened(-1)
	<-s.gate
	return s.Memory.List(ctx, prefix, after, most)
}

func TestACallReadsItsStorageAFewTimesAtOnceAndNoMore(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, many)
		slow := &slowShelf{gate: make(chan struct{})}
		r.ports.Storage = storage.New(storage.Options{Store: slow, Limits: limits.Default()})
		session := power.New(r.ports).Open(r.call)
		answers := make(chan sandbox.Answer, 100)
		for range 100 {
			go func() {
				answers <- session.Answer(t.Context(), sandbox.Ask{Ask: &protocol.Ask{Capability: protocol.CapabilityStorage, Params: map[string]any{"op": "list"}}})
			}()
		}
		synctest.Wait()
		close(slow.gate)
		for range 100 {
			require.Nil(t, (<-answers).Error)
		}
		require.LessOrEqual(t, slow.most, limits.Default().FetchAtOnce)
	})
}

func TestMoreDraftsThanACallMayMakeAreRefusedBeforeAnyIsCompiled(t *testing.T) {
	r := open(t, many)
	r.call.Task = &task.Task{}
	r.ports.Compiler = &task.Compiler{Limits: limits.Default()}
	r.ports.Depth = func(context.Context, *task.Task) (int, error) { return 1, nil }
	a := r.fetch(t.Context(), sandbox.Ask{Ask: &protocol.Ask{Capability: protocol.CapabilitySubtasks, Params: map[string]any{"drafts": make([]any, 65)}}})
	require.Equal(t, "too_large", reason(a), a.Error.Message)
}

func TestHowDeepACallStandsIsReadOnce(t *testing.T) {
	r := open(t, many)
	r.call.Task = &task.Task{}
	r.ports.Compiler = &task.Compiler{Limits: limits.Default()}
	read := 0
	r.ports.Depth = func(context.Context, *task.Task) (int, error) {
		if read++; read == 1 {
			return 0, fault.New(fault.Unavailable, "not now")
		}
		return 1, nil
	}
	session := power.New(r.ports).Open(r.call)
	for i := range 50 {
		a := session.Answer(t.Context(), sandbox.Ask{Ask: &protocol.Ask{Capability: protocol.CapabilitySubtasks, Params: map[string]any{"drafts": []any{}}}})
		require.Equal(t, map[bool]string{true: "unavailable", false: ""}[i == 0], reason(a))
	}
	require.Equal(t, 2, read)
}

func TestWhatASenderSaysOfAFailureIsWithoutSecrets(t *testing.T) {
	r := open(t, keyed)
	r.hold(t)
	r.answer = func(_ context.Context, q power.Request) (*power.Response, error) {
		return nil, power.Fail(power.Network, "fetch: not sent: "+q.Headers()[0].Value)
	}
	session := power.New(r.ports).Open(r.call)
	a := session.Answer(t.Context(), header(origin+"/", session.Placeholders()["key"]))
	require.Equal(t, "fetch: not sent: [secret key]", a.Error.Message)
}

func TestWhatIsRevokedWhileASecretIsOpenedIsNotSent(t *testing.T) {
	for title, end := range map[string]func(r *rig, cancel func()){
		"revoked": func(r *rig, _ func()) {
			list, err := r.ports.Grants.List(t.Context(), canon.ToolID{})
			require.NoError(t, err)
			require.Len(t, list, 1)
			require.NoError(t, r.ports.Grants.Revoke(t.Context(), list[0].ID))
		},
		"forgotten": func(r *rig, _ func()) { r.ports.Grants.Forget(r.call.Revision.ID()) },
		"given up":  func(_ *rig, cancel func()) { cancel() },
	} {
		t.Run(title, func(t *testing.T) {
			r := open(t, keyed)
			r.hold(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r.opening = func() { end(r, cancel) }
			session := power.New(r.ports).Open(r.call)
			require.Equal(t, "aborted", reason(session.Answer(ctx, header(origin+"/", session.Placeholders()["key"]))))
			require.Empty(t, r.sent)
		})
	}
}

// counts is a user who says no, and counts how often.
type counts int

func (c *counts) Decide(context.Context, grant.Request) (grant.Answer, error) {
	*c++
	return grant.Deny, nil
}

func TestAUserWhoSaysNoAFewTimesIsNotAskedAgainInThatCall(t *testing.T) {
	r := open(t, many)
	var asked counts
	r.ports.Grants = grant.New(grant.Options{Store: new(shelf.Memory), Decider: &asked, Limits: limits.Default()})
	session := power.New(r.ports).Open(r.call)
	for i := range 50 {
		want := "not_granted"
		if i >= 8 {
			want = "too_many_prompts"
		}
		require.Equal(t, want, reason(session.Answer(t.Context(), get(fmt.Sprintf("https://a%d.example.com/", i)))))
	}
	require.EqualValues(t, 8, asked)
	require.Equal(t, "not_granted", reason(power.New(r.ports).Open(r.call).Answer(t.Context(), get("https://b.example.com/"))))
	require.EqualValues(t, 9, asked, "the next call asks again")
}
