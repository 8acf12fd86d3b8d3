package ui

import (
	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// Root is the page.
type Root struct{ Model *console.Model }

// Tools is the list of tools at the side.
type Tools struct{ Model *console.Model }

// Tool is all about the selected tool.
type Tool struct {
	Model *console.Model
	Desk  *console.Desk
}

// Arguments is the form that runs a tool.
type Arguments struct {
	Model *console.Model
	Desk  *console.Desk
}

// Outcome shows how a run goes on or ended.
type Outcome struct {
	Model *console.Model
	Desk  *console.Desk
}

// Failure shows the error of a run.
type Failure struct {
	Failure *console.Failure
	Code    string // of the tool, to show the line
	Ran     bool   // there was a task
}

// Fields asks for values: a form, or JSON text.
type Fields struct {
	Model  *console.Model
	Values *console.Values
	What   string // Arguments or Settings
}

// Settings is the form for the settings of the shown revision.
type Settings struct {
	Model *console.Model
	Desk  *console.Desk
}

// Versions lists the revisions of a name.
type Versions struct {
	Model *console.Model
	Desk  *console.Desk
}

// Comparison shows how a version differs from the active one.
type Comparison struct {
	Model      *console.Model
	Comparison *console.Comparison
}

// Consent asks the person for a permission.
type Consent struct {
	Model    *console.Model
	Question *console.Question
}

// Forecast lists what a tool will ask for and what it may do without.
type Forecast struct{ List []grant.Forecast }

// Permissions shows what the shown revision may do, and what is kept for it.
type Permissions struct {
	Model *console.Model
	Desk  *console.Desk
}

// Plan shows what would be carried over to the shown revision.
type Plan struct {
	Model *console.Model
	Plan  *grant.Plan
}

// Secrets are those of the shown revision.
type Secrets struct {
	Model       *console.Model
	Permissions *console.Permissions
}

// Asks lists what tools asked for.
type Asks struct {
	Model *console.Model
	Rows  []console.Audited
}

// askRows are the asks of one record, which says itself when it was and of whom.
func askRows(asks []audit.Ask) []console.Audited {
	rows := make([]console.Audited, len(asks))
	for i, a := range asks {
		rows[i].Ask = a
	}
	return rows
}

// Audit lists what all tools asked for.
type Audit struct{ Model *console.Model }

// Import shows what became of a file that was chosen.
type Import struct{ Model *console.Model }

// Details shows a revision whole.
type Details struct {
	Model *console.Model
	Desk  *console.Desk
}

// Install is the form for a tool of one's own.
type Install struct{ Model *console.Model }

// Refusal says why an installation was refused.
type Refusal struct{ Problem *console.InstallProblem }

// Identity is an id, shortened, that a click copies.
type Identity struct {
	Model *console.Model
	What  string // of what it is the id
	Text  string
}

func (c *Identity) hint() string {
	if c.Model.Copied == c.Text {
		return "copied"
	}
	return "copy"
}

func (c *Install) heading() string {
	if c.Model.Form.Of == "" {
		return "Install a tool"
	}
	return "New version of " + c.Model.Form.Of
}

func (c *Install) nameHint() string {
	switch {
	case c.Model.Form.Of != "":
		return "another name would be another tool: use Install a tool"
	case c.Model.Taken():
		return "a tool of this name is here: this becomes its next version"
	}
	return "1 to 64 letters, digits, _ or -"
}

func (c *Install) invalid(part string) any { return when(c.Model.Form.Wrong(part), "true") }

func (c *Refusal) place() string {
	place := c.Problem.Place()
	if c.Problem.Part == "" || place == "" {
		return place
	}
	return c.Problem.Part + ", " + place
}
