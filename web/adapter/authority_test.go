package adapter

import (
	"context"
	"crypto/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/storage"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// plainVault seals nothing: what is under test is who may see a value.
type plainVault struct{}

func (plainVault) Seal(_ context.Context, plain, _ []byte) ([]byte, error)  { return plain, nil }
func (plainVault) Open(_ context.Context, sealed, _ []byte) ([]byte, error) { return sealed, nil }

// yes allows always.
type yes struct{}

func (yes) Decide(context.Context, grant.Request) (grant.Answer, error) { return grant.Always, nil }

func openPowers(t *testing.T) *Engine {
	p, err := policy.New(urls.Parser{}, policy.Host{}, limits.Default())
	require.NoError(t, err)
	e := core.New(core.Ports{
		Wall: noWall{}, Syntax: anySyntax{}, Tools: new(registry.Memory), Tasks: new(task.Memory), Clock: sandbox.SystemClock{},
		Limits: limits.Default(), Policy: p, Decider: yes{}, Vault: plainVault{}, Random: func(b []byte) { _, _ = rand.Read(b) },
	})
	t.Cleanup(e.Close)
	return New(e)
}

func needing(description, needs string) string {
	return `{"name":"n","description":"` + description + `","code":"() => 1","needs":` + needs + `}`
}

// allow grants reading a site to a revision.
func allow(t *testing.T, e *Engine, revision, origin string) {
	id, err := canon.ParseToolID(revision)
	require.NoError(t, err)
	wishes, err := e.core.Wishes(t.Context(), id)
	require.NoError(t, err)
	d, err := e.core.Grants().Allowed(t.Context(), grant.Ask{Tool: "n", Revision: id, Capability: "fetch", Scope: origin, Class: grant.Read, Needs: wishes.Needs})
	require.NoError(t, err)
	require.True(t, d.Allowed)
}

func TestAGrantIsListedForItsRevisionRevokedAndCarriedOverByAPlan(t *testing.T) {
	e, ctx := openPowers(t), t.Context()
	site := `{"fetch":[{"origin":"https://a.example.com","access":"read"}]}`
	first, err := e.Install(ctx, needing("one", site), true)
	require.NoError(t, err)
	second, err := e.Install(ctx, needing("two", site), true)
	require.NoError(t, err)
	allow(t, e, first, "https://a.example.com")

	a, err := e.Access(ctx, second)
	require.NoError(t, err)
	require.Empty(t, a.Grants, "a grant is for one revision")
	require.Equal(t, []console.Earlier{{Revision: first, Grants: 1}}, a.Earlier)
	require.Len(t, a.Forecast, 1)
	plan, err := e.Plan(ctx, first, second)
	require.NoError(t, err)
	require.Len(t, plan.Carry, 1)
	require.Equal(t, fault.Conflict, fault.CodeOf(e.Carry(ctx, "another", first, second)))
	require.NoError(t, e.Carry(ctx, plan.ID, first, second))
	a, err = e.Access(ctx, second)
	require.NoError(t, err)
	require.Len(t, a.Grants, 1)
	require.NoError(t, e.Revoke(ctx, a.Grants[0].ID))
	a, err = e.Access(ctx, second)
	require.NoError(t, err)
	require.Empty(t, a.Grants, "what was revoked does not stand")
	require.Equal(t, []console.Earlier{{Revision: first, Grants: 1}}, a.Earlier)
	require.Zero(t, e.Waiting())
}

func TestSecretsAndWhatIsStoredAreListedAndTakenAway(t *testing.T) {
	e, ctx := openPowers(t), t.Context()
	revision, err := e.Install(ctx, needing("", `{"storage":true,"secrets":["key"]}`), true)
	require.NoError(t, err)
	a, err := e.Access(ctx, revision)
	require.NoError(t, err)
	require.Equal(t, []console.Secret{{Name: "key"}}, a.Secrets, "what is declared and not set is listed too")
	require.NoError(t, e.SetSecret(ctx, revision, "key", "hunter2", []string{"https://a.example.com"}))
	require.Equal(t, fault.Denied, fault.CodeOf(e.SetSecret(ctx, revision, "other", "hunter2", []string{"https://a.example.com"})))

	id, err := canon.ParseToolID(revision)
	require.NoError(t, err)
	area, err := e.core.Storage().For(storage.Place{Revision: id}, true)
	require.NoError(t, err)
	require.NoError(t, area.Set(ctx, "<b>k</b>", map[string]any{"n": 1.0}))
	a, err = e.Access(ctx, revision)
	require.NoError(t, err)
	require.Equal(t, "key", a.Secrets[0].Name)
	require.Equal(t, []string{"https://a.example.com"}, a.Secrets[0].Origins)
	require.False(t, a.Secrets[0].At.IsZero())
	require.Len(t, a.Stored, 1)
	require.Equal(t, console.Stored{Key: "<b>k</b>", Value: `{"n":1}`, Bytes: a.Bytes}, a.Stored[0])

	require.NoError(t, e.ForgetSecret(ctx, revision, "key"))
	require.NoError(t, e.ClearStorage(ctx, revision))
	a, err = e.Access(ctx, revision)
	require.NoError(t, err)
	require.Equal(t, []console.Secret{{Name: "key"}}, a.Secrets)
	require.Empty(t, a.Stored)
}

func TestWithoutAVaultThePageSaysWhyThereAreNoSecrets(t *testing.T) {
	e := open(t)
	revision, err := e.Install(t.Context(), needing("", `{"secrets":["key"]}`), true)
	require.NoError(t, err)
	a, err := e.Access(t.Context(), revision)
	require.NoError(t, err)
	require.Contains(t, a.Unsealed, "https")
	require.Error(t, e.SetSecret(t.Context(), revision, "key", "hunter2", []string{"https://a.example.com"}))
}

func TestTheAuditNamesToolsThatAreHere(t *testing.T) {
	e, ctx := openPowers(t), t.Context()
	revision, err := e.Install(ctx, needing("", `{"storage":true}`), true)
	require.NoError(t, err)
	id, err := canon.ParseToolID(revision)
	require.NoError(t, err)
	for _, tool := range []canon.ToolID{id, canon.SumTool([]byte("gone"))} {
		require.NoError(t, e.core.Audit().Append(ctx, audit.Call{Tool: tool, Asks: []audit.Ask{{Capability: "storage", Decision: "allowed"}}}))
	}
	rows, err := e.Audit(ctx, "", 10)
	require.NoError(t, err)
	require.Equal(t, []string{"", "n"}, []string{rows[0].Name, rows[1].Name})
	rows, err = e.Audit(ctx, "denied", 10)
	require.NoError(t, err)
	require.Empty(t, rows)
}

func TestARecordsAsksAreShown(t *testing.T) {
	record, err := recordOf(&task.Record{Outcome: task.Aborted, Asks: []task.AskRecord{{Capability: "fetch", Decision: "denied", Reason: "not_granted",
		Scope: "https://a.example.com", Class: "read", Sent: true, BytesOut: 1, BytesIn: 2, DurationMs: 3}}})
	require.NoError(t, err)
	require.Equal(t, []audit.Ask{{Capability: "fetch", Decision: "denied", Reason: "not_granted", Scope: "https://a.example.com", Class: "read", Sent: true,
		BytesOut: 1, BytesIn: 2, DurationMs: 3}}, record.Asks)
}
