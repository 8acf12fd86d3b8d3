package console

import "time"

// Versions is what a person is about with the versions of a tool.
type Versions struct {
	Asking     Asking
	Reason     string   // what was typed for a block
	Problem    *Failure // why the last action did not happen
	Comparison *Comparison
	Busy       bool
}

// Asking is an action that waits for a person's word; the zero value is none.
type Asking struct {
	Action   Action
	Revision string
}

// Action is what may be done to a version and needs a word first.
type Action string

const (
	Block Action = "block"
	Erase Action = "erase"
)

// Comparison is how a version differs from the active one.
type Comparison struct {
	Before, After string // revisions
	Changes       []Change
}

// fit drops what is about versions that are gone or mean something else now.
func (v *Versions) fit(history []Tool) {
	active, here := "", map[string]bool{}
	for _, t := range history {
		here[t.Revision] = true
		if t.Active {
			active = t.Revision
		}
	}
	if c := v.Comparison; c != nil && (c.Before != active || !here[c.After]) {
		v.Comparison = nil
	}
	if !here[v.Asking.Revision] {
		v.Asking = Asking{}
	}
}

// ActiveRevision is the revision that the name means now, "" for none.
func (d *Desk) ActiveRevision() string {
	for _, t := range d.History {
		if t.Active {
			return t.Revision
		}
	}
	return ""
}

// When says in words since when a version is active, or when it was made so last. Stores do not keep the time of an installation.
func (t *Tool) When() string {
	switch {
	case t.Bound.IsZero():
		return "never active"
	case t.Active:
		return "active since " + moment(t.Bound)
	}
	return "made active " + moment(t.Bound)
}

func moment(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// Ask opens the question before an action.
func (m *Model) Ask(action Action, revision string) {
	desk := m.Desk()
	m.Note, desk.Versions.Problem, desk.Versions.Reason = "", nil, ""
	desk.Versions.Asking = Asking{action, revision}
	switch action {
	case Block:
		m.focus("block-reason")
	case Erase:
		m.focus("erase-question")
	}
}

// Unask closes the question.
func (m *Model) Unask() {
	m.Desk().Versions.Asking = Asking{}
	m.focus("versions-heading")
}

// Activate makes a revision of the selected tool the active one.
func (m *Model) Activate(revision string) {
	name := m.selected
	m.change(func() error { return m.engine.Activate(m.ctx, name, revision) }, name+": "+Short(revision)+" is the active version now")
}

// RemoveName makes the name of the selected tool mean nothing.
func (m *Model) RemoveName() {
	name := m.selected
	m.change(func() error { return m.engine.Remove(m.ctx, name) },
		name+": removed; calls by name find nothing, and its versions can be activated again")
}

// Answer does what was asked.
func (m *Model) Answer() {
	desk := m.Desk()
	asked, reason := desk.Versions.Asking, desk.Versions.Reason
	switch asked.Action {
	case Block:
		m.change(func() error { return m.engine.Block(m.ctx, asked.Revision, reason) }, Short(asked.Revision)+" is blocked")
	case Erase:
		m.change(func() error { return m.engine.Erase(m.ctx, asked.Revision) }, Short(asked.Revision)+" is erased")
	}
}

// Unblock takes the block of a revision back.
func (m *Model) Unblock(revision string) {
	m.change(func() error { return m.engine.Unblock(m.ctx, revision) }, Short(revision)+" is not blocked any more")
}

// Compare shows how a revision differs from the active one.
func (m *Model) Compare(revision string) {
	desk := m.Desk()
	before := desk.ActiveRevision()
	var changes []Change
	m.try(desk, func() (err error) {
		changes, err = m.engine.Diff(m.ctx, before, revision)
		return err
	}, func() {
		desk.Versions.Comparison = &Comparison{Before: before, After: revision, Changes: changes}
		m.lead(desk, "comparison-heading")
	})
}

// EndComparison closes it.
func (m *Model) EndComparison() {
	m.Desk().Versions.Comparison = nil
	m.focus("versions-heading")
}

// change does something to the versions of the selected tool, reads them again and says what was done.
func (m *Model) change(action func() error, done string) {
	desk := m.Desk()
	var change func()
	m.try(desk, func() error {
		if err := action(); err != nil {
			return err
		}
		change = m.load("")
		return nil
	}, func() {
		shown := m.Desk() == desk && m.View == ShowTool
		desk.Versions.Asking = Asking{}
		change()
		m.announce(done)
		if !shown {
			return
		}
		m.Note = done
		m.lead(desk, "versions-heading")
		if m.Desk() != desk { // its last version was erased
			m.focus("tool-heading")
		}
	})
}

// lead moves the focus to a part of a desk that a person still has before them.
func (m *Model) lead(desk *Desk, id string) {
	if m.Desk() == desk && m.View == ShowTool {
		m.focus(id)
	}
}

// try does one action on the versions of a tool at a time; why it did not happen is said among them.
func (m *Model) try(desk *Desk, action func() error, then func()) {
	if desk == nil || desk.Versions.Busy {
		return
	}
	m.Note, desk.Versions.Busy, desk.Versions.Problem = "", true, nil
	m.background(func() func() {
		err := error(nil)
		trouble := recovered(func() { err = action() })
		return func() {
			desk.Versions.Busy = false
			switch {
			case trouble != "":
				m.Trouble = trouble
			case err != nil:
				desk.Versions.Problem = failureOf(err)
				m.announce("not done: " + desk.Versions.Problem.Message)
				m.lead(desk, "versions-problem")
			default:
				then()
			}
		}
	})
}
