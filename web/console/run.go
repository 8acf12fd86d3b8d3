package console

import (
	"context"
	"fmt"
)

// keptLogs is how many lines the page keeps of a run; the engine has its own, closer limit.
const keptLogs = 1000

// Run is the run of one tool that goes on, or its last one.
type Run struct {
	Running    bool
	Aborting   bool
	Disposable bool
	Started    bool // there was one
	Logs       []LogLine
	LogSeries  int // another number for other lines than before
	Dropped    int // lines of this series before the first of Logs
	Record     Record
	Result     string // the record's result for a reader

	cancel context.CancelFunc
}

// Run starts the shown revision of the selected tool with the arguments given: the revision, not the name, so that what a person
// reads on the page is what runs.
func (m *Model) Run() {
	desk := m.Desk()
	if desk == nil || desk.Run.Running {
		return
	}
	m.Note = ""
	arguments, problem := desk.Arguments.text()
	if problem != nil {
		problem.Line, problem.Column = 0, 0 // they are of the arguments, not of the tool's code; the message tells them
		desk.Run = Run{Started: true, Disposable: desk.Run.Disposable, Record: rejected(problem), LogSeries: m.nextSeries()}
		m.finish(desk, arguments)
		return
	}
	ctx, cancel := context.WithCancel(m.ctx)
	desk.Run = Run{Running: true, Started: true, Disposable: desk.Run.Disposable, LogSeries: m.nextSeries(), cancel: cancel}
	desk.Arguments.clearProblems()
	desk.Settings.Values.clearProblems()
	run, tool := &desk.Run, desk.Tool
	m.announce(tool.Name + " is running")
	m.background(func() func() {
		defer cancel()
		record, err := Record{}, error(nil)
		trouble := recovered(func() {
			record, err = m.engine.Run(ctx, tool.Revision, arguments, run.Disposable, func(line LogLine) { m.log(run, line) })
		})
		return func() {
			if trouble != "" {
				m.Trouble = trouble
				record = rejected(&Failure{Code: "internal", Message: trouble})
			} else if err != nil {
				record = rejected(failureOf(err))
			}
			run.Running, run.Aborting, run.cancel, run.Record = false, false, nil, record
			if record.Logs != nil {
				run.Logs, run.Dropped, run.LogSeries = record.Logs, 0, m.nextSeries()
			}
			m.finish(desk, arguments)
		}
	})
}

// rejected is the record of what never became a task.
func rejected(f *Failure) Record { return Record{Outcome: f.Code, Error: f} }

// finish tells how a run ended, also to who does not see the page, and leads to what was wrong, or else to the outcome. Who has
// typed something else since the run began is not led away from it.
func (m *Model) finish(desk *Desk, arguments string) {
	record := desk.Run.Record
	if record.Result != "" {
		desk.Run.Result = ResultText(record.Result)
	}
	m.refresh(desk)
	text := desk.Tool.Name + ": " + OutcomeText(record.Outcome)
	field, missing := "", false
	if f := record.Error; f != nil {
		text += ", " + f.Message
		missing = f.Code == "invalid_settings" && desk.Configurable()
		field = desk.Arguments.blame(*f)
	}
	switch typed, _ := desk.Arguments.text(); {
	case missing:
		m.blameSettings(desk, record.Error, desk.Tool.Current)
	case !m.Showing(desk.Tool.Name):
	case m.Question != nil: // it keeps the focus
	case field != "":
		m.focus(field)
	case typed == arguments:
		m.reveal("outcome-heading")
	}
	m.announce(text)
}

// Abort ends the run of the selected tool.
func (m *Model) Abort() {
	desk := m.Desk()
	if desk == nil || !desk.Run.Running || desk.Run.Aborting {
		return
	}
	desk.Run.Aborting = true
	desk.Run.cancel()
}

// log keeps a line of a run that goes on. The engine calls it without the lock, and perhaps too late: a run that ended has the
// logs of its record.
func (m *Model) log(run *Run, line LogLine) {
	m.screen.Lock()
	defer m.screen.UnlockOnly()
	if !run.Running {
		return
	}
	run.Logs = append(run.Logs, line)
	if over := len(run.Logs) - keptLogs; over > 0 {
		run.Logs, run.Dropped = run.Logs[over:], run.Dropped+over
	}
	m.drawSoon()
}

// nextSeries numbers logs, so that whoever draws them knows new ones from grown ones.
func (m *Model) nextSeries() int {
	m.logSeries++
	return m.logSeries
}

// LogCount says how many lines there are.
func (r *Run) LogCount() string {
	text := "1 line"
	if total := len(r.Logs) + r.Dropped; total != 1 {
		text = fmt.Sprintf("%d lines", total)
	}
	if !r.Running && r.Record.Dropped > 0 {
		text += fmt.Sprintf(", and %d more that were not kept", r.Record.Dropped)
	}
	return text
}
