package secret

// pattern is one form of one secret.
type pattern struct {
	bytes       []byte
	secret      int  // whose
	left, right bool // the base64 character beside it holds bits of the value too
	alone       bool // counts only with no letter or digit beside it
}

// automaton finds all patterns in one walk (Aho and Corasick). A state is a node of the tree of patterns: the longest end of what was
// read that begins a pattern. Children are lists, since almost every node has one; the root has tables, since almost every byte of a
// text is read there.
type automaton struct {
	patterns []pattern
	label    []byte
	child    []int32 // first of the list, 0 for none
	sibling  []int32
	fail     []int32
	depth    []int32
	ends     []int32 // the pattern that ends in a node, -1 for none
	also     []int32 // the next shorter node in which one ends, 0 for none

	root    [256]int32
	pairs   [1 << 10]uint64 // of two bytes, whether they begin a pattern
	longest int
	edges   bool // some pattern has a left edge
}

func newAutomaton(patterns []pattern) *automaton {
	a, most := &automaton{}, 1
	for _, p := range patterns {
		most += len(p.bytes)
	}
	a.label, a.depth = make([]byte, 0, most), make([]int32, 0, most)
	a.child, a.sibling, a.fail = make([]int32, 0, most), make([]int32, 0, most), make([]int32, 0, most)
	a.ends, a.also = make([]int32, 0, most), make([]int32, 0, most)
	a.node(0, 0)
	for _, p := range patterns {
		a.add(p)
	}
	a.link()
	return a
}

func (a *automaton) node(label byte, depth int32) int32 {
	a.label, a.depth = append(a.label, label), append(a.depth, depth)
	a.child, a.sibling, a.fail = append(a.child, 0), append(a.sibling, 0), append(a.fail, 0)
	a.ends, a.also = append(a.ends, -1), append(a.also, 0)
	return int32(len(a.label) - 1)
}

func (a *automaton) add(p pattern) {
	at := int32(0)
	for i, b := range p.bytes {
		next := a.find(at, b)
		if next == 0 {
			next = a.node(b, int32(i+1))
			a.sibling[next], a.child[at] = a.child[at], next
			if at == 0 {
				a.root[b] = next
			}
		}
		at = next
	}
	a.longest = max(a.longest, len(p.bytes))
	a.edges = a.edges || p.left
	if known := a.ends[at]; known >= 0 { // two readings of the same bytes: what takes out more counts
		k := &a.patterns[known]
		k.left, k.right, k.alone = k.left || p.left, k.right || p.right, k.alone && p.alone
		return
	}
	a.ends[at] = int32(len(a.patterns))
	a.patterns = append(a.patterns, p)
	first := int(p.bytes[0]) << 8
	if len(p.bytes) > 1 {
		a.pair(first | int(p.bytes[1]))
		return
	}
	for second := range 256 {
		a.pair(first | second)
	}
}

func (a *automaton) pair(two int) { a.pairs[two>>6] |= 1 << (two & 63) }

func (a *automaton) begins(first, second byte) bool {
	two := int(first)<<8 | int(second)
	return a.pairs[two>>6]&(1<<(two&63)) != 0
}

func (a *automaton) find(at int32, b byte) int32 {
	if at == 0 {
		return a.root[b]
	}
	next := a.child[at]
	for next != 0 && a.label[next] != b {
		next = a.sibling[next]
	}
	return next
}

// link walks the tree in order of depth and finds for each node the longest other node that is its end.
func (a *automaton) link() {
	queue := make([]int32, 0, len(a.label))
	for c := a.child[0]; c != 0; c = a.sibling[c] {
		queue = append(queue, c)
	}
	for i := 0; i < len(queue); i++ {
		at := queue[i]
		for c := a.child[at]; c != 0; c = a.sibling[c] {
			a.fail[c] = a.step(a.fail[at], a.label[c])
			queue = append(queue, c)
		}
		if shorter := a.fail[at]; a.ends[shorter] >= 0 {
			a.also[at] = shorter
		} else {
			a.also[at] = a.also[shorter]
		}
	}
}

// step is the state after one more byte.
func (a *automaton) step(at int32, b byte) int32 {
	for {
		if next := a.find(at, b); next != 0 {
			return next
		}
		if at == 0 {
			return 0
		}
		at = a.fail[at]
	}
}
