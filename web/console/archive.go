package console

import (
	"fmt"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// Import is what became of a file that a person chose.
type Import struct {
	Busy    bool
	File    string
	Report  Report
	Problem *Failure // why nothing came in
}

// ImportID is the input that chooses a file.
const ImportID = "import-file"

// Export gives the person a file with the shown revision. It holds no settings: they may be private.
func (m *Model) Export() {
	desk := m.Desk()
	if desk == nil || m.powers.Save == nil {
		return
	}
	name, revision := desk.Tool.Name, desk.Tool.Revision
	text := ""
	m.try(desk, func() (err error) {
		text, err = m.engine.Export(m.ctx, revision)
		return err
	}, func() {
		file := name + ".taskyon.jsonl"
		m.powers.Save(file, text)
		m.Note = "exported " + Short(revision) + " as " + file
		m.announce(m.Note)
	})
}

// ImportFile takes in the file that was chosen and shows what became of it.
func (m *Model) ImportFile() {
	if m.Import.Busy || m.powers.Chosen == nil {
		return
	}
	m.Note, m.Import = "", Import{Busy: true}
	m.background(func() func() {
		var done Import
		trouble := recovered(func() { done = m.takeIn() })
		if trouble != "" {
			return func() { m.Import, m.Trouble = Import{}, trouble }
		}
		change := m.load("")
		return func() {
			change()
			m.Import, m.View = done, ShowImport
			m.announce(done.Summary())
			m.focus("import-heading")
		}
	})
}

// takeIn blocks until the file is read and imported.
func (m *Model) takeIn() (done Import) {
	name, text, err := m.powers.Chosen(m.ctx, ImportID, limits.Default().ArchiveBytes)
	done.File = name
	if err == nil {
		done.Report, err = m.engine.Import(m.ctx, text)
	}
	if err != nil {
		done.Problem = failureOf(err)
	}
	return done
}

// Summary is the report in one sentence.
func (i *Import) Summary() string {
	if i.Problem != nil {
		return "nothing was imported: " + i.Problem.Message
	}
	var came []string
	for _, c := range i.Report.Counts {
		if c.New > 0 {
			came = append(came, fmt.Sprintf("%s: %d new", c.What, c.New))
		}
	}
	if came == nil {
		came = []string{"nothing new"}
	}
	return fmt.Sprintf("%s, %d refused", strings.Join(came, ", "), len(i.Report.Refused))
}

// BackToTool goes back to the tool.
func (m *Model) BackToTool() {
	m.View = ShowTool
	m.settle()
	m.focus("tool-heading")
}
