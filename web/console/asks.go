package console

import (
	"fmt"
	"strings"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/safe"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
)

// mostAudited is how many rows of the audit the page shows.
const mostAudited = 200

// Audit is the list of what all tools have asked for.
type Audit struct {
	Rows     []Audited
	Decision string // that is chosen, "" for all
	Loaded   bool
	Busy     bool
	Problem  *Failure
}

// Decisions are what can be chosen, "" for all.
var Decisions = []string{"", "allowed", "denied", "failed", "withdrawn", "open"}

// ShowAuditList shows what tools have asked for.
func (m *Model) ShowAuditList() {
	m.View, m.Note = ShowAudit, ""
	m.focus("audit-heading")
	m.ReloadAudit()
}

// ChooseDecision shows the rows with one decision, "" for all.
func (m *Model) ChooseDecision(decision string) {
	m.Audit.Decision = decision
	m.ReloadAudit()
}

// ReloadAudit reads the audit. A choice that was made meanwhile is read after it.
func (m *Model) ReloadAudit() {
	if m.Audit.Busy {
		return
	}
	m.Audit.Busy, m.Audit.Problem = true, nil
	decision := m.Audit.Decision
	m.background(func() func() {
		var rows []Audited
		err := error(nil)
		trouble := recovered(func() { rows, err = m.engine.Audit(m.ctx, decision, mostAudited) })
		return func() {
			m.Audit.Busy = false
			switch {
			case trouble != "":
				m.Trouble = trouble
			case err != nil:
				m.Audit.Problem = failureOf(err)
			case decision != m.Audit.Decision:
				m.ReloadAudit()
			default:
				m.Audit.Loaded, m.Audit.Rows = true, rows
			}
		}
	})
}

// AskTone is the colour of a decision.
func AskTone(decision string) string {
	switch decision {
	case "allowed":
		return "good"
	case "denied", "withdrawn", "open":
		return "odd"
	}
	return "bad"
}

// AskWhat says what was asked for.
func AskWhat(a audit.Ask) string { return strings.TrimSpace(a.Capability + " " + a.Class) }

// AskScope is what an ask was about. In a record it may be text of the tool.
func AskScope(a audit.Ask) string { return safe.Text(a.Scope, 320) }

// AskDetail is the rest of an ask in one line.
func AskDetail(a audit.Ask) string {
	var parts []string
	if a.Reason != "" {
		parts = append(parts, "reason "+safe.Text(a.Reason, 64)+reasonText(a.Reason))
	}
	if a.Sent {
		parts = append(parts, "sent, "+Size(a.BytesOut)+" out, "+Size(a.BytesIn)+" in")
	} else if a.Capability != "storage" && a.Capability != "subtasks" && a.Capability != "resolve" {
		parts = append(parts, "nothing was sent")
	}
	if took := Took(time.Duration(a.DurationMs * float64(time.Millisecond))); took != "" {
		parts = append(parts, took)
	}
	return strings.Join(parts, " · ")
}

// reasons are in words what a person can change something about; another code of a reason stands for itself.
var reasons = map[string]string{
	string(grant.Undeclared):     "the tool does not declare this need",
	string(policy.NoNeed):        "the tool does not declare this need",
	string(grant.NotGranted):     "you have not allowed it",
	string(grant.TooManyPrompts): "too many questions waited for you already",
	string(policy.Self):          "it is this page's own site",
	string(secret.Missing):       "the secret that it uses is not set for this version",
	string(secret.Misplaced):     "the secret that it uses may not go there",
	power.Network:                "there was no answer that this page may read",
	power.RedirectBlocked:        "the answer leads elsewhere",
	power.TimedOut:               "it took too long",
	power.TooLarge:               "the answer was too large",
}

func reasonText(code string) string {
	if text := reasons[code]; text != "" {
		return ": " + text
	}
	return ""
}

// AuditMoment is when the call of a row ended, for a reader.
func AuditMoment(r Audited) string {
	at, err := time.Parse(time.RFC3339Nano, r.At)
	if err != nil {
		return ""
	}
	return at.Local().Format("2006-01-02 15:04:05")
}

// Size is a number of bytes for a reader.
func Size(n int) string {
	switch {
	case n < 1024:
		return fmt.Sprintf("%d B", n)
	case n < 1024*1024:
		return fmt.Sprintf("%.1f KiB", float64(n)/1024)
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/1024/1024)
}
