package sandbox

import "time"

// brake bounds how often a revision may be started again after its sandbox ended badly: a tool that dies on every call must
// not burn the machine. It counts the bad ends of the last minute, one more than there may be restarts.
type brake struct {
	limit int
	ends  map[string][]time.Time // by revision, oldest first, only those of the last minute
}

const minute = time.Minute

// note remembers a bad end and forgets what is over.
func (b *brake) note(revision string, now time.Time) {
	if b.ends == nil {
		b.ends = map[string][]time.Time{}
	}
	b.ends[revision] = append(b.ends[revision], now)
	for name := range b.ends {
		b.prune(name, now)
	}
}

// wait is how long a revision may not be started, 0 when it may.
func (b *brake) wait(revision string, now time.Time) time.Duration {
	b.prune(revision, now)
	ends := b.ends[revision]
	if len(ends) <= b.limit {
		return 0
	}
	return ends[len(ends)-1-b.limit].Add(minute).Sub(now)
}

func (b *brake) prune(revision string, now time.Time) {
	ends := b.ends[revision]
	for len(ends) > b.limit+1 || len(ends) > 0 && now.Sub(ends[0]) >= minute {
		ends = ends[1:]
	}
	if len(ends) == 0 {
		delete(b.ends, revision)
		return
	}
	b.ends[revision] = ends
}
