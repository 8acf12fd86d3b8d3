package console

import (
	"fmt"
	"strings"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/safe"
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

// reasonText says in words what a code of a denial by the person means.
func reasonText(code string) string {
	switch r := grant.Reason(code); r {
	case grant.Undeclared, grant.NotGranted, grant.TooManyPrompts:
		return ": " + r.Message()
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
