package power_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
)

const origin = "https://api.example.com"

// network is a sender that answers as the test says and remembers what was sent.
type network struct {
	mu     sync.Mutex
	sent   []power.Request
	answer func(context.Context, power.Request) (*power.Response, error)
}

func (n *network) Send(ctx context.Context, r power.Request) (*power.Response, error) {
	n.mu.Lock()
	n.sent = append(n.sent, r)
	n.mu.Unlock()
	return n.answer(ctx, r)
}

// pieces is a body of given pieces, which then ends with end.
type pieces struct {
	list   []string
	end    error
	closed atomic.Int32
}

func (b *pieces) Read(ctx context.Context) ([]byte, error) {
	if len(b.list) == 0 {
		if b.end == nil {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return nil, b.end
	}
	piece := b.list[0]
	b.list = b.list[1:]
	return []byte(piece), nil
}

func (b *pieces) Close() { b.closed.Add(1) }

// says is a user who gives one answer.
type says grant.Answer

func (s says) Decide(context.Context, grant.Request) (grant.Answer, error) {
	return grant.Answer(s), nil
}

func willOf(s says) *grant.Book {
	return grant.New(grant.Options{Store: new(shelf.Memory), Decider: s, Limits: limits.Default(), Now: time.Now})
}

type rig struct {
	*network
	ports   power.Ports
	call    power.Call
	opening func() // happens while a secret is opened
}

func open(t *testing.T, needs string) *rig {
	l := limits.Default()
	p, err := policy.New(urls.Parser{}, policy.Host{Self: []string{"https://app.example.org"}, Resolves: true}, l)
	require.NoError(t, err)
	d, err := tool.Read([]byte(`{"name":"t","description":"","code":"() => 1","needs":`+needs+`}`), l)
	require.NoError(t, err)
	revision, err := tool.Freeze(d)
	require.NoError(t, err)
	r := &rig{network: &network{}, call: power.Call{Revision: revision}}
	r.ports = power.Ports{Policy: p, Sender: r.network, Grants: willOf("session"), Limits: l}
	r.answer = func(context.Context, power.Request) (*power.Response, error) {
		return &power.Response{Status: 200, StatusText: "OK", Headers: []policy.Header{{Name: "Content-Length", Value: "5"}, {Name: "Set-Cookie", Value: "a=b"}}, Body: &pieces{list: []string{"he", "llo"}, end: io.EOF}}, nil
	}
	return r
}

const reads = `{"fetch":[{"origin":"https://api.example.com","access":"write"}]}`

func ask(params map[string]any, blobs ...[]byte) sandbox.Ask {
	return sandbox.Ask{Ask: &protocol.Ask{Call: 1, Ask: 1, Capability: protocol.CapabilityFetch, Params: params}, Blobs: blobs}
}

func get(url string) sandbox.Ask {
	return ask(map[string]any{"method": "GET", "url": url, "headers": []any{[]any{"Accept", "text/plain"}}})
}

func (r *rig) fetch(ctx context.Context, a sandbox.Ask) sandbox.Answer {
	return power.New(r.ports).Open(r.call).Answer(ctx, a)
}

// all reads a body to its end.
func all(b sandbox.Body) (string, error) {
	var text strings.Builder
	for {
		piece, err := b.Read(context.Background())
		text.Write(piece)
		if err != nil {
			b.Close()
			return text.String(), err
		}
	}
}

func reason(a sandbox.Answer) string {
	if a.Error == nil {
		return ""
	}
	return a.Error.Code
}

func TestAShortAnswerComesWholeAndWithoutWhatAToolMayNotSee(t *testing.T) {
	r := open(t, reads)
	a := r.fetch(t.Context(), get(origin+"/a b#part"))
	require.Equal(t, string(policy.RawForm), reason(a), "a blank is no part of a URL that all read alike")
	a = r.fetch(t.Context(), get(origin+"/a#part"))
	require.Empty(t, reason(a))
	require.Equal(t, map[string]any{"status": 200.0, "statusText": "OK", "url": origin + "/a", "body": "inline",
		"headers": []any{[]any{"content-length", "5"}}}, a.Value)
	require.Equal(t, [][]byte{[]byte("hello")}, a.Blobs)
	require.Nil(t, a.Body)
	require.Len(t, r.sent, 1)
	require.Equal(t, origin+"/a", r.sent[0].URL())
	require.Equal(t, []policy.Header{{Name: "accept", Value: "text/plain"}}, r.sent[0].Headers())
}

func TestALongAnswerFlowsAndIsHeldToItsLimit(t *testing.T) {
	r := open(t, reads)
	r.ports.Limits.FetchBytes = 10
	for _, row := range []struct {
		list []string
		want string
		end  string
	}{
		{[]string{"0123", "456789"}, "0123456789", "EOF"},
		{[]string{"0123", "4567890"}, "0123", "fetch: the answer is larger than 10 bytes, which is what one may hold; ask for less"},
	} {
		body := &pieces{list: row.list, end: io.EOF}
		r.answer = func(context.Context, power.Request) (*power.Response, error) {
			return &power.Response{Status: 200, Body: body}, nil
		}
		a := r.fetch(t.Context(), get(origin+"/"))
		require.Empty(t, reason(a))
		require.Equal(t, "stream", a.Value.(map[string]any)["body"])
		text, err := all(a.Body)
		require.Equal(t, row.want, text)
		require.EqualError(t, err, row.end)
		require.EqualValues(t, 1, body.closed.Load())
	}
}

func TestAnAnswerThatSaysItIsShortAndIsNotFlowsAllTheSame(t *testing.T) {
	r := open(t, reads)
	long := strings.Repeat("x", 100<<10)
	r.answer = func(context.Context, power.Request) (*power.Response, error) {
		return &power.Response{Status: 200, Headers: []policy.Header{{Name: "content-length", Value: "5"}}, Body: &pieces{list: []string{"a", long, "b"}, end: io.EOF}}, nil
	}
	a := r.fetch(t.Context(), get(origin+"/"))
	text, err := all(a.Body)
	require.Equal(t, io.EOF, err)
	require.Equal(t, "a"+long+"b", text)
}

func TestNothingIsSentThatPolicyOrUserRefuse(t *testing.T) {
	for _, row := range []struct {
		title, needs, reason string
		allow                bool
		ask                  sandbox.Ask
	}{
		{"undeclared", `{"fetch":[{"origin":"https://other.example.com","access":"read"}]}`, "need", true, get(origin + "/")},
		{"no need at all", `{}`, "need", true, get(origin + "/")},
		{"a write where a read is declared", `{"fetch":[{"origin":"https://api.example.com","access":"read"}]}`, "need", true, ask(map[string]any{"method": "POST", "url": origin + "/", "headers": []any{}})},
		{"no grant", reads, "not_granted", false, get(origin + "/")},
		{"plain http", reads, "scheme", true, get("http://api.example.com/")},
		{"the application", `{"fetch":[{"origin":"*","access":"read"}]}`, "self", true, get("https://app.example.org/")},
		{"an address of this machine", `{"fetch":[{"origin":"*","access":"read"}]}`, "address", true, get("https://127.0.0.1/")},
		{"a header that is the browser's", reads, "header", true, ask(map[string]any{"method": "GET", "url": origin + "/", "headers": []any{[]any{"Cookie", "a=b"}}})},
		{"a body that did not come", reads, "invalid_request", true, ask(map[string]any{"method": "POST", "url": origin + "/", "headers": []any{}, "body": true})},
		{"more than a pair", reads, "invalid_request", true, ask(map[string]any{"method": "GET", "url": origin + "/", "headers": []any{[]any{"a", "b", "c"}}})},
		{"an unknown field", reads, "invalid_request", true, ask(map[string]any{"method": "GET", "url": origin + "/", "headers": []any{}, "credentials": "include"})},
		{"no object", reads, "invalid_request", true, sandbox.Ask{Ask: &protocol.Ask{Capability: protocol.CapabilityFetch, Params: "x"}}},
	} {
		t.Run(row.title, func(t *testing.T) {
			r := open(t, row.needs)
			r.ports.Grants = willOf(map[bool]says{true: "once", false: "deny"}[row.allow])
			require.Equal(t, row.reason, reason(r.fetch(t.Context(), row.ask)))
			require.Empty(t, r.sent)
		})
	}
	t.Run("nobody to ask", func(t *testing.T) {
		r := open(t, reads)
		r.ports.Grants = nil
		require.Equal(t, "grant", reason(r.fetch(t.Context(), get(origin+"/"))))
		require.Empty(t, r.sent)
	})
	t.Run("no sender", func(t *testing.T) {
		r := open(t, reads)
		r.ports.Sender = nil
		require.Equal(t, "denied", reason(r.fetch(t.Context(), get(origin+"/"))))
	})
}

func TestARequestEndsWhenItsGrantIsTakenBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, reads)
		body := &pieces{list: []string{"a"}}
		r.answer = func(ctx context.Context, _ power.Request) (*power.Response, error) {
			return &power.Response{Status: 200, Body: bound{body, ctx}}, nil
		}
		a := r.fetch(t.Context(), get(origin+"/"))
		list, err := r.ports.Grants.List(t.Context(), r.call.Revision.ID())
		require.NoError(t, err)
		require.Len(t, list, 1)
		go func() { _ = r.ports.Grants.Revoke(t.Context(), list[0].ID) }()
		text, err := all(a.Body)
		require.Equal(t, "a", text)
		require.EqualError(t, err, "fetch: was given up")
		require.EqualValues(t, 1, body.closed.Load())
	})
}

