package sandbox

import (
	"slices"
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Decision is what became of an ask. The set is closed.
type Decision string

const (
	AskAllowed   Decision = "allowed"   // was permitted and answered
	AskDenied    Decision = "denied"    // was not permitted, so nothing was done
	AskFailed    Decision = "failed"    // was permitted, and failed
	AskWithdrawn Decision = "withdrawn" // the tool gave it up
	AskOpen      Decision = "open"      // had no answer when its call ended
)

// Words lists the closed set.
func (Decision) Words() []string { return []string{"allowed", "denied", "failed", "withdrawn", "open"} }

// AskRecord is what is kept of one ask. The capability fills in what only it knows; no text in it is longer than 512 bytes.
type AskRecord struct {
	Capability string
	Decision   Decision
	Reason     string // code of a denial or failure
	Scope      string // what it was about: an origin, a name
	Class      string // read or write, where the capability tells them apart
	Sent       bool   // something has left for the outside
	BytesOut   int
	BytesIn    int
	Duration   time.Duration // from the ask to its answer, or to the end of its call
}

const askRecordText = 512

// askEntry is an AskRecord while its ask is open. All of it is under the lock of who keeps it.
type askEntry struct {
	mu     *sync.Mutex
	clock  Clock
	record AskRecord
	began  time.Time
	over   bool
}

// Note lets a capability write down what it knows of an ask. What comes after the ask has ended is not kept.
func (a Ask) Note(f func(*AskRecord)) {
	if a.entry == nil {
		return
	}
	a.entry.mu.Lock()
	defer a.entry.mu.Unlock()
	if e := a.entry; !e.over {
		f(&e.record)
		for _, text := range []*string{&e.record.Reason, &e.record.Scope, &e.record.Class} {
			*text = cut(*text, askRecordText)
		}
	}
}

// Send is asked directly before something leaves for the outside. What it permits is in the record of the call, however that ends;
// when the ask has ended it refuses, and nothing may be sent any more.
func (a Ask) Send() error {
	if a.entry == nil {
		return nil
	}
	a.entry.mu.Lock()
	defer a.entry.mu.Unlock()
	if a.entry.over {
		return fault.New(fault.Aborted, "ask: has ended, nothing is sent for it any more")
	}
	a.entry.record.Sent = true
	return nil
}

// note begins the record of an ask; nil when the call has made as many as it may.
func (m *Manager) note(c *call, ask *protocol.Ask) *askEntry {
	if len(c.asks.records) >= m.limits.AsksPerCall {
		return nil
	}
	e := &askEntry{mu: &m.mu, clock: m.clock, began: m.clock.Now(), record: AskRecord{Capability: string(ask.Capability)}}
	c.asks.records = append(c.asks.records, e)
	c.asks.entries[ask.Ask] = e
	return e
}

// close ends the record. A decision that the capability has written down stays.
func (e *askEntry) close(decision Decision, reason string) {
	if e == nil || e.over {
		return
	}
	e.over = true
	e.record.Duration = e.clock.Now().Sub(e.began)
	if e.record.Decision == "" {
		e.record.Decision = decision
	}
	if e.record.Reason == "" {
		e.record.Reason = cut(reason, askRecordText)
	}
}

// kept gives what a call's record says of its asks.
func (a *asks) kept() []AskRecord {
	var list []AskRecord
	for _, e := range a.records {
		e.close(AskOpen, "")
		list = append(list, e.record)
	}
	return slices.Clip(list)
}
