package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode/utf16"
)

// spell writes a tree as JSON as nobody would: members in any order, white space anywhere, escapes where none are needed.
func spell(random *rand.Rand, v any) string {
	s := speller{Rand: random, space: random.IntN(2) * 6, escape: []int{0, 2, 20}[random.IntN(3)]}
	s.gap()
	s.value(v)
	s.gap()
	return s.String()
}

type speller struct {
	*rand.Rand
	strings.Builder
	space  int // one gap in so many is white space, 0: none
	escape int // one character in so many is an escape without need, 0: none
}

func (s *speller) gap() {
	for s.space > 0 && s.IntN(s.space) < 2 {
		s.WriteByte(" \t\r\n"[s.IntN(4)])
	}
}

func (s *speller) value(v any) {
	switch v := v.(type) {
	case nil:
		s.WriteString("null")
	case bool:
		fmt.Fprint(s, v)
	case literal:
		s.WriteString(string(v))
	case string:
		s.text(v)
	case []any:
		s.list('[', ']', len(v), func(i int) { s.value(v[i]) })
	case object:
		order := s.Perm(len(v))
		s.list('{', '}', len(v), func(i int) {
			m := v[order[i]]
			s.text(m.name)
			s.gap()
			s.WriteByte(':')
			s.gap()
			s.value(m.value)
		})
	default:
		panic(fmt.Sprintf("BUG: %T is no part of a tree", v))
	}
}

func (s *speller) list(opens, closes byte, count int, item func(int)) {
	s.WriteByte(opens)
	s.gap()
	for i := range count {
		if i > 0 {
			s.WriteByte(',')
			s.gap()
		}
		item(i)
		s.gap()
	}
	s.WriteByte(closes)
}

func (s *speller) text(text string) {
	s.WriteByte('"')
	for _, r := range text {
		short := strings.IndexRune("\"\\/\b\f\n\r\t", r)
		needed := r < ' ' || r == '"' || r == '\\'
		freely := s.escape > 0 && s.IntN(s.escape) == 0
		switch {
		case !needed && !freely:
			s.WriteRune(r)
		case short >= 0 && s.IntN(2) == 0:
			s.WriteByte('\\')
			s.WriteByte(`"\/bfnrt`[short])
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(s, []string{`\u%04x`, `\u%04X`}[s.IntN(2)], unit)
			}
		}
	}
	s.WriteByte('"')
}
