package console_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// with gives the shown revision something and reads it.
func with(s *stage, a console.Access) (revision string) {
	revision = s.Desk().Tool.Revision
	s.engine.access = map[string]console.Access{revision: a}
	s.do(func() { s.Select(s.Desk().Tool.Name) })
	require.True(s.t, s.Desk().Permissions.Loaded)
	return revision
}

func TestAPermissionIsRevokedAndTheListReadAgain(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		revision := with(s, console.Access{Grants: []grant.Grant{{ID: "grant/1", Scope: "https://a.example"}}})
		require.Len(t, s.Desk().Permissions.Grants, 1)
		s.engine.access[revision] = console.Access{}
		s.do(func() { s.RevokeGrant("grant/1") })
		require.Equal(t, []string{"revoke grant/1"}, s.engine.acts)
		require.Empty(t, s.Desk().Permissions.Grants)
		require.Equal(t, "permissions-heading", s.focus[len(s.focus)-1])
	})
}

func TestWhatCouldNotBeDoneSaysWhy(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		with(s, console.Access{})
		s.engine.refuse = fault.New(fault.NotFound, "grant: there is none")
		s.do(func() { s.RevokeGrant("gone") })
		require.Contains(t, s.Desk().Permissions.Problem.Message, "there is none")
		require.Equal(t, "permissions-problem", s.focus[len(s.focus)-1])
		require.False(t, s.Desk().Permissions.Busy)
	})
}

func TestGrantsAreCarriedOverOnlyByAnActOnThePlanThatIsShown(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		from, to := sum(t, "a"), sum(t, "b")
		with(s, console.Access{Earlier: []console.Earlier{{Revision: from.String(), Grants: 1}}})
		s.do(s.CarryOver)
		require.Empty(t, s.engine.acts, "nothing is carried over that was not shown")
		require.Empty(t, s.Trouble)
		s.engine.plan = grant.Plan{ID: "plan 1", From: from, To: to}
		s.do(func() { s.LookAtPlan(from.String()) })
		require.Equal(t, "plan 1", s.Desk().Permissions.Plan.ID)
		require.Equal(t, "plan-heading", s.focus[len(s.focus)-1])
		s.engine.plan.ID = "plan 2"
		s.do(s.CarryOver)
		require.Equal(t, "conflict", s.Desk().Permissions.Problem.Code, "what changed since is not accepted")
		s.do(func() { s.LookAtPlan(from.String()) })
		s.do(s.CarryOver)
		require.Equal(t, "carry "+from.String()+" "+to.String(), s.engine.acts[len(s.engine.acts)-1])
		require.Nil(t, s.Desk().Permissions.Plan)
	})
}

func sum(t *testing.T, letter string) canon.ToolID {
	text := "tool:b3:"
	for range 64 {
		text += letter
	}
	id, err := canon.ParseToolID(text)
	require.NoError(t, err)
	return id
}

func TestASecretLeavesTheFieldAtOnceAndIsNeverInTheModel(t *testing.T) {
	for title, refusal := range map[string]error{"kept": nil, "refused": fault.New(fault.InvalidRequest, "secret: no")} {
		t.Run(title, func(t *testing.T) {
			onStage(t, func(t *testing.T, s *stage) {
				revision := with(s, console.Access{Secrets: []console.Secret{{Name: "key"}}, Forecast: []grant.Forecast{
					{Need: grant.Need{Capability: "fetch", Scope: "https://a.example", Class: grant.Read}, Asks: true},
					{Need: grant.Need{Capability: "fetch", Scope: "https://a.example", Class: grant.Write}, Asks: true},
					{Need: grant.Need{Capability: "fetch", Scope: grant.Any, Class: grant.Read}, Asks: true},
				}})
				s.do(func() { s.BeginSecret("key") })
				require.Equal(t, "https://a.example", s.Desk().Permissions.Origins, "the sites that the definition names")
				require.Equal(t, console.SecretID, s.focus[len(s.focus)-1])
				s.field, s.engine.refuse = "hunter2", refusal
				s.do(func() { s.Desk().Permissions.Origins = "https://a.example, https://b.example" })
				s.begin(s.KeepSecret)
				require.Empty(t, s.field)
				s.do(func() {})
				require.Equal(t, []string{"set " + revision + " key hunter2 [https://a.example https://b.example]"}, s.engine.acts)
				require.Equal(t, refusal == nil, s.Desk().Permissions.Setting == "")
			})
		})
	}
}

