package secret

import (
	"bytes"
	"fmt"
	"io"
	"sort"
)

// Scrubber takes secrets out of one text that comes in pieces. It holds back no more than what may be the beginning of one. It is for
// one goroutine. What it holds is a function, as in Value.
type Scrubber struct{ in func() *scrubbing }

type scrubbing struct {
	a     *automaton // nil: there is nothing to take out
	marks []string   // of each secret

	held   []byte // what was not given out yet
	base   int64  // where in the text it begins
	before byte   // what stands before it, if anything does
	out    []byte

	at      int64 // the plain walk
	state   int32
	waiting []match
	views   []view

	cuts  []cut
	taken int64 // end of the last cut whose mark was given out
	hits  int   // cuts in all
	first int   // whose the first one was
}

// cut is a part of the text that is taken out.
type cut struct {
	start, end int64
	secret     int
}

// Format implements fmt.Formatter, for every verb.
func (Scrubber) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "[scrubber]") }

func newScrubber(a *automaton, marks []string) *Scrubber {
	s := &scrubbing{a: a, marks: marks}
	for _, r := range readings {
		s.views = append(s.views, view{escape: r.escape, read: r.read})
	}
	return &Scrubber{func() *scrubbing { return s }}
}

// Write takes the next piece and gives what can be given out by now. The bytes are good until the next call.
func (s *Scrubber) Write(piece []byte) []byte { return s.in().write(piece) }

func (s *scrubbing) write(piece []byte) []byte {
	if s.a == nil {
		return piece
	}
	s.held = append(s.held, piece...)
	s.walk(false)
	limit := earliest(s.plainMayBegin(), s.waiting)
	for i := range s.views {
		if v := &s.views[i]; v.active {
			limit = min(limit, s.mayBegin(v))
		}
	}
	return s.give(max(limit, s.base))
}

// Close gives out the rest. The scrubber must not be used after it.
func (s *Scrubber) Close() []byte { return s.in().close() }

func (s *scrubbing) close() []byte {
	if s.a == nil {
		return nil
	}
	s.walk(true)
	s.waiting = s.settle(s.waiting, unit{}, false)
	for i := range s.views {
		s.views[i].waiting = s.settle(s.views[i].waiting, unit{}, false)
	}
	return s.give(s.base + int64(len(s.held)))
}

// stretch is how far the plain walk goes ahead of views that do not rest.
const stretch = 512

func (s *scrubbing) walk(end bool) {
	all := s.base + int64(len(s.held))
	for i := range s.views {
		s.views[i].next = -1
	}
	for s.at < all {
		upTo := all
		for i := range s.views {
			v := &s.views[i]
			if !v.active {
				v.find(s.held[s.at-s.base:], s.at)
				if v.next == s.at {
					v.wake(max(s.base, s.at-int64(s.a.depth[s.state])-1), s.a.longest)
				}
			}
			if v.active {
				upTo = min(upTo, s.at+stretch)
			} else {
				upTo = min(upTo, v.next)
			}
		}
		s.runPlain(upTo)
		for i := range s.views {
			if v := &s.views[i]; v.active {
				s.runView(v, s.at, end)
				v.active = !s.rests(v)
			}
		}
	}
	for i := range s.views {
		if v := &s.views[i]; v.active {
			s.runView(v, all, end)
		}
	}
}

// find looks for the next escape, unless it is known.
func (v *view) find(src []byte, at int64) {
	if v.next >= at {
		return
	}
	v.next = noneAhead
	if i := bytes.IndexByte(src, v.escape); i >= 0 {
		v.next = at + int64(i)
	}
}

func (s *scrubbing) runPlain(upTo int64) {
	a, src, state := s.a, s.held, s.state
	i, n := int(s.at-s.base), int(upTo-s.base)
	for i < n {
		if len(s.waiting) > 0 {
			u, _ := s.plain(s.base + int64(i))
			s.waiting = s.settle(s.waiting, u, true)
		}
		if state == 0 {
			for i < n && i+1 < len(src) && !a.begins(src[i], src[i+1]) {
				i++
			}
			if i == n {
				break
			}
		}
		state = a.step(state, src[i])
		i++
		for at := a.found(state); at != 0; at = a.also[at] {
			p, end := &a.patterns[a.ends[at]], s.base+int64(i)
			start := end - int64(len(p.bytes))
			before, there := s.plain(start - 1)
			s.waiting = s.hit(s.waiting, match{start, end, p}, before, there)
		}
	}
	s.at, s.state = upTo, state
}

// found is the first node in which a pattern ends that ends here.
func (a *automaton) found(state int32) int32 {
	if a.ends[state] >= 0 {
		return state
	}
	return a.also[state]
}

// plain is the byte at a place of the text, if it is there and still known.
func (s *scrubbing) plain(at int64) (unit, bool) {
	switch {
	case at >= s.base:
		return unit{at, at + 1, s.held[at-s.base]}, true
	case at >= 0 && at == s.base-1:
		return unit{at, at + 1, s.before}, true
	}
	return unit{}, false
}

// plainMayBegin is the first place at which what the plain walk will find can begin.
func (s *scrubbing) plainMayBegin() int64 {
	from := s.at - int64(s.a.depth[s.state])
	if before, there := s.plain(from - 1); s.a.edges && there && inBase64(before.b) {
		from--
	}
	return from
}

// hit takes a match, now or when it is known what stands after it.
func (s *scrubbing) hit(waiting []match, m match, before unit, there bool) []match {
	switch {
	case m.p.alone && there && beside(before.b):
		return waiting
	case m.p.left && there && inBase64(before.b):
		m.start = before.start
	}
	if m.p.right || m.p.alone {
		return append(waiting, m)
	}
	s.cut(m)
	return waiting
}

// settle takes the matches that waited.
func (s *scrubbing) settle(waiting []match, after unit, there bool) []match {
	for _, m := range waiting {
		switch {
		case m.p.alone && there && beside(after.b):
			continue
		case m.p.right && there && inBase64(after.b):
			m.end = after.end
		}
		s.cut(m)
	}
	return waiting[:0]
}

func (s *scrubbing) cut(m match) {
	if s.hits++; s.hits == 1 {
		s.first = m.p.secret
	}
	s.cuts = append(s.cuts, cut{max(m.start, s.base), m.end, m.p.secret})
}

// give gives out what stands before a place. Cuts that overlap become one.
func (s *scrubbing) give(limit int64) []byte {
	s.out = s.out[:0]
	if len(s.cuts) > 1 {
		sort.Slice(s.cuts, func(i, j int) bool { return s.cuts[i].start < s.cuts[j].start })
	}
	at, used := max(s.base, min(s.taken, limit)), 0
	for _, c := range s.cuts {
		if c.start >= limit {
			break
		}
		used++
		if c.start >= s.taken {
			s.out = append(s.out, s.held[at-s.base:c.start-s.base]...)
			s.out = append(s.out, s.marks[c.secret]...)
		}
		s.taken = max(s.taken, c.end)
		at = min(s.taken, limit)
	}
	s.cuts = append(s.cuts[:0], s.cuts[used:]...)
	s.out = append(s.out, s.held[at-s.base:limit-s.base]...)
	if gone := int(limit - s.base); gone > 0 {
		s.before = s.held[gone-1]
		if rest := len(s.held) - gone; rest <= gone {
			s.held = s.held[:copy(s.held, s.held[gone:])]
		} else {
			s.held = s.held[gone:]
		}
		s.base = limit
	}
	return s.out
}
