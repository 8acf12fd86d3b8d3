package sandbox

import (
	"fmt"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// HostAsks keeps what a function of the host asks for in one call, within the bounds that a sandbox has. It is safe for concurrent use.
type HostAsks struct {
	mu     sync.Mutex
	clock  Clock
	limits limits.Limits
	open   int
	over   bool
	asks   asks
}

// NewHostAsks makes an empty one.
func NewHostAsks(l limits.Limits, c Clock) *HostAsks { return &HostAsks{limits: l, clock: c} }

// Do begins the record of an ask, has it answered, and ends the record with the answer. After End nothing is answered any more.
func (h *HostAsks) Do(capability protocol.Capability, answer func(Ask) Answer) Answer {
	ask, why := h.begin(capability)
	if why != "" {
		return Answer{Answer: protocol.Answer{Error: &protocol.Fault{Code: string(fault.Denied), Message: string(capability) + ": " + why}}}
	}
	a := answer(ask)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.open--
	ask.entry.close(decisionOf(&a.Answer), reasonOf(&a.Answer))
	return a
}

func (h *HostAsks) begin(capability protocol.Capability) (ask Ask, refused string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.over:
		return ask, "its call has ended"
	case len(h.asks.records) >= h.limits.AsksPerCall:
		return ask, fmt.Sprintf("this call has asked %d times, it may not ask more often", h.limits.AsksPerCall)
	case h.open >= h.limits.Asks:
		return ask, fmt.Sprintf("%d asks are open, wait until one has settled", h.limits.Asks)
	}
	h.open++
	entry := &askEntry{mu: &h.mu, clock: h.clock, began: h.clock.Now(), record: AskRecord{Capability: string(capability)}}
	h.asks.records = append(h.asks.records, entry)
	return Ask{Ask: &protocol.Ask{Ask: len(h.asks.records), Capability: capability}, entry: entry}, ""
}

// End ends every record that is open, and gives them all, in order.
func (h *HostAsks) End() []AskRecord {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.over = true
	return h.asks.kept()
}