func TestALeftSecretFormIsEmptied(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		with(s, console.Access{Secrets: []console.Secret{{Name: "key", Origins: []string{"https://b.example"}, At: time.Now()}}})
		s.do(func() { s.BeginSecret("key") })
		require.Equal(t, "https://b.example", s.Desk().Permissions.Origins)
		s.field = "hunter2"
		s.do(s.EndSecret)
		require.Empty(t, s.field)
		require.Empty(t, s.engine.acts)
		s.do(func() { s.ForgetSecret("key") })
		require.Len(t, s.engine.acts, 1)
	})
}

func TestWhatIsStoredIsClearedAfterAWord(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		revision := with(s, console.Access{Stored: []console.Stored{{Key: "k"}}})
		s.do(s.AskClear)
		s.do(s.KeepStored)
		require.Empty(t, s.engine.acts)
		s.do(s.AskClear)
		s.do(s.ClearStored)
		require.Equal(t, []string{"clear " + revision}, s.engine.acts)
		require.False(t, s.Desk().Permissions.Clearing)
	})
}

func TestAnotherRevisionStartsWithoutWhatWasBegunForTheOneBefore(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		with(s, console.Access{Secrets: []console.Secret{{Name: "key"}}})
		s.do(func() { s.BeginSecret("key") })
		twoVersions(s)
		require.Empty(t, s.Desk().Permissions.Setting)
		require.Empty(t, s.Desk().Permissions.Secrets)
	})
}

func TestTheAuditShowsWhatWasChosenLast(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.audited = []console.Audited{{Row: audit.Row{Ask: audit.Ask{Decision: "denied"}}}}
		s.do(s.ShowAuditList)
		require.Equal(t, console.ShowAudit, s.View)
		require.Len(t, s.Audit.Rows, 1)
		s.do(func() { s.ChooseDecision("denied"); s.ChooseDecision("failed") })
		require.Equal(t, "failed 200", s.engine.queries[len(s.engine.queries)-1])
		s.engine.refuse = fault.New(fault.Unavailable, "audit: cannot be read")
		s.do(s.ReloadAudit)
		require.Equal(t, "audit: cannot be read", s.Audit.Problem.Message)
		require.False(t, s.Audit.Busy)
	})
}

func TestAnAskSaysDecisionReasonAndWhatWasSent(t *testing.T) {
	for want, a := range map[string]audit.Ask{
		"reason not_granted: you have not allowed it · nothing was sent · 2 ms": {
			Capability: "fetch", Decision: "denied", Reason: "not_granted", DurationMs: 2},
		"sent, 3 B out, 2.0 KiB in · 1.5 s":                                                   {Capability: "fetch", Decision: "allowed", Sent: true, BytesOut: 3, BytesIn: 2048, DurationMs: 1500},
		"reason network: there was no answer that this page may read · sent, 0 B out, 0 B in": {Capability: "fetch", Decision: "failed", Reason: "network", Sent: true},
		"reason raw_form · nothing was sent":                                                  {Capability: "fetch", Decision: "denied", Reason: "raw_form"},
		"4 ms":                                                                                {Capability: "storage", Decision: "allowed", DurationMs: 4},
	} {
		require.Equal(t, want, console.AskDetail(a))
	}
	require.Equal(t, "fetch read", console.AskWhat(audit.Ask{Capability: "fetch", Class: "read"}))
	require.Equal(t, "a[U+202E]b", console.AskScope(audit.Ask{Scope: "a\u202eb"}), "a record may hold text of a tool")
	require.Equal(t, "1.5 MiB", console.Size(3<<19))
}
