package console

// Settings are what a person gives one revision of a tool for all its runs.
type Settings struct {
	Values Values
	Busy   bool
}

// settingsFor starts with what the revision has now.
func settingsFor(t Tool) Settings {
	s := Settings{Values: valuesFor(settingID, t.Settings)}
	if t.Current != "" {
		s.Values.show(t.Current)
	}
	return s
}

// Configurable says whether the tool declares settings.
func (d *Desk) Configurable() bool { return d.Tool.Settings != nil }

// Unset says whether the tool declares settings and this revision has none.
func (d *Desk) Unset() bool { return d.Configurable() && d.Tool.Current == "" }

// SaveSettings makes what the card holds the settings of the shown revision.
func (m *Model) SaveSettings() {
	desk := m.Desk()
	if desk == nil || desk.Settings.Busy {
		return
	}
	m.Note = ""
	desk.Settings.Values.clearProblems()
	text, problem := desk.Settings.Values.text()
	if problem != nil {
		m.blameSettings(desk, problem, text)
		return
	}
	desk.Settings.Busy = true
	name, revision := desk.Tool.Name, desk.Tool.Revision
	m.background(func() func() {
		err := error(nil)
		if trouble := recovered(func() { err = m.engine.SetSettings(m.ctx, revision, text) }); trouble != "" {
			return func() { desk.Settings.Busy, m.Trouble = false, trouble }
		}
		if err != nil {
			return func() { desk.Settings.Busy = false; m.blameSettings(desk, failureOf(err), text) }
		}
		change := m.load("")
		return func() {
			desk.Settings.Busy = false
			change()
			m.announce(name + ": settings saved for version " + Short(revision))
		}
	})
}

// blameSettings shows a failure about settings, those in judged, in their card and leads there.
func (m *Model) blameSettings(desk *Desk, f *Failure, judged string) {
	values := &desk.Settings.Values
	id := values.blame(*f)
	if id == "" {
		id = values.lack(judged, f.Message)
	}
	if id == "" {
		id, values.Problem = settingsHeading, f.Message
	}
	m.announce("settings: " + f.Message)
	if m.Showing(desk.Tool.Name) {
		m.focus(id)
	}
}

const settingsHeading = "settings-heading"

// GoToSettings leads to the card.
func (m *Model) GoToSettings() { m.focus(settingsHeading) }
