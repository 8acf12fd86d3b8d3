package ui

import "github.com/xyntopia/taskyon-sandbox/web/console"

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

// Versions lists the revisions of a name.
type Versions struct {
	Model *console.Model
	Desk  *console.Desk
}

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

func (c *Install) invalid(part string) any { return when(c.Model.Form.Wrong(part), "true") }

func (c *Refusal) place() string {
	place := c.Problem.Place()
	if c.Problem.Part == "" || place == "" {
		return place
	}
	return c.Problem.Part + ", " + place
}
