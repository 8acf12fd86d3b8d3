package console

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

// Arming is how long a question takes no answer, from its drawing and from each answer that came too soon: a click or key that was meant
// for what stood there before must not answer it.
const Arming = 400 * time.Millisecond

// recount is how often the number of questions that wait is read while one is shown.
const recount = 500 * time.Millisecond

// Question is a permission that a tool asks the person for.
type Question struct {
	grant.Request
	Armed bool // it takes answers
	More  int  // how many questions wait behind it

	drawn  bool
	since  time.Duration // when it was drawn, or last had an answer too soon
	pause  chan struct{}
	answer chan grant.Answer
}

// wait begins the time without answers anew.
func (q *Question) wait(at time.Duration) {
	q.since = at
	select {
	case q.pause <- struct{}{}:
	default: // it begins anew already
	}
}

// DenyID is the button that has the focus first.
const DenyID = "consent-deny"

// Decide implements grant.Decider: it shows one question, until it is answered or nobody waits for the answer any more.
func (m *Model) Decide(ctx context.Context, r grant.Request) (grant.Answer, error) {
	q := &Question{Request: r, More: m.engine.Waiting(), pause: make(chan struct{}, 1), answer: make(chan grant.Answer, 1)}
	m.update(func() {
		m.Question = q
		m.hold()
		m.focus(DenyID)
	})
	defer m.update(func() { m.withdraw(q) })
	armed := time.NewTimer(Arming)
	defer armed.Stop()
	armed.Stop() // until it is drawn
	counting := time.NewTicker(recount)
	defer counting.Stop()
	for {
		select {
		case <-q.pause:
			armed.Reset(Arming)
		case <-armed.C:
			m.update(func() { q.Armed = true })
		case <-counting.C:
			if n := m.engine.Waiting(); n != q.More {
				m.update(func() { q.More = n })
			}
		case answer := <-q.answer:
			return answer, nil
		case <-ctx.Done():
			return grant.Deny, ctx.Err()
		case <-m.ctx.Done():
			return grant.Deny, m.ctx.Err()
		}
	}
}

// Drawn tells that the page was drawn as the model was last, and when: a time since the page was opened, as events have it.
func (m *Model) Drawn(at time.Duration) {
	m.screen.Lock()
	defer m.screen.UnlockOnly()
	if q := m.Question; q != nil && !q.drawn {
		q.drawn = true
		q.wait(at)
	}
}

// Reply answers the question, if it is still the one that is shown, takes answers and offers this one. at is when the person acted: on a page
// that is slow, what comes late may be an act of long before.
func (m *Model) Reply(q *Question, a grant.Answer, at time.Duration) {
	if m.Question != q || !slices.Contains(q.Answers, a) {
		return
	}
	if !q.Armed || at < q.since+Arming {
		q.wait(at)
		return
	}
	q.answer <- a
	m.Question = nil
	m.giveBack()
}

// withdraw takes a question away that has ended without an answer.
func (m *Model) withdraw(q *Question) {
	if m.Question != q {
		return
	}
	m.Question = nil
	m.announce("the question of " + q.Tool + " was withdrawn")
	m.giveBack()
}

// Wants says in words what a yes is for.
func (q *Question) Wants() string {
	switch {
	case q.Capability == "fetch" && q.Class == grant.Write:
		return "write: send data to this site, and change what is kept there"
	case q.Capability == "fetch":
		return "read: fetch data from this site"
	case q.Capability == "popup":
		return "open a window"
	}
	return q.Capability + " " + string(q.Class)
}

// Title is the question in short. No word of it is the tool's.
func (q *Question) Title() string {
	switch {
	case q.Capability == "fetch" && q.Class == grant.Write:
		return "May this tool write to a site?"
	case q.Capability == "fetch":
		return "May this tool read from a site?"
	case q.Capability == "popup":
		return "May this tool open a window?"
	}
	return "May this tool do this?"
}

// Alike is the readable form of the scope, "" where it is the same.
func (q *Question) Alike() string {
	if q.Readable == q.Scope {
		return ""
	}
	return q.Readable
}

// Declares says what the definition declares that leads to this question.
func (q *Question) Declares() string {
	if !q.Declared {
		return "any site: its definition does not name this one"
	}
	return "this site by name, to " + string(q.Need.Class)
}

// Counts says for how many requests an answer is, and how many questions follow; "" for one alone.
func (q *Question) Counts() string {
	switch {
	case q.Asks == 2:
		return "Another request of the same kind waits for this answer."
	case q.Asks > 2:
		return fmt.Sprintf("%d other requests of the same kind wait for this answer.", q.Asks-1)
	}
	return ""
}

// Following says how many questions wait behind this one, "" for none.
func (q *Question) Following() string {
	switch q.More {
	case 0:
		return ""
	case 1:
		return "1 more waits"
	}
	return fmt.Sprintf("%d more wait", q.More)
}

// AnswerText is an answer as its button says it.
func AnswerText(a grant.Answer) string {
	switch a {
	case grant.Once:
		return "Allow once"
	case grant.Session:
		return "For this session"
	case grant.Always:
		return "Always"
	}
	return "Deny"
}

// Allowing are the answers that allow, of those that may be said.
func (q *Question) Allowing() (list []grant.Answer) {
	for _, a := range []grant.Answer{grant.Once, grant.Session, grant.Always} {
		if slices.Contains(q.Answers, a) {
			list = append(list, a)
		}
	}
	return list
}
