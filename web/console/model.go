package console

import (
	"context"
	"fmt"
	"time"
)

// Screen is the lock that drawing and changing share; vugu.EventEnv is one.
type Screen interface {
	Lock()
	UnlockOnly()
	UnlockRender()
}

// Powers are the things of a page that the model may ask for; a nil one is left out.
type Powers struct {
	Copy     func(text string) // to the clipboard
	Announce func(text string) // to assistive technology
	Focus    func(id string)   // to the element, once it is drawn
	// Reveal scrolls to the element, once it is drawn, and gives it the focus, when it is not in view.
	Reveal func(id string)
	Save   func(name, text string) // as a file of the person's
	// Chosen reads the file that a person chose in the input with that id; it blocks. A file of more bytes is an error.
	Chosen func(ctx context.Context, id string, most int) (name, text string, err error)
	// Visit makes the page's address name the tool, so that reloading and going back find it again.
	Visit func(tool string)
	// Hold remembers what has the focus before a question takes it, GiveBack brings it back there, once the question is gone.
	Hold, GiveBack func()
	// Take reads a field and empties it at once.
	Take func(id string) string
}

// View is what fills the main part of the page.
type View int

const (
	ShowTool View = iota
	ShowInstall
	ShowImport
	ShowAudit
)

// Model is the state of the page.
type Model struct {
	Ready   bool   // the first list of tools is here
	Trouble string // a fault of the console or the engine itself, until dismissed
	Note    string // what the last action did
	Copied  string // the text that was copied last
	Kept    string // where tools and tasks are kept, for a person
	View    View
	Tools   []Tool       // one a name, by name
	Form    *InstallForm // the draft that is shown: of a tool of one's own, or of a new version of one that is here
	Import  Import       // the last one

	Question *Question // that waits for an answer, nil for none
	Foreseen Foreseen  // of the form that is shown
	Audit    Audit

	ctx       context.Context
	engine    Engine
	screen    Screen
	powers    Powers
	selected  string
	desks     map[string]*Desk
	drawDue   bool
	logSeries int
	fresh     *InstallForm            // the draft of a tool of one's own
	editions  map[string]*InstallForm // the drafts of new versions, by the tool's name
}

// New returns the state before anything is loaded. Ending ctx aborts all that runs.
func New(ctx context.Context, engine Engine, screen Screen, powers Powers) *Model {
	fresh := exampleForm()
	return &Model{ctx: ctx, engine: engine, screen: screen, powers: powers, desks: map[string]*Desk{}, fresh: fresh, Form: fresh,
		editions: map[string]*InstallForm{}}
}

// Guard runs what a person's event does. A panic in it becomes Trouble instead of the end of the program.
func (m *Model) Guard(event func()) {
	defer func() {
		if cause := recover(); cause != nil {
			m.Trouble = fmt.Sprintf("console: internal fault: %v", cause)
		}
	}()
	event()
	m.foresee()
}

// Dismiss closes the trouble line.
func (m *Model) Dismiss() { m.Trouble = "" }

// CopyText puts text on the clipboard.
func (m *Model) CopyText(text string) {
	if m.powers.Copy == nil {
		return
	}
	m.powers.Copy(text)
	m.Copied = text
	m.announce("copied " + text)
	time.AfterFunc(2*time.Second, func() {
		m.update(func() {
			if m.Copied == text {
				m.Copied = ""
			}
		})
	})
}

// background does work without the lock and then what it returns with it.
func (m *Model) background(work func() (change func())) {
	go func() {
		var change func()
		trouble := recovered(func() { change = work() })
		m.update(func() {
			if trouble != "" {
				m.Trouble = trouble
			} else if change != nil {
				change()
			}
		})
	}()
}

// recovered keeps a fault of the engine from ending the page with all other runs.
func recovered(work func()) (trouble string) {
	defer func() {
		if cause := recover(); cause != nil {
			trouble = fmt.Sprintf("engine: internal fault: %v", cause)
		}
	}()
	work()
	return ""
}

// update is a change that no event of a person made.
func (m *Model) update(change func()) {
	m.screen.Lock()
	defer m.screen.UnlockRender()
	m.Guard(change)
}

// drawSoon asks for one drawing for all that changes within a moment; a flood of log lines costs no flood of drawings.
func (m *Model) drawSoon() {
	if m.drawDue {
		return
	}
	m.drawDue = true
	time.AfterFunc(80*time.Millisecond, func() { m.update(func() { m.drawDue = false }) })
}

func (m *Model) announce(text string) {
	if m.powers.Announce != nil {
		m.powers.Announce(text)
	}
}

func (m *Model) focus(id string) {
	if m.powers.Focus != nil {
		m.powers.Focus(id)
	}
}

func (m *Model) reveal(id string) {
	if m.powers.Reveal != nil {
		m.powers.Reveal(id)
	}
}

func (m *Model) visit(tool string) {
	if m.powers.Visit != nil {
		m.powers.Visit(tool)
	}
}

func (m *Model) hold() {
	if m.powers.Hold != nil {
		m.powers.Hold()
	}
}

func (m *Model) giveBack() {
	if m.powers.GiveBack != nil {
		m.powers.GiveBack()
	}
}

func (m *Model) takeSecret() string {
	if m.powers.Take == nil {
		return ""
	}
	return m.powers.Take(SecretID)
}
