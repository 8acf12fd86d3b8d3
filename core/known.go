package core

import (
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// known remembers the latest tasks by the whole text that they were read from, so that a task that runs again and again is read and
// proven once. Equal text is the equal task: nothing else is taken for it. Tasks never change, so all runs of one may share it.
type known struct {
	mu         sync.Mutex
	young, old map[string]*task.Task // old: what was young before the last turn
	bytes      int                   // of text in young
}

const (
	// mostKnownText is the longest text that is worth its memory: of a longer one the run itself is what takes long.
	mostKnownText = 64 << 10
	// mostKnownBytes of text make a generation, of which there are two.
	mostKnownBytes = 256 << 10
)

// read is task.Read.
func (k *known) read(text []byte, l limits.Limits) (*task.Task, error) {
	if len(text) > mostKnownText {
		return task.Read(text, l)
	}
	if t := k.find(text); t != nil {
		return t, nil
	}
	t, err := task.Read(text, l)
	if err == nil {
		k.keep(string(text), t)
	}
	return t, err
}

func (k *known) find(text []byte) *task.Task {
	k.mu.Lock()
	defer k.mu.Unlock()
	if t := k.young[string(text)]; t != nil {
		return t
	}
	t := k.old[string(text)]
	if t != nil {
		k.add(string(text), t)
	}
	return t
}

func (k *known) keep(text string, t *task.Task) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.add(text, t)
}

func (k *known) add(text string, t *task.Task) {
	if k.young == nil || k.bytes+len(text) > mostKnownBytes {
		k.young, k.old, k.bytes = map[string]*task.Task{}, k.young, 0
	}
	k.young[text] = t
	k.bytes += len(text)
}

// clear forgets all.
func (k *known) clear() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.young, k.old, k.bytes = nil, nil, 0
}
