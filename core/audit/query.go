package audit

import (
	"context"
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Query chooses rows. A zero field chooses all.
type Query struct {
	Revision   canon.ToolID
	Task       canon.TaskID
	Capability string
	Decision   string
	Since      time.Time // from this on, to the millisecond
	Until      time.Time // before this
	Limit      int       // at most so many, the newest; 0: all
}

var decisions = []string{"allowed", "denied", "failed", "withdrawn", "open", Unreadable}

// Query gives the rows that all of it chooses, the newest first; those of one call come in the reverse of their order too. A row
// that cannot be read is chosen by its time, whatever else is asked, so that none can hide.
func (l *Log) Query(ctx context.Context, q Query) ([]Row, error) {
	if q.Limit < 0 {
		return nil, fault.New(fault.InvalidRequest, "audit: a limit of %d rows; leave it out for all", q.Limit)
	}
	if q.Decision != "" && !slices.Contains(decisions, q.Decision) {
		return nil, fault.New(fault.InvalidRequest, "audit: decision %.40q is none; there are %v", q.Decision, decisions)
	}
	after := ""
	if !q.Since.IsZero() {
		after = shelf.Key(room, moment(q.Since))
	}
	kept, err := l.o.Store.List(ctx, shelf.Under(room), after, 0)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "audit: cannot be read")
	}
	end := shelf.Key(room, moment(q.Until))
	rows := []Row{}
	for _, k := range slices.Backward(kept) {
		if !q.Until.IsZero() && k.Key >= end {
			continue
		}
		if r := read(k); q.chooses(r) {
			if rows = append(rows, r); len(rows) == q.Limit {
				break
			}
		}
	}
	return rows, nil
}

func (q Query) chooses(r Row) bool {
	return r.Decision == Unreadable ||
		(q.Revision.IsZero() || q.Revision == r.Tool) && (q.Task.IsZero() || q.Task == r.Task) &&
			(q.Capability == "" || q.Capability == r.Capability) && (q.Decision == "" || q.Decision == r.Decision)
}
