package grant

import "github.com/xyntopia/taskyon-sandbox/core/canon"

// use is something that a grant allows at this moment.
type use struct {
	subject
	end func()
}

// During is for what goes on after it was allowed: end is called if what allows it is revoked or forgotten in this engine before done is called.
// Both may be called at any time and more than once. End is called before the revocation is over and under a lock: it must return at once and
// ask nothing of the book.
func (b *Book) During(a Ask, end func()) (done func()) {
	u := &use{a.subject(), end}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.uses[u] = true
	return func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.uses, u)
	}
}

// stop ends what goes on for a revision, all for the zero id, or for one subject of it. Under the lock.
func (b *Book) stop(revision canon.ToolID, only *subject) {
	for u := range b.uses {
		if (revision.IsZero() || u.revision == revision) && (only == nil || u.subject == *only) {
			delete(b.uses, u)
			u.end()
		}
	}
}