func TestARedirectIsNeverAnAnswer(t *testing.T) {
	for _, status := range []int{0, 300, 301, 302, 303, 307, 308, 399} {
		r := open(t, reads)
		body := &pieces{end: io.EOF}
		r.answer = func(context.Context, power.Request) (*power.Response, error) {
			return &power.Response{Status: status, Headers: []policy.Header{{Name: "location", Value: "https://127.0.0.1/"}}, Body: body}, nil
		}
		require.Equal(t, "redirect_blocked", reason(r.fetch(t.Context(), get(origin+"/"))), status)
		require.Len(t, r.sent, 1)
		require.EqualValues(t, 1, body.closed.Load())
	}
	r := open(t, reads)
	r.answer = func(context.Context, power.Request) (*power.Response, error) {
		return &power.Response{Status: 304}, nil
	}
	require.Empty(t, reason(r.fetch(t.Context(), get(origin+"/"))), "that nothing has changed is one")
}

func TestAnswersWithoutABodyHaveNone(t *testing.T) {
	for _, status := range []int{204, 205, 304} {
		r := open(t, reads)
		body := &pieces{list: []string{"smuggled"}, end: io.EOF}
		r.answer = func(context.Context, power.Request) (*power.Response, error) {
			return &power.Response{Status: status, Body: body}, nil
		}
		a := r.fetch(t.Context(), get(origin+"/"))
		require.Equal(t, "none", a.Value.(map[string]any)["body"])
		require.Empty(t, a.Blobs)
		require.EqualValues(t, 1, body.closed.Load())
	}
}

