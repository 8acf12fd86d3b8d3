package ui

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/vugu/vugu/js"
)

// setText makes s the text of an element, if it is not: writing the same again would drop a reader's selection. A long text is
// compared by length and hash, since fetching it back from the page at each drawing would make typing slow.
func setText(el js.Value, s string) {
	if len(s) < 4096 {
		if el.Get("childElementCount").Int() > 0 || el.Get("textContent").String() != s {
			el.Set("textContent", s)
		}
		return
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte(s)))
	if el.Get("textSum").String() != sum || !holdsText(el, len(utf16.Encode([]rune(s)))) {
		el.Set("textContent", s)
		el.Set("textSum", sum)
	}
}

// holdsText says whether an element has one text of that length in it, and nothing else.
func holdsText(el js.Value, length int) bool {
	if el.Get("childNodes").Get("length").Int() != 1 {
		return false
	}
	n := el.Get("firstChild").Get("length")
	return n.Type() == js.TypeNumber && n.Int() == length
}

// setValue makes s the value of an input, if it is not: writing the same again could move the caret.
func setValue(el js.Value, s string) {
	if s = strings.ReplaceAll(s, "\r\n", "\n"); el.Get("value").String() != s {
		el.Set("value", s)
	}
}

// pressed is the state of a toggle button.
func pressed(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// given is an attribute that is left out when it has no value.
func given(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// when is an attribute that stands only where on holds.
func when(on bool, s string) any {
	if !on {
		return nil
	}
	return s
}
