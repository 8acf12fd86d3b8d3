package core_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
	"github.com/xyntopia/taskyon-sandbox/native/vault"
)

const site = "https://api.example.com"

// world is the user and the network of an engine: it says what answer says, and echoes the credentials that it was sent.
type world struct {
	answer grant.Answer
	asked  []grant.Request
	sent   []string
}

func (w *world) Decide(_ context.Context, r grant.Request) (grant.Answer, error) {
	w.asked = append(w.asked, r)
	return w.answer, nil
}

func (w *world) Send(_ context.Context, r power.Request) (*power.Response, error) {
	said := r.URL()
	for _, h := range r.Headers() {
		said += " " + h.Value
	}
	w.sent = append(w.sent, said)
	return &power.Response{Status: 200, Headers: []policy.Header{{Name: "content-length", Value: strconv.Itoa(len(said))}}, Body: &once{text: said}}, nil
}

type once struct{ text string }

func (o *once) Read(context.Context) ([]byte, error) {
	text := o.text
	if o.text = ""; text == "" {
		return nil, io.EOF
	}
	return []byte(text), nil
}

func (o *once) Close() {}

// connected is an engine with a network, a user and secrets.
func connected(t *testing.T, w outside) *fixture { return connectedTo(t, asker(), w) }

// outside is the user and the network of an engine.
type outside interface {
	grant.Decider
	power.Sender
}

func connectedTo(t *testing.T, wall sandbox.Wall, w outside) *fixture {
	f := &fixture{tools: new(registry.Memory), tasks: new(task.Memory)}
	ports := f.ports(wall)
	judge, err := policy.New(urls.Parser{}, policy.Host{}, ports.Limits)
	require.NoError(t, err)
	sealed, err := vault.New()
	require.NoError(t, err)
	ports.Policy, ports.Sender, ports.Decider, ports.Vault = judge, w, w, sealed
	ports.Random = func(b []byte) { _, _ = rand.Read(b) }
	f.Engine = core.New(ports)
	t.Cleanup(f.Close)
	return f
}

const fetches = `,"needs":{"fetch":[{"origin":"https://api.example.com","access":"read"}],"secrets":["key"]}`

const request = `{"method":"GET","url":"https://api.example.com/x","headers":[]}`

func TestAFetchAsksOnceForAlwaysAndAgainForAChangedRevision(t *testing.T) {
	w := &world{answer: grant.Always}
	f := connected(t, w)
	f.install(t, "maker", "1", fetches)
	for range 2 {
		record := f.asks(t, nil, "fetch", request)
		require.Equal(t, task.AskAllowed, record.Asks[0].Decision, "%+v", record.Asks)
		require.True(t, record.Asks[0].Sent)
		require.Equal(t, []string{site, "read"}, []string{record.Asks[0].Scope, record.Asks[0].Class})
	}
	require.Len(t, w.asked, 1)
	require.Len(t, w.sent, 2)
	f.install(t, "maker", "2", fetches)
	w.answer = grant.Deny
	record := f.asks(t, nil, "fetch", request)
	require.Equal(t, task.AskDenied, record.Asks[0].Decision)
	require.Equal(t, "not_granted", record.Asks[0].Reason)
	require.False(t, record.Asks[0].Sent)
	require.Len(t, w.asked, 2)
	require.Len(t, w.sent, 2)
}

func TestEveryAskIsInTheAuditWhenTheEngineHasClosed(t *testing.T) {
	f := connected(t, &world{answer: grant.Once})
	f.install(t, "maker", "1", fetches)
	record := f.asks(t, nil, "fetch", request)
	f.asks(t, nil, "popup", `{}`)
	f.Close()
	rows, err := f.Audit().Query(t.Context(), audit.Query{})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.Equal(t, []string{"denied", "allowed"}, []string{rows[0].Decision, rows[1].Decision})
	require.Equal(t, record.Task, rows[1].Task)
	require.Equal(t, site, rows[1].Scope)
}

// tells sends its secret, learns it all the same, as from a site that hides it in what it answers, and gives it away: as its result, in its
// log, and as what it throws.
func tells(secret string) *sandboxtest.Wall {
	return sandboxtest.New(func(p *sandboxtest.Place, m protocol.Message) {
		switch m := m.(type) {
		case *protocol.Start:
			p.Say(&protocol.Ready{Version: protocol.Version})
		case *protocol.Call:
			p.State = m.Args.(map[string]any)["throws"] == true
			held := m.Context.Secrets.(map[string]any)["key"]
			p.Say(&protocol.Ask{Call: m.Call, Ask: 1, Capability: protocol.CapabilityFetch, Params: map[string]any{"method": "GET", "url": site + "/x", "body": false,
				"headers": []any{[]any{"authorization", held}}}})
		case *protocol.Answer:
			_, blobs := p.Last()
			text := string(blobs[0]) + " " + secret
			p.Say(&protocol.Log{Call: m.Call, Lines: []protocol.Line{{Level: "info", Text: text}}})
			if p.State == true {
				p.Say(&protocol.Failure{Call: m.Call, Code: protocol.ToolError, Error: protocol.Thrown{Name: "Error", Message: text, Stack: text, Cause: text, Value: text}})
				return
			}
			p.Say(&protocol.Result{Call: m.Call, Value: map[string]any{text: []any{text}}})
		}
	})
}

