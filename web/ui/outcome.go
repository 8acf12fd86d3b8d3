package ui

import "github.com/xyntopia/taskyon-sandbox/web/console"

func (c *Outcome) ended() bool { return c.Desk.Run.Started && !c.Desk.Run.Running }

// tone is never the only sign: the word stands in it.
func (c *Outcome) tone() string {
	switch {
	case c.Desk.Run.Running:
		return "busy"
	case !c.Desk.Run.Started:
		return "none"
	}
	return console.Tone(c.Desk.Run.Record.Outcome)
}

func (c *Outcome) verdict() string {
	switch {
	case c.Desk.Run.Running:
		return "running"
	case !c.Desk.Run.Started:
		return ""
	}
	return console.OutcomeText(c.Desk.Run.Record.Outcome)
}

func (c *Outcome) took() string {
	if !c.ended() {
		return ""
	}
	return console.Took(c.Desk.Run.Record.Duration)
}

func (c *Outcome) waiting() string {
	if c.Desk.Run.Aborting {
		return "Aborting"
	}
	return "Running"
}

// title tells a tool's error from a call that never became a task.
func (c *Failure) title() string {
	if !c.Ran {
		return "No task ran"
	}
	return c.Failure.Name
}

func (c *Failure) excerpt() string { return console.Excerpt(c.Code, c.Failure.Line, c.Failure.Column) }

// behind is what a failure says besides its message.
func (c *Failure) behind() string {
	switch {
	case c.Failure.Thrown != "":
		return "Thrown: " + console.ResultText(c.Failure.Thrown)
	case c.Failure.Cause != "":
		return "Cause: " + console.Bounded(c.Failure.Cause)
	}
	return ""
}
