package audit

import (
	"context"
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Options are what a Log needs. All must be given.
type Options struct {
	Store  shelf.Store
	Limits limits.Limits // AuditRows
	Now    func() time.Time
	Writer string // tells this log's keys from those of others: letters and digits that no other log has
}

// Log is the audit of one engine. It is safe for concurrent use, and needs no closing.
//
// It holds at most limits.AuditRows rows. Where several engines append to one shelf at once, each knows of the others' rows when it counts anew, after
// every tenth of the limit: meanwhile there may be up to a tenth more for each of the others.
type Log struct {
	o Options

	mu      sync.Mutex
	writer  string    // tells this log's keys from those of others
	last    time.Time // of the last append: the clock of a machine may go back, the order of rows does not
	written int
	rows    int // that there are, as far as is known
	trusted int // how many appends until they are counted anew
}

// New makes a Log.
func New(o Options) *Log { return &Log{o: o, writer: o.Writer} }

// Append adds one row for each ask of a call that has ended, all or none. Of more than the log holds the last stay.
func (l *Log) Append(ctx context.Context, c Call) error {
	limit := l.o.Limits.AuditRows
	asks := c.Asks[max(0, len(c.Asks)-limit):]
	if len(asks) == 0 {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.count(ctx, len(asks)); err != nil {
		return failed(err)
	}
	var changes []shelf.Change
	if over := l.rows + len(asks) - limit; over > 0 {
		var err error
		if changes, err = l.oldest(ctx, over+limit/100); err != nil { // some more, so that it is not done for every call
			return failed(err)
		}
	}
	removed := len(changes)
	at := l.o.Now()
	if at.Before(l.last) {
		at = l.last
	}
	for i, a := range asks {
		text, err := c.row(at, a).bytes()
		if err != nil {
			return err
		}
		changes = append(changes, shelf.Change{Key: key(at, l.writer, l.written+i), Value: text})
	}
	if err := l.o.Store.Put(ctx, changes...); err != nil {
		l.trusted = 0
		return failed(err)
	}
	l.last, l.written, l.rows = at, l.written+len(asks), l.rows+len(asks)-removed
	return nil
}

func failed(err error) error { return fault.Wrap(fault.Unavailable, err, "audit: rows were not kept") }

// count learns how many rows there are, if it is time to.
func (l *Log) count(ctx context.Context, more int) error {
	if l.trusted > 0 {
		l.trusted -= more
		return nil
	}
	rows, err := l.o.Store.List(ctx, shelf.Under(room), "", 0)
	if err != nil {
		return err
	}
	l.rows, l.trusted = len(rows), l.o.Limits.AuditRows/10-more
	return nil
}

// oldest takes away so many rows, if there are.
func (l *Log) oldest(ctx context.Context, n int) ([]shelf.Change, error) {
	rows, err := l.o.Store.List(ctx, shelf.Under(room), "", n)
	if err != nil {
		return nil, err
	}
	changes := make([]shelf.Change, len(rows), len(rows)+n)
	for i, r := range rows {
		changes[i] = shelf.Change{Key: r.Key}
	}
	return changes, nil
}

// Clear forgets all rows.
func (l *Log) Clear(ctx context.Context) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.trusted = 0
	return l.o.Store.Clear(ctx, shelf.Under(room))
}