func TestASecretThatWasSentIsInNoRecordNoLogAndNoAudit(t *testing.T) {
	const value = "s3cret-value"
	w := &world{answer: grant.Session}
	f := connectedTo(t, tells(value), w)
	r := f.install(t, "maker", "1", fetches)
	secrets, err := f.Secrets()
	require.NoError(t, err)
	require.NoError(t, secrets.Set(t.Context(), r.ID(), "key", secret.NewValue(value), []string{site}))
	require.Equal(t, fault.Denied, fault.CodeOf(secrets.Set(t.Context(), r.ID(), "other", secret.NewValue(value), []string{site})))
	for _, args := range []string{`{}`, `{"throws":true}`} {
		call := f.node(t, nil, "function", `{"functionCall":{"name":"maker","arguments":`+args+`}}`)
		var live []task.LogLine
		record := f.record(t, call, core.RunOptions{OnLog: func(lines []task.LogLine, _ int) { live = append(live, lines...) }})
		text, err := record.JSON()
		require.NoError(t, err)
		require.NotContains(t, text, value)
		require.Contains(t, text, "[secret key]", "what came back is there, without it")
		require.Contains(t, live[0].Text, "[secret key]")
		require.NotContains(t, live[0].Text, value)
	}
	require.Len(t, w.sent, 2)
	require.Contains(t, w.sent[0], value, "while the site was sent it")
	f.Close()
	rows, err := f.Audit().Query(t.Context(), audit.Query{})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	require.NotContains(t, fmt.Sprintf("%+v", rows), value)
}

func TestAnOriginThatNoToolCanReachIsRefusedWhenItIsDeclared(t *testing.T) {
	f := connected(t, &world{})
	for _, origin := range []string{"http://api.example.com", "https://127.0.0.1", "https://localhost", "https://api.example.com/path", "api.example.com"} {
		_, err := f.Install(t.Context(), []byte(`{"name":"n","description":"","code":"1","needs":{"fetch":[{"origin":"`+origin+`","access":"read"}]}}`), true)
		require.Equal(t, fault.InvalidDefinition, fault.CodeOf(err), origin)
		require.Equal(t, "$.needs.fetch[0].origin", fault.From(err).Path)
		_, err = f.Compile(t.Context(), []byte(`{"role":"system","content":{"toolDefinition":{"name":"n","description":"","code":"1","needs":{"fetch":[{"origin":"`+origin+`","access":"read"}]}}}}`))
		require.Error(t, err, origin)
	}
}

func TestAForecastSaysWhatAToolWillAskForAndMayDo(t *testing.T) {
	f := connected(t, &world{})
	list, err := f.Forecast([]byte(`{"name":"n","description":"","code":"1","needs":{"fetch":[{"origin":"https://API.example.com:443/","access":"write"}],"storage":true}}`))
	require.NoError(t, err)
	require.Len(t, list, 3)
	require.Equal(t, []any{site, grant.Read, true}, []any{list[0].Scope, list[0].Class, list[0].Asks})
	require.Equal(t, []any{site, grant.Write, true}, []any{list[1].Scope, list[1].Class, list[1].Asks})
	require.Equal(t, []any{"storage", false}, []any{list[2].Capability, list[2].Asks})
}

func TestWhatIsErasedTakesItsGrantsWithIt(t *testing.T) {
	w := &world{answer: grant.Always}
	f := connected(t, w)
	r := f.install(t, "maker", "1", fetches)
	record := f.asks(t, nil, "fetch", request)
	require.NoError(t, f.EraseChat(t.Context(), record.Task))
	require.NoError(t, f.Registry().Remove(t.Context(), "maker"))
	require.NoError(t, f.EraseTool(t.Context(), r.ID()))
	list, err := f.Grants().List(t.Context(), canon.ToolID{})
	require.NoError(t, err)
	require.Empty(t, list)
	f.install(t, "maker", "1", fetches)
	f.asks(t, nil, "fetch", request)
	require.Len(t, w.asked, 2, "the same revision is asked about again")
}

func TestAnEngineWithoutAVaultSaysThatItKeepsNoSecrets(t *testing.T) {
	f := open(t, echo())
	_, err := f.Secrets()
	require.Equal(t, fault.Unavailable, fault.CodeOf(err))
}

func TestWhatToolsOfAChatHaveStoredGoesWithTheChat(t *testing.T) {
	f := connected(t, &world{})
	define := func(words string) *task.Task {
		root := f.node(t, nil, "user", `{"message":"`+words+`"}`)
		return f.node(t, root, "system", `{"toolDefinition":{"name":"maker","description":"","code":"1","needs":{"storage":true}}}`)
	}
	one, other := define("one"), define("other")
	for _, at := range []*task.Task{one, other} {
		_, err := told(f.asks(t, at, "storage", `{"op":"set","key":"k","value":7}`))
		require.Empty(t, err)
	}
	answer, _ := told(f.asks(t, other, "storage", `{"op":"get","key":"k"}`))
	require.Equal(t, 7.0, answer)
	list, err := f.Storage().List(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, list[0].Keys)
	require.NoError(t, f.EraseChat(t.Context(), one.Parent))
	list, err = f.Storage().List(t.Context())
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, 1, list[0].Keys)
	entries, err := f.Storage().Read(t.Context(), list[0].Revision)
	require.NoError(t, err)
	require.Equal(t, other.ID, entries[0].Node)
}

func TestTheWordsForWhatBecameOfAnAskAreTheSameInSandboxRecordAndAudit(t *testing.T) {
	f := open(t, echo())
	for _, word := range sandbox.Decision("").Words() {
		require.True(t, task.Decision(word).Known(), word)
		_, err := f.Audit().Query(t.Context(), audit.Query{Decision: word})
		require.NoError(t, err, word)
	}
	_, err := f.Audit().Query(t.Context(), audit.Query{Decision: "nope"})
	require.Equal(t, fault.InvalidRequest, fault.CodeOf(err))
}
