package adapter

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// Export implements console.Engine.
func (e *Engine) Export(ctx context.Context, revision string) (string, error) {
	id, err := canon.ParseToolID(revision)
	if err != nil {
		return "", err
	}
	return e.core.ExportRevision(ctx, id, archive.Options{})
}

// Import implements console.Engine.
func (e *Engine) Import(ctx context.Context, text string) (console.Report, error) {
	report, err := e.core.Import(ctx, []byte(text))
	if err != nil {
		return console.Report{}, err
	}
	return reportOf(report), nil
}

func reportOf(r *archive.Report) console.Report {
	out := console.Report{More: r.RefusedMore + r.ConvertedMore}
	for _, row := range []struct {
		what  string
		count archive.Count
	}{{"revisions", r.Revisions}, {"tasks", r.Tasks}, {"records", r.Records}} {
		out.Counts = append(out.Counts, console.Count{What: row.what, New: row.count.New, Known: row.count.Known})
	}
	for _, refusal := range r.Refused {
		out.Refused = append(out.Refused, console.Line{Place: refusal.Place.String(), Code: string(refusal.Code), Text: refusal.Message})
	}
	for _, note := range r.Converted {
		out.Notes = append(out.Notes, console.Line{Place: note.Place.String(), Text: note.Text})
	}
	return out
}
