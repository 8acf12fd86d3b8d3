package core

import (
	"sync"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// hostTime is the running time of a native function. It stands still while the function waits for the user.
type hostTime struct {
	clock sandbox.Clock
	ring  func() // called once, when the time is spent

	mu    sync.Mutex
	left  time.Duration
	since time.Time // when it began to run
	holds int
	stop  func()
	over  bool
}

func startHostTime(c sandbox.Clock, d time.Duration, ring func()) *hostTime {
	t := &hostTime{clock: c, ring: ring, left: d, since: c.Now()}
	t.stop = c.AfterFunc(d, ring)
	return t
}

// pause stops the clock until as many resumes have come.
func (t *hostTime) pause() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.holds++; t.holds == 1 && !t.over {
		t.stop()
		t.left -= t.clock.Now().Sub(t.since)
	}
}

func (t *hostTime) resume() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.holds--; t.holds == 0 && !t.over {
		t.since = t.clock.Now()
		t.stop = t.clock.AfterFunc(max(t.left, 0), t.ring)
	}
}

func (t *hostTime) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.over = true
	t.stop()
}
