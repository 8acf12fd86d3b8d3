package console

import (
	"slices"
	"strings"
)

// Desk is what a person has before them of one tool name.
type Desk struct {
	Tool      Tool // the active revision, or the newest one when none is active
	Arguments Arguments
	Run       Run
	History   []Tool // newest first
	Open      bool   // the details are unfolded
}

// Start installs the examples that are missing and loads the tools.
func (m *Model) Start() {
	m.background(func() func() {
		err := m.installExamples()
		if err != nil {
			return func() { m.Trouble = failureOf(err).Message }
		}
		return m.load("")
	})
}

// installExamples leaves alone what a person installed under the name of an example.
func (m *Model) installExamples() error {
	tools, err := m.engine.Tools(m.ctx)
	if err != nil {
		return err
	}
	for _, example := range examples {
		if slices.ContainsFunc(tools, func(t Tool) bool { return t.Name == example.name }) {
			continue
		}
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
		for _, t := range tools {
			m.seat(t, histories[t.Name])
		}
		if selecting != "" {
			m.selected = selecting
		}
		if m.selected == "" && len(tools) > 0 {
			m.selected = firstChoice(tools)
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
		desk.Arguments = argumentsFor(t.Parameters).keeping(desk.Arguments)
	}
	desk.Tool, desk.History = t, history
}

// Desk returns the desk of the selected tool; nil as long as there is none.
func (m *Model) Desk() *Desk { return m.desks[m.selected] }

// Showing says whether the main part shows that tool.
func (m *Model) Showing(name string) bool { return m.View == ShowTool && m.selected == name }

// Running says whether that tool has a run that has not ended.
func (m *Model) Running(name string) bool { return m.desks[name] != nil && m.desks[name].Run.Running }

// Select shows a tool.
func (m *Model) Select(name string) {
	m.View, m.selected, m.Note = ShowTool, name, ""
}

// Activate makes a revision of the selected tool the active one.
func (m *Model) Activate(revision string) {
	name := m.selected
	m.background(func() func() {
		if err := m.engine.Activate(m.ctx, name, revision); err != nil {
			return func() { m.Trouble = failureOf(err).Message }
		}
		change := m.load("")
		return func() {
			change()
			m.Note = name + ": " + Short(revision) + " is the active version now"
			m.announce(m.Note)
		}
	})
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
	return kind
}

// SetDisposable takes the choice for the next run.
func (d *Desk) SetDisposable(on bool) {
	if !d.Run.Running {
		d.Run.Disposable = on
	}
}
