package grant

import (
	"context"
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/safe"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Grant is what stands, or stood, of one decision.
type Grant struct {
	ID          string       `json:"id"`
	Revision    canon.ToolID `json:"revision"`
	Node        canon.TaskID `json:"node,omitempty"` // the node that defines the tool of a chat
	Tool        string       `json:"tool"`           // its name when the user decided
	Capability  string       `json:"capability"`
	Scope       string       `json:"scope"`
	Class       Class        `json:"class,omitempty"`
	Lifetime    Answer       `json:"lifetime"` // session or always
	Active      bool         `json:"active"`
	Credentials []string     `json:"credentials,omitempty"` // headers that a prompt has named
	History     []Event      `json:"history"`               // the oldest first; of a long one the last MostEvents
}

// MostEvents bounds the history of a grant.
const MostEvents = 32

// Event is one turn in the life of a grant.
type Event struct {
	At   string       `json:"at"` // RFC 3339, UTC
	What What         `json:"what"`
	From canon.ToolID `json:"from,omitempty"` // the revision that it was carried over from
}

// What happened to a grant.
type What string

const (
	Granted What = "granted"
	Revoked What = "revoked"
	Carried What = "carried" // over from another revision
)

// row is a grant as it is kept; its subject is in the key.
type row struct {
	Tool        string   `json:"tool"`
	Active      bool     `json:"active"`
	Credentials []string `json:"credentials,omitempty"`
	Revocations int      `json:"revocations"` // how often; what a session holds from before the last is void
	History     []Event  `json:"history"`
}

// with is the row after an event.
func (r row) with(e Event, tool string, credentials []string) row {
	switch {
	case e.What == Revoked:
		r.Active, r.Credentials = false, nil
		r.Revocations++
	default:
		if r.Active {
			credentials = append(slices.Clone(credentials), r.Credentials...)
		}
		r.Active, r.Tool, r.Credentials = true, safe.Text(tool, 64), slices.Compact(slices.Sorted(slices.Values(credentials)))
	}
	r.History = append(slices.Clone(r.History), e)
	r.History = r.History[max(0, len(r.History)-MostEvents):]
	return r
}

// covers tells whether the grant holds for an ask with these credentials.
func (r row) covers(credentials []string) bool {
	for _, name := range credentials {
		if !slices.Contains(r.Credentials, name) && (guard.Fixed || guard.On("grant-credentials")) {
			return false
		}
	}
	return r.Active
}

func (r row) grant(s subject, first string) Grant {
	g := Grant{ID: s.key(first), Revision: s.revision, Node: s.node, Tool: r.Tool, Capability: s.capability, Scope: s.scope, Class: s.class,
		Lifetime: Always, Active: r.Active, Credentials: slices.Clone(r.Credentials), History: slices.Clone(r.History)}
	if first == session {
		g.Lifetime = Session
	}
	return g
}

func (b *Book) event(what What, from canon.ToolID) Event { return Event{stamp(b.o.Now()), what, from} }

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

const rowNesting = 8

// kept reads the row of a subject and its bytes, nil for none. A row that cannot be read grants nothing.
func (b *Book) kept(ctx context.Context, s subject) (r row, text []byte, err error) {
	text, err = b.o.Store.Get(ctx, s.key(room))
	if err != nil {
		if fault.CodeOf(err) == fault.NotFound {
			return row{}, nil, nil
		}
		return row{}, nil, fault.Wrap(fault.Unavailable, err, "grant: cannot be read")
	}
	return b.read(s.key(room), text), text, nil
}

func (b *Book) read(key string, text []byte) (r row) {
	if err := canon.Unmarshal(text, &r, rowNesting, fault.Corrupt); err != nil {
		b.report(fault.Wrap(fault.Corrupt, err, "grant %s", key))
		return row{}
	}
	return r
}

// attempts is how often a change is tried again that others came before.
const attempts = 16

// change makes a row another one, whoever else changes it at the same time. The new row that change gives has the row as it is for its base; false
// leaves it.
func (b *Book) change(ctx context.Context, s subject, change func(old row, kept bool) (row, bool, error)) error {
	var err error
	for range attempts {
		old, text, kept := row{}, []byte(nil), error(nil)
		if old, text, kept = b.kept(ctx, s); kept != nil {
			return kept
		}
		fresh, wanted, refused := change(old, text != nil)
		if refused != nil || !wanted {
			return refused
		}
		bytes, broken := canon.Marshal(fresh)
		if broken != nil {
			return broken
		}
		err = b.o.Store.Put(ctx, shelf.Change{Key: s.key(room), Value: bytes, Check: true, Before: text})
		if fault.CodeOf(err) != fault.Conflict {
			return err
		}
	}
	return err
}
