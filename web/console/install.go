package console

import "encoding/json"

// ShowInstall shows the form as it was left.
func (m *Model) ShowInstall() {
	m.View, m.Note = ShowInstall, ""
	m.focus("install-heading")
}

// Edit fills the form with a revision, to become the next version of its name. A revision itself never changes.
func (m *Model) Edit(t Tool) {
	m.Form = InstallForm{Activate: true, Definition: Pretty(t.Definition), Name: t.Name, Description: t.Description,
		Parameters: Pretty(compact(t.Parameters)), Code: t.Code}
	m.Form.Raw = !m.Form.holds(t.Definition)
	m.ShowInstall()
}

// InstallTool installs what the form holds and shows the tool. The form keeps its text either way, for the next version or the
// next try.
func (m *Model) InstallTool() {
	form := &m.Form
	if form.Busy {
		return
	}
	definition, failure := form.text()
	if failure != nil {
		m.refuse(failure)
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
			return func() { form.Busy = false; m.refuse(failureOf(err)) }
		}
		name := nameIn(definition)
		change := m.load(name)
		return func() {
			form.Busy, form.Activate = false, true // to leave a version inactive is a choice for that version
			change()
			m.installed(name, revision)
		}
	})
}

// installed shows the tool. Whether the revision is active is read from the list, not from the form: it may have been before.
func (m *Model) installed(name, revision string) {
	m.Note = name + ": installed as " + Short(revision)
	if desk := m.desks[name]; desk != nil && desk.Tool.Active && desk.Tool.Revision == revision {
		m.Note += " and active"
	} else {
		m.Note += ", not active yet; activate it under Versions"
	}
	m.View, m.selected = ShowTool, name
	m.announce(m.Note)
	m.focus("tool-heading")
}

func nameIn(definition string) string {
	var d struct{ Name string }
	_ = json.Unmarshal([]byte(definition), &d)
	return d.Name
}

func (m *Model) refuse(f *Failure) {
	m.Form.refuse(f)
	m.announce("not installed: " + f.Message)
	m.focus("install-problem")
}
