// Package safe makes text of strangers fit to be shown beside words of our own, in a prompt, a list or on a terminal.
package safe

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	mostMarks = 4   // combining marks on one letter; living languages need three
	more      = "…" // where text was cut
	lost      = "�" // marks beyond mostMarks
	bare      = "◌" // carries a mark that has no letter of its own
)

// Text gives text as one line of at most so many bytes of valid UTF-8, in which every character is drawn and stands where it is
// written. White space of any width, ends of lines too, becomes single spaces. Controls, marks of direction, joiners, tags, fillers and
// whatever else is not drawn are written out, as [U+202E], a run of them as its first and the number of the others; the two signs that
// choose the form of an emoji are left out. Marks that pile up are cut off. What was too long ends in "…". Text of Text is the same text.
//
// Letters that run from right to left stay: show the text in an element of its own, so that it cannot reorder its neighbours.
func Text(text string, most int) string {
	w := writer{most: most}
	for _, r := range text {
		if w.full {
			break
		}
		w.rune(r)
	}
	w.flush()
	return w.String()
}

// writer collects what is shown.
type writer struct {
	strings.Builder
	most int
	full bool

	fits   int  // length up to which text stays when it has to be cut
	space  bool // white space waits for what follows it
	first  rune // of a run of hidden characters
	hidden int
	marks  int  // on the last letter
	base   bool // a letter stands before, so a mark has something to stand on
}

func (w *writer) rune(r rune) {
	switch {
	case unicode.IsSpace(r) || unicode.Is(unicode.Z, r):
		w.flush()
		w.space, w.base = w.Len() > 0, false
	case emojiForm(r) && w.base && w.hidden == 0:
	case invisible(r):
		if w.hidden++; w.hidden == 1 {
			w.first = r
		}
	case unicode.Is(unicode.M, r):
		w.flush()
		w.mark(r)
	default:
		w.flush()
		w.put(string(r))
		w.base, w.marks = true, 0
	}
}

func (w *writer) mark(r rune) {
	switch w.marks++; {
	case !w.base:
		w.put(bare + string(r))
		w.base, w.marks = true, 1
	case w.marks <= mostMarks:
		w.put(string(r))
	case w.marks == mostMarks+1:
		w.put(lost)
	}
}

// flush writes what is known of a run of hidden characters when it has ended.
func (w *writer) flush() {
	switch {
	case w.hidden == 1:
		w.put(fmt.Sprintf("[U+%04X]", w.first))
	case w.hidden > 1:
		w.put(fmt.Sprintf("[U+%04X +%d]", w.first, w.hidden-1))
	default:
		return
	}
	w.hidden, w.base = 0, false
}

// put writes a piece that is not cut in itself, and the space before it.
func (w *writer) put(piece string) {
	if w.full {
		return
	}
	if w.space {
		piece, w.space = " "+piece, false
	}
	if w.Len()+len(piece) > w.most {
		w.full = true
		kept := w.String()[:w.fits]
		w.Reset()
		if w.most >= len(more) {
			w.WriteString(strings.TrimRight(kept, " ") + more)
		}
		return
	}
	w.WriteString(piece)
	if w.Len()+len(more) <= w.most {
		w.fits = w.Len()
	}
}

func emojiForm(r rune) bool { return r == '\ufe0e' || r == '\ufe0f' }

// invisible tells whether a character is not drawn, or draws on others: it is no letter, mark, number, punctuation, symbol or space,
// or it is one of those only by name.
func invisible(r rune) bool {
	if r == utf8.RuneError {
		return false
	}
	return !unicode.IsPrint(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Me) ||
		r == '\u2800' || r == '\U0001d159'
}
