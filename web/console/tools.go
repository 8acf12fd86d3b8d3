package console

import (
	"maps"
	"slices"
	"strings"
)

// Desk is what a person has before them of one tool name.
type Desk struct {
	Tool        Tool // the active revision, or the newest one when none is active
	Arguments   Values
	Settings    Settings
	Permissions Permissions
	Run         Run
	Versions    Versions
	History     []Tool // newest first
	Open        bool   // the details are unfolded
}

// Start installs the examples on a first visit and loads the tools; the named one is shown, "" for any.
func (m *Model) Start(name string) {
	m.background(func() func() {
		err := m.installExamples()
		if err != nil {
			return func() { m.Trouble = failureOf(err).Message }
		}
		return m.load(name)
	})
}

// installExamples does nothing where a tool is: a person may have installed, removed or erased what was an example.
func (m *Model) installExamples() error {
	tools, err := m.engine.Tools(m.ctx)
	if err != nil || len(tools) > 0 {
		return err
	}
	for _, example := range examples {
		if _, err := m.engine.Install(m.ctx, example.definition, true); err != nil {
			return err
		}
	}
	return nil
}

// load reads tools and, for the one to select, its versions; "" keeps the selection.
func (m *Model) load(selecting string) (change func()) {
	tools, err := m.engine.Tools(m.ctx)
	if err != nil {
		return func() { m.Trouble = failureOf(err).Message }
	}
	slices.SortStableFunc(tools, func(a, b Tool) int { return strings.Compare(a.Name, b.Name) })
	histories := map[string][]Tool{}
	for _, t := range tools {
		if histories[t.Name], err = m.engine.History(m.ctx, t.Name); err != nil {
			return func() { m.Trouble = failureOf(err).Message }
		}
	}
	return func() {
		m.Ready, m.Tools = true, tools
		maps.DeleteFunc(m.desks, func(name string, _ *Desk) bool { return histories[name] == nil })
		for _, t := range tools {
			m.seat(t, histories[t.Name])
		}
		if selecting != "" && m.desks[selecting] == nil {
			m.Trouble = "tool " + selecting + ": is not here; it may have been erased"
		} else if selecting != "" {
			m.selected = selecting
		}
		m.settle()
		m.refresh(m.Desk())
	}
}

// settle selects a tool when the selected one is gone.
func (m *Model) settle() {
	switch {
	case m.Desk() != nil:
	case len(m.Tools) > 0:
		m.selected = firstChoice(m.Tools)
	default:
		m.selected = ""
		if m.View == ShowTool {
			m.View, m.Form = ShowInstall, m.fresh
		}
	}
}

// firstChoice is the example a person meets first, if it is there.
func firstChoice(tools []Tool) string {
	for _, t := range tools {
		if t.Name == examples[0].name {
			return t.Name
		}
	}
	return tools[0].Name
}

// seat puts a tool on its desk. What was typed and what ran stays there as long as it fits.
func (m *Model) seat(t Tool, history []Tool) {
	desk := m.desks[t.Name]
	if desk == nil {
		desk = &Desk{}
		m.desks[t.Name] = desk
	}
	if desk.Tool.Revision != t.Revision {
		desk.Arguments = valuesFor(argumentID, t.Parameters).keeping(desk.Arguments)
	}
	if desk.Tool.Revision != t.Revision || desk.Tool.Current != t.Current {
		desk.Settings = settingsFor(t)
	}
	desk.Tool, desk.History = t, history
	desk.Versions.fit(history)
}

// Desk returns the desk of the selected tool; nil as long as there is none.
func (m *Model) Desk() *Desk { return m.desks[m.selected] }

// Showing says whether the main part shows that tool.
func (m *Model) Showing(name string) bool { return m.View == ShowTool && m.selected == name }

// Running says whether that tool has a run that has not ended.
func (m *Model) Running(name string) bool { return m.desks[name] != nil && m.desks[name].Run.Running }

// Select shows a tool that a person chose, and makes the page's address name it.
func (m *Model) Select(name string) {
	m.show(name)
	m.visit(name)
}

// Revisit shows the tool that the page's address names since a person went back or forth, "" for the first one.
func (m *Model) Revisit(name string) {
	m.update(func() {
		if name == "" && len(m.Tools) > 0 {
			name = firstChoice(m.Tools)
		}
		if m.desks[name] != nil && !m.Showing(name) {
			m.show(name)
		}
	})
}

func (m *Model) show(name string) {
	m.View, m.selected, m.Note = ShowTool, name, ""
	m.focus("tool-heading")
	m.refresh(m.Desk())
}

// Kind is what the tool is made of, in words.
func (d *Desk) Kind() string {
	kind := strings.ReplaceAll(d.Tool.Class, "-", " ")
	if d.Tool.Language != "" {
		kind += ", " + d.Tool.Language
	}
	if !d.Tool.Active {
		kind += ", not active"
	}
	if d.Tool.Blocked {
		kind += ", blocked"
	}
	return kind
}

// SetDisposable takes the choice for the next run.
func (d *Desk) SetDisposable(on bool) {
	if !d.Run.Running {
		d.Run.Disposable = on
	}
}
