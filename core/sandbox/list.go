package sandbox

import (
	"cmp"
	"sort"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// Phase says what a sandbox does.
type Phase string

const (
	Starting Phase = "starting" // until it is ready
	Idle     Phase = "idle"     // no call
	Running  Phase = "running"
	Waiting  Phase = "waiting" // a call runs and waits for an ask
)

// Words lists the closed set.
func (Phase) Words() []string { return []string{"starting", "idle", "running", "waiting"} }

// Info describes one live sandbox.
type Info struct {
	Key        Key
	Disposable bool
	Phase      Phase
	Calls      int // made so far, with the running one
	Queued     int
	Since      time.Time // when its start began
	Used       time.Time // when a call last began or ended in it; zero before the first
}

// List describes every live sandbox, oldest first.
func (m *Manager) List() []Info {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []Info
	for l := range m.lanes {
		if p := l.place; p != nil {
			list = append(list, Info{l.key, l.disposable, p.phase(), p.conversation.Call(), len(l.waiting), p.began, p.lastUsed()})
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		return cmp.Or(a.Since.Compare(b.Since), cmp.Compare(a.Key.Revision, b.Key.Revision), cmp.Compare(a.Key.Partition, b.Key.Partition)) < 0
	})
	return list
}

// Warm is the number of sandboxes that are held ready: of no revision yet, and in no list.
func (m *Manager) Warm() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.pool.places)
}

func (p *place) lastUsed() time.Time {
	if p.conversation.Call() == 0 {
		return time.Time{}
	}
	return p.used
}

func (p *place) phase() Phase {
	switch {
	case p.starting():
		return Starting
	case p.conversation.State() == protocol.Idle:
		return Idle
	case p.conversation.OpenAsks() > 0:
		return Waiting
	}
	return Running
}
