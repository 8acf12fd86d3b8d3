package sandbox

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Options are the settings of a Manager.
type Options struct {
	Limits limits.Limits
	Clock  Clock       // nil: SystemClock
	Report func(error) // told of our own mistakes, such as a power that panicked, with a stack; may be nil
}

// Manager owns every sandbox of one engine. It is safe for concurrent use. Close ends it.
type Manager struct {
	wall   Wall
	limits limits.Limits
	clock  Clock
	report func(error)
	codec  *protocol.Codec
	blobs  map[string]int // most blobs by kind of message

	mu       sync.Mutex // guards all below, and every lane, place and call; released by unlock
	retained map[Key]*lane
	lanes    map[*lane]struct{} // retained and disposable
	refused  map[string]string  // revisions, with what is said
	pool     pool
	ahead    []*lane   // started for a disposable call to come, oldest first
	recipes  []recipe  // of those to start ahead, in turn
	chores   alarm     // of what is done while nobody waits
	kept     int       // retained places, busy or not
	used     time.Time // when a call last began or ended
	lostAt   time.Time // when a place was last lost: those not heard since then are in doubt
	brake    brake
	late     int
	closed   bool
	work     effects
}

// New makes a manager without any sandbox.
func New(wall Wall, o Options) *Manager {
	m := &Manager{
		wall: wall, limits: o.Limits, clock: o.Clock, report: o.Report,
		codec: protocol.NewCodec(o.Limits.Nesting), blobs: map[string]int{},
		retained: map[Key]*lane{}, lanes: map[*lane]struct{}{}, refused: map[string]string{},
		brake: brake{limit: o.Limits.RestartsPerMinute}, pool: pool{brake: brake{limit: o.Limits.RestartsPerMinute}},
	}
	if m.clock == nil {
		m.clock = SystemClock{}
	}
	if m.report == nil {
		m.report = func(error) {}
	}
	for _, row := range protocol.Rows() {
		m.blobs[row.Kind] = row.Blobs
	}
	return m
}

// Run makes one call and returns how it ended. The end of ctx aborts it.
func (m *Manager) Run(ctx context.Context, r Request) Result {
	c, refused := m.newCall(ctx, r)
	if refused != nil {
		return *refused
	}
	m.mu.Lock()
	m.admit(c)
	m.unlock()
	return m.await(ctx, c)
}

// Retire destroys the sandboxes of a revision, each after the call that runs in it or that it is started for. Calls queued
// behind run in new ones.
func (m *Manager) Retire(revision string) {
	m.mu.Lock()
	defer m.unlock()
	m.recipes = slices.DeleteFunc(m.recipes, func(r recipe) bool { return r.key.Revision == revision })
	for l := range m.lanes {
		if l.key.Revision != revision || l.place == nil {
			continue
		}
		if l.place.idle() {
			m.destroy(l.place, Result{})
			m.advance(l)
		} else {
			l.place.retired = true
		}
	}
}

// Terminate destroys the sandboxes of a key, disposable ones too. The call that runs in one, or that it is started for, ends
// as aborted; calls queued behind run in a new one.
func (m *Manager) Terminate(key Key) {
	m.terminate(func(l *lane) bool { return l.key == key })
}

// TerminateAll is Terminate for every key of those.
func (m *Manager) TerminateAll(which func(Key) bool) {
	m.terminate(func(l *lane) bool { return which(l.key) })
}

// Stop destroys the sandboxes of every key of those. The calls that run in them, and those that wait, end with that result.
func (m *Manager) Stop(which func(Key) bool, end Result) {
	m.mu.Lock()
	defer m.unlock()
	m.stop(which, end)
}

func (m *Manager) stop(which func(Key) bool, end Result) {
	m.recipes = nil // of whom they are may be gone too
	for l := range m.lanes {
		if !which(l.key) {
			continue
		}
		for len(l.waiting) > 0 {
			m.settle(l.next(), end)
		}
		if l.place != nil {
			m.destroy(l.place, end)
		}
		m.advance(l)
	}
}

// Refuse stops a revision and denies every later call of it, until it is allowed again: a call that was let through a moment before
// must not run a moment after.
func (m *Manager) Refuse(revision, message string) {
	m.mu.Lock()
	defer m.unlock()
	m.refused[revision] = message
	m.stop(func(k Key) bool { return k.Revision == revision }, Result{Outcome: Denied, Message: message})
}

// Allow takes a Refuse back.
func (m *Manager) Allow(revision string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.refused, revision)
}

// Clear terminates every sandbox, the warm ones too; the next call that starts one brings those back.
func (m *Manager) Clear() {
	m.mu.Lock()
	m.distrust()
	m.unlock()
	m.terminate(func(*lane) bool { return true })
}

func (m *Manager) terminate(which func(*lane) bool) {
	m.mu.Lock()
	defer m.unlock()
	m.recipes = nil
	for l := range m.lanes {
		if l.place != nil && which(l) {
			m.destroy(l.place, Result{Outcome: Aborted, Message: l.place.title() + ": was terminated"})
			m.advance(l)
		}
	}
}

// Late is the number of messages dropped so far because what they were about had ended.
func (m *Manager) Late() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.late
}

// Close settles every call as aborted and destroys every sandbox. Run is unavailable afterwards. It may be called twice.
func (m *Manager) Close() {
	m.mu.Lock()
	defer m.unlock()
	m.closed = true
	m.distrust()
	m.chores.end()
	ended := Result{Outcome: Aborted, Message: "sandboxes: were closed"}
	for l := range m.lanes {
		for len(l.waiting) > 0 {
			m.settle(l.next(), ended)
		}
		if l.place != nil {
			m.destroy(l.place, ended)
		}
		m.forget(l)
	}
}
