package console

import (
	"encoding/json"
	"fmt"
)

// ShowInstall shows the form for a tool of one's own as it was left. It never holds the draft of a new version.
func (m *Model) ShowInstall() { m.showForm(m.fresh) }

// Edit shows the form for the next version of a tool, filled with a revision. A draft that was started from the same revision is
// shown as it was left. A revision itself never changes.
func (m *Model) Edit(t Tool) {
	form := m.editions[t.Name]
	if form == nil || form.base != t.Revision {
		form = &InstallForm{Of: t.Name, base: t.Revision, Activate: true, Definition: Pretty(t.Definition), Name: t.Name,
			Description: t.Description, Parameters: Pretty(compact(t.Parameters)), Code: t.Code}
		form.Raw = !form.holds(t.Definition)
		m.editions[t.Name] = form
	}
	m.showForm(form)
}

func (m *Model) showForm(form *InstallForm) {
	m.View, m.Note, m.Form = ShowInstall, "", form
	m.focus("install-heading")
}

// Cancel throws the shown draft away and goes back to the tool.
func (m *Model) Cancel() {
	if m.Form.Busy {
		return
	}
	m.forget(m.Form, exampleForm())
	if m.Desk() != nil {
		m.View = ShowTool
		m.focus("tool-heading")
	}
}

// forget drops a draft; next is the one for a tool of one's own after it.
func (m *Model) forget(form, next *InstallForm) {
	if form == m.fresh {
		m.fresh = next
	} else if m.editions[form.Of] == form {
		delete(m.editions, form.Of)
	}
	if m.Form == form {
		m.Form = m.fresh
	}
}

// InstallTool installs what the form holds and shows the tool. The form keeps its text when that is refused, and is empty after it.
func (m *Model) InstallTool() {
	form := m.Form
	if form.Busy {
		return
	}
	m.Note = ""
	definition, failure := form.text()
	if failure == nil {
		failure = form.renamed(definition)
	}
	if failure != nil {
		m.refuse(form, failure)
		return
	}
	form.Busy, form.Problem = true, nil
	activate := form.Activate
	m.background(func() func() {
		revision, err := "", error(nil)
		if trouble := recovered(func() { revision, err = m.engine.Install(m.ctx, definition, activate) }); trouble != "" {
			return func() { form.Busy, m.Trouble = false, trouble }
		}
		if err != nil {
			return func() { form.Busy = false; m.refuse(form, failureOf(err)) }
		}
		name := nameIn(definition)
		change := m.load(name)
		return func() {
			form.Busy = false
			m.forget(form, emptyForm())
			change()
			m.installed(name, revision)
		}
	})
}

// renamed keeps a new version of one tool from becoming a version of another.
func (f *InstallForm) renamed(definition string) *Failure {
	name := nameIn(definition)
	if f.Of == "" || name == f.Of || strict(definition) != nil {
		return nil
	}
	return &Failure{Code: "invalid_definition", Path: "$.name",
		Message: fmt.Sprintf("name: is %q, but this is a new version of %q; use Install a tool for another name", name, f.Of)}
}

// Taken says whether the form for a tool of one's own holds the name of a tool that is here.
func (m *Model) Taken() bool { return m.Form.Of == "" && !m.Form.Raw && m.desks[m.Form.Name] != nil }

// installed shows the tool. Whether the revision is active is read from the list, not from the form: it may have been before.
func (m *Model) installed(name, revision string) {
	m.Note = name + ": installed as " + Short(revision)
	if desk := m.desks[name]; desk != nil && desk.Tool.Active && desk.Tool.Revision == revision {
		m.Note += " and active"
	} else {
		m.Note += ", not active yet; activate it under Versions"
	}
	m.View, m.selected = ShowTool, name
	m.visit(name)
	m.refresh(m.Desk())
	m.announce(m.Note)
	m.focus("tool-heading")
}

func nameIn(definition string) string {
	var d struct{ Name string }
	_ = json.Unmarshal([]byte(definition), &d)
	return d.Name
}

func (m *Model) refuse(form *InstallForm, f *Failure) {
	form.refuse("Not installed", f)
	m.announce("not installed: " + f.Message)
	if m.Form == form {
		m.focus("install-problem")
	}
}
