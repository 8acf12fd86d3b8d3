package secret

import "unicode/utf8"

// unit is one byte of a text as a view reads it, and where in the text it is written.
type unit struct {
	start, end int64
	b          byte
}

// match is a pattern that was found, and awaits what stands after it.
type match struct {
	start, end int64
	p          *pattern
}

// view is a walk through a text in which one kind of escape is undone. Where there are none it would see what the plain walk sees, so it
// rests until one comes, and goes back then as far as a pattern may have begun.
type view struct {
	escape  byte
	read    reader
	active  bool
	at      int64 // what was read; an escape that is not all there waits
	next    int64 // the next escape of a resting view
	state   int32
	count   int64 // units since it woke
	escaped int64 // count at the end of the last escape
	ring    []unit
	waiting []match
	scratch [utf8.UTFMax]byte
}

const noneAhead = int64(1) << 62

// wake begins to read at a place.
func (v *view) wake(at int64, longest int) {
	if v.ring == nil {
		size := 1
		for size < longest+2 {
			size *= 2
		}
		v.ring = make([]unit, size)
	}
	v.active, v.at, v.state, v.count, v.escaped = true, at, 0, 0, 0
}

// ago is the n-th last unit, the last one being 1.
func (v *view) ago(n int64) *unit { return &v.ring[(v.count-n)&int64(len(v.ring)-1)] }

// runView reads up to a place at least.
func (s *scrubbing) runView(v *view, upTo int64, end bool) {
	for v.at < upTo {
		src := s.held[v.at-s.base:]
		if src[0] == v.escape {
			length, out := v.read(src, v.scratch[:0], end)
			if length < 0 {
				return
			}
			if length > 0 {
				for _, b := range out {
					s.see(v, unit{v.at, v.at + int64(length), b})
				}
				v.at += int64(length)
				v.escaped = v.count
				continue
			}
		}
		u := unit{v.at, v.at + 1, src[0]}
		v.at++
		if v.state == 0 && len(v.waiting) == 0 && len(src) > 1 && src[1] != v.escape && !s.a.begins(src[0], src[1]) {
			*v.ago(0) = u // nothing begins here
			v.count++
			continue
		}
		s.see(v, u)
	}
}

func (s *scrubbing) see(v *view, u unit) {
	if len(v.waiting) > 0 {
		v.waiting = s.settle(v.waiting, u, true)
	}
	*v.ago(0) = u
	v.count++
	v.state = s.a.step(v.state, u.b)
	for at := s.a.found(v.state); at != 0; at = s.a.also[at] {
		p := &s.a.patterns[s.a.ends[at]]
		length := int64(len(p.bytes))
		start := v.ago(length).start
		before, there := unit{}, v.count > length
		if there {
			before = *v.ago(length + 1)
		} else {
			before, there = s.plain(start - 1)
		}
		v.waiting = s.hit(v.waiting, match{start, u.end, p}, before, there)
	}
}

// quiet is for how many units after an escape a view stays awake: where there is one there are often more.
const quiet = 16

// rests tells whether a view has nothing in mind that the plain walk has not.
func (s *scrubbing) rests(v *view) bool {
	since := v.count - v.escaped
	return v.at == s.at && since > quiet && len(v.waiting) == 0 && int64(s.a.depth[v.state]) < since && int64(s.a.depth[s.state]) < since
}

// mayBegin is the first place at which what a view will find can begin.
func (s *scrubbing) mayBegin(v *view) int64 {
	depth := int64(s.a.depth[v.state])
	from := v.at
	if depth > 0 {
		from = v.ago(depth).start
	}
	if s.a.edges {
		before, there := s.plain(from - 1)
		if v.count > depth {
			before, there = *v.ago(depth + 1), true
		}
		if there && inBase64(before.b) {
			from = before.start
		}
	}
	return earliest(from, v.waiting)
}

func earliest(from int64, waiting []match) int64 {
	for _, m := range waiting {
		from = min(from, m.start)
	}
	return from
}
