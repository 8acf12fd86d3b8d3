package core

import "sync"

// tally counts what runs beside the calls. Unlike a WaitGroup it may be waited for while more begins. The zero value is ready to use.
type tally struct {
	mu   sync.Mutex
	n    int
	done chan struct{} // closed at the next zero; nil: nobody waits
}

// run does something in a goroutine of its own.
func (t *tally) run(f func()) {
	t.mu.Lock()
	t.n++
	t.mu.Unlock()
	go func() {
		defer t.end()
		f()
	}()
}

func (t *tally) end() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n--; t.n == 0 && t.done != nil {
		close(t.done)
		t.done = nil
	}
}

// wait returns as soon as nothing runs.
func (t *tally) wait() {
	t.mu.Lock()
	if t.n == 0 {
		t.mu.Unlock()
		return
	}
	if t.done == nil {
		t.done = make(chan struct{})
	}
	done := t.done
	t.mu.Unlock()
	<-done
}
