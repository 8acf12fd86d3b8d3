package grant

import (
	"context"
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Options are what a Book needs. Store and Now must be given.
type Options struct {
	Store   shelf.Store
	Decider Decider // nil: what is not granted already is denied
	Limits  limits.Limits
	Now     func() time.Time
	Report  func(error) // told of a decider that failed and of rows that cannot be read; may be nil
}

// Book keeps the grants of one engine. It is safe for concurrent use, and needs no closing: it ends with the asks that wait.
type Book struct {
	o Options

	mu      sync.Mutex
	session map[subject]held
	open    map[wish]*prompt
	queue   []*prompt // those that are open and not shown, in order
	showing *prompt   // nil: none
	uses    map[*use]bool
}

// held is a grant of this session.
type held struct {
	row
	revocations int // of the kept row when this was granted
}

// holds tells whether nothing was revoked since.
func (h held) holds(kept row) bool { return h.revocations == kept.Revocations }

// New makes a Book.
func New(o Options) *Book {
	return &Book{o: o, session: map[subject]held{}, open: map[wish]*prompt{}, uses: map[*use]bool{}}
}

// Reason says why an ask is denied. The set is closed.
type Reason string

const (
	Undeclared     Reason = "undeclared"       // the revision does not declare it
	NotGranted     Reason = "not_granted"      // the user has said no, or could not be asked
	TooManyPrompts Reason = "too_many_prompts" // too many questions wait for the user already
)

// Message says the same to the tool's author.
func (r Reason) Message() string {
	switch r {
	case Undeclared:
		return "the tool does not declare this need; add it to its definition"
	case TooManyPrompts:
		return "too many questions wait for the user; ask again when some are answered"
	}
	return "the user has not allowed this; it can be allowed when asked"
}

// Decision is what became of an ask.
type Decision struct {
	Allowed  bool
	Reason   Reason // of a denial
	Lifetime Answer // of what allows it: once, session or always
	Grant    string // its id; empty for once
}

func denied(r Reason) Decision { return Decision{Reason: r} }

// Allowed decides an ask, and waits for the user where that is needed. An error means no as well: aborted when the context, which is the
// ask's, has ended; unavailable or corrupt when the shelf failed; invalid_request for what no host may ask.
func (b *Book) Allowed(ctx context.Context, a Ask) (Decision, error) {
	if err := a.check(); err != nil {
		return Decision{}, err
	}
	if _, _, found := declared(a.Needs, a.subject()); !found && (guard.Fixed || guard.On("grant-need")) {
		return denied(Undeclared), nil
	}
	for {
		if ctx.Err() != nil {
			return Decision{}, gone()
		}
		d, err := b.standing(ctx, &a)
		if err != nil || d.Allowed {
			return d, err
		}
		w, refused := b.join(ctx, &a)
		if w == nil {
			return denied(refused), nil
		}
		select {
		case <-w.settled:
		case <-ctx.Done():
			b.leave(w)
		}
		if ctx.Err() != nil {
			return Decision{}, gone()
		}
		if !w.again {
			return w.decision, nil
		}
	}
}

func gone() error {
	return fault.New(fault.Aborted, "grant: the ask has ended, nobody waits for an answer")
}

// standing looks for a grant. The shelf is asked each time: what is revoked in another tab is revoked here.
func (b *Book) standing(ctx context.Context, a *Ask) (Decision, error) {
	s, kept := a.subject(), row{}
	if s.lasting() {
		var err error
		if kept, _, err = b.kept(ctx, s); err != nil {
			return Decision{}, err
		}
		if kept.covers(a.Credentials) {
			return Decision{Allowed: true, Lifetime: Always, Grant: s.key(room)}, nil
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	h, found := b.session[s]
	if found && h.holds(kept) && h.covers(a.Credentials) {
		return Decision{Allowed: true, Lifetime: Session, Grant: s.key(session)}, nil
	}
	return Decision{}, nil
}

// lasting tells whether a grant may outlive the session.
func (s subject) lasting() bool { return s.node.IsZero() }

func (b *Book) report(err error) {
	if b.o.Report != nil {
		b.o.Report(err)
	}
}