func TestARequestThatIsNotWholeInTimeFails(t *testing.T) {
	for title, body := range map[string]*pieces{"no answer": nil, "a body that stops": {list: []string{"a"}}} {
		t.Run(title, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := open(t, reads)
				r.answer = func(ctx context.Context, _ power.Request) (*power.Response, error) {
					if body == nil {
						<-ctx.Done()
						return nil, ctx.Err()
					}
					return &power.Response{Status: 200, Body: bound{body, ctx}}, nil
				}
				began := time.Now()
				a := r.fetch(t.Context(), get(origin+"/"))
				if body != nil {
					_, err := all(a.Body)
					require.EqualError(t, err, "fetch: not whole within 30s")
					require.EqualValues(t, 1, body.closed.Load())
				} else {
					require.Equal(t, "timeout", reason(a))
				}
				require.Equal(t, 30*time.Second, time.Since(began))
			})
		})
	}
}

// bound is a body that ends with its request.
type bound struct {
	*pieces
	ctx context.Context
}

func (b bound) Read(context.Context) ([]byte, error) { return b.pieces.Read(b.ctx) }

func TestWhatFailsOnTheWayIsToldWithoutWhatTheNetworkSaid(t *testing.T) {
	r := open(t, reads)
	r.answer = func(context.Context, power.Request) (*power.Response, error) {
		return nil, errors.New("dial tcp 10.1.2.3: refused")
	}
	a := r.fetch(t.Context(), get(origin+"/"))
	require.Equal(t, &protocol.Fault{Code: "network", Message: "fetch: the request failed"}, a.Error)
}

func TestACallMakesSoManyRequestsAndSoManyAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := open(t, reads)
		r.ports.Limits.FetchRequests, r.ports.Limits.FetchAtOnce = 5, 2
		gate := make(chan struct{})
		r.answer = func(ctx context.Context, _ power.Request) (*power.Response, error) {
			select {
			case <-gate:
				return &power.Response{Status: 200, Body: &pieces{list: []string{"x"}, end: io.EOF}}, nil
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		session := power.New(r.ports).Open(r.call)
		ctx, cancel := context.WithCancel(t.Context())
		answers := make(chan sandbox.Answer, 9)
		for i := range 4 {
			with := t.Context()
			if i == 3 {
				synctest.Wait()
				with = ctx
			}
			go func() { answers <- session.Answer(with, get(origin+"/")) }()
		}
		synctest.Wait()
		require.Len(t, r.sent, 2)
		cancel() // the last of those that wait gives up
		synctest.Wait()
		require.Equal(t, "aborted", reason(<-answers))
		gate <- struct{}{}
		synctest.Wait()
		require.Len(t, r.sent, 2, "a body that flows keeps its place")
		first := <-answers
		first.Body.Close()
		first.Body.Close()
		synctest.Wait()
		require.Len(t, r.sent, 3)
		close(gate)
		for range 2 {
			(<-answers).Body.Close()
		}
		require.Empty(t, reason(session.Answer(t.Context(), get(origin+"/"))))
		require.Equal(t, "too_many", reason(session.Answer(t.Context(), get(origin+"/"))))
		require.Len(t, r.sent, 4)
	})
}

func TestABodyIsSentAsItIs(t *testing.T) {
	r := open(t, reads)
	a := r.fetch(t.Context(), ask(map[string]any{"method": "POST", "url": origin + "/", "headers": []any{}, "body": true}, []byte{0, 255}))
	require.Empty(t, reason(a))
	require.True(t, bytes.Equal([]byte{0, 255}, r.sent[0].Body))
	require.Equal(t, policy.Write, r.sent[0].Class())
}
