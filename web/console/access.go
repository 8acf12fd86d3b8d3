package console

import (
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

// Permissions is what a person is about with what the shown revision may do and has.
type Permissions struct {
	Access
	Loaded   bool
	Busy     bool
	Problem  *Failure    // why the last action did not happen
	Plan     *grant.Plan // that the person looks at
	Setting  string      // the secret that is being set, "" for none
	Origins  string      // that were typed for it
	Clearing bool        // the question before clearing what is stored

	of string // the revision
}

const permissionsHeading = "permissions-heading"

// SecretID is the field for the value of a secret. What is typed there is never in the model.
const SecretID = "secret-value"

// refresh reads what the shown revision of a desk may do and has.
func (m *Model) refresh(desk *Desk) {
	if desk == nil || m.engine == nil {
		return
	}
	revision := desk.Tool.Revision
	if desk.Permissions.of != revision {
		desk.Permissions = Permissions{of: revision}
	}
	m.background(func() func() {
		var access Access
		err := error(nil)
		trouble := recovered(func() { access, err = m.engine.Access(m.ctx, revision) })
		return func() {
			p := &desk.Permissions
			switch {
			case trouble != "":
				m.Trouble = trouble
			case p.of != revision: // another one is shown by now
			default:
				p.Access, p.Loaded = access, true
				if err != nil {
					p.Problem = failureOf(err)
				}
			}
		}
	})
}

// permit does one action on what the shown revision may do or has, says what was done and reads it again.
func (m *Model) permit(action func(revision string) error, done func(p *Permissions) (said, focus string)) {
	desk := m.Desk()
	if desk == nil || desk.Permissions.Busy {
		return
	}
	p := &desk.Permissions
	m.Note, p.Busy, p.Problem = "", true, nil
	revision := desk.Tool.Revision
	m.background(func() func() {
		err := error(nil)
		trouble := recovered(func() { err = action(revision) })
		return func() {
			p.Busy = false
			switch {
			case trouble != "":
				m.Trouble = trouble
			case p.of != revision:
			case err != nil:
				p.Problem = failureOf(err)
				m.announce("not done: " + p.Problem.Message)
				m.lead(desk, "permissions-problem")
			default:
				said, focus := done(p)
				if said != "" {
					m.announce(said)
				}
				m.lead(desk, focus)
			}
			m.refresh(desk)
		}
	})
}

// RevokeGrant ends a permission: the next request asks again.
func (m *Model) RevokeGrant(id string) {
	m.permit(func(string) error { return m.engine.Revoke(m.ctx, id) },
		func(*Permissions) (string, string) { return "revoked; the next request asks again", permissionsHeading })
}

// LookAtPlan shows what would be carried over from another revision.
func (m *Model) LookAtPlan(from string) {
	var plan grant.Plan
	m.permit(func(to string) (err error) {
		plan, err = m.engine.Plan(m.ctx, from, to)
		return err
	}, func(p *Permissions) (string, string) {
		p.Plan = &plan
		return "", "plan-heading"
	})
}

// CarryOver carries out the plan that is shown.
func (m *Model) CarryOver() {
	desk := m.Desk()
	if desk == nil || desk.Permissions.Plan == nil {
		return
	}
	plan := *desk.Permissions.Plan
	m.permit(func(string) error { return m.engine.Carry(m.ctx, plan.ID, plan.From.String(), plan.To.String()) },
		func(p *Permissions) (string, string) {
			p.Plan = nil
			return "permissions were carried over", permissionsHeading
		})
}

// ClosePlan leaves it.
func (m *Model) ClosePlan() {
	m.Desk().Permissions.Plan = nil
	m.focus(permissionsHeading)
}

// BeginSecret opens the form for a secret.
func (m *Model) BeginSecret(name string) {
	p := &m.Desk().Permissions
	p.Setting, p.Origins, p.Problem = name, namedOrigins(p.Forecast), nil
	for _, s := range p.Secrets {
		if s.Name == name && len(s.Origins) > 0 {
			p.Origins = strings.Join(s.Origins, " ")
		}
	}
	m.focus(SecretID)
}

// EndSecret closes it.
func (m *Model) EndSecret() {
	m.takeSecret()
	m.Desk().Permissions.Setting = ""
	m.focus("secrets-heading")
}

// KeepSecret keeps what stands in the field, which is empty from then on, whatever becomes of it.
func (m *Model) KeepSecret() {
	value := m.takeSecret()
	p := &m.Desk().Permissions
	name, origins := p.Setting, strings.FieldsFunc(p.Origins, func(r rune) bool { return r == ' ' || r == ',' || r == '\n' || r == '\t' })
	if name == "" {
		return
	}
	m.permit(func(revision string) error { return m.engine.SetSecret(m.ctx, revision, name, value, origins) },
		func(p *Permissions) (string, string) {
			p.Setting = ""
			return "secret " + name + " is kept", "secrets-heading"
		})
}

// ForgetSecret takes a secret away.
func (m *Model) ForgetSecret(name string) {
	m.permit(func(revision string) error { return m.engine.ForgetSecret(m.ctx, revision, name) },
		func(*Permissions) (string, string) { return "secret " + name + " is forgotten", "secrets-heading" })
}

// AskClear opens the question before what is stored is cleared, KeepStored closes it.
func (m *Model) AskClear() {
	m.Desk().Permissions.Clearing = true
	m.focus("clear-question")
}

// KeepStored leaves what is stored.
func (m *Model) KeepStored() {
	m.Desk().Permissions.Clearing = false
	m.focus("stored-heading")
}

// ClearStored forgets what the shown revision has stored.
func (m *Model) ClearStored() {
	m.permit(func(revision string) error { return m.engine.ClearStorage(m.ctx, revision) },
		func(p *Permissions) (string, string) {
			p.Clearing = false
			return "what it had stored is cleared", permissionsHeading
		})
}
