package main

import (
	"math"
	"strconv"
	"strings"
)

// traps are keys that a sort by UTF-8 bytes, or an object with a prototype, would treat otherwise.
func traps() []string {
	return []string{
		"", "a", "A", "b", "aa", "a\x00", "é", "e\u0301", "\uFB33", "\U0001F600", "\U00010000", "\U0010FFFF", "\uE000", "\uD7FF", "\uFFFF", "\uFFFE", "\uFDD0",
		"x\uFB33", "x\U0001F602", "10", "9", "1", "-1", "__proto__", "constructor", "toString", "prototype", "$t", "$$", "\u2028", "\x7f", "\u0080", "\"", "\\", "/",
		"name", "NAME", "ſ", "İ", "ß", "\uFEFF",
	}
}

// key is a trap, or a few traps in a row.
func (g generator) key() string {
	key := pick(g, traps()...)
	for g.often(4) {
		key += pick(g, traps()...)
	}
	return key
}

// keys are different from each other, as one object needs them. Two of the order of UTF-16 are in it more often than not.
func (g generator) keys(count int) []string {
	seen := map[string]bool{}
	var keys []string
	add := func(key string) {
		if !seen[key] {
			seen[key] = true
			keys = append(keys, key)
		}
	}
	if count > 1 && g.often(2) {
		add("\uFB33")
		add("\U0001F600")
	}
	for range count {
		add(g.key())
	}
	return keys
}

// text is a few pieces, none at times.
func (g generator) text() string {
	var b strings.Builder
	for range g.IntN(6) {
		b.WriteString(pick(g, append(traps(), "plain", " ", "\n", "\r\n", "\t", "\b\f", "\x01\x1f", "</script>", "\u202E", "\u200B", "<&>", "'")...))
	}
	return b.String()
}

// source is hashed as it is: line ends, byte-order mark, byte 0 and blanks at its end all count.
func (g generator) source() string {
	pieces := []string{"() => 1", "({ input }) => input.toUpperCase()", "// note", "\n", "\r\n", "\r", "\u2028", "\t", " ", "\x00", "'use strict'", "\"\\u0041\"", "A", "é", "e\u0301", "\U0001F600", "\uFFFF"}
	var b strings.Builder
	if g.often(8) {
		b.WriteString("\uFEFF")
	}
	b.WriteString(pick(g, "() => 1", "(a) => a", "def run():\n  return 1"))
	most := 8
	switch {
	case g.often(400):
		most = 20_000
	case g.often(40):
		most = 1500
	}
	for range g.IntN(most) {
		b.WriteString(pick(g, pieces...))
	}
	return b.String()
}

// bits is any finite float64, in the shortest spelling or in a longer one.
func (g generator) bits() literal {
	f := math.Float64frombits(g.Uint64())
	for math.IsNaN(f) || math.IsInf(f, 0) {
		f = math.Float64frombits(g.Uint64())
	}
	return literal(strconv.FormatFloat(f, pick[byte](g, 'e', 'E'), pick(g, -1, 17, 25), 64))
}
