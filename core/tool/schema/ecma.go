package schema

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const (
	lookAround    = "look-around is beyond RE2"
	backReference = "a back-reference is beyond RE2"
	scriptSet     = "Script_Extensions is beyond RE2"

	// ECMA-262 counts every Unicode space as white space, RE2 five ASCII ones.
	whiteSpace    = `\t-\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
	notWhiteSpace = `\x{0}-\x{8}\x{e}-\x{1f}!-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}` +
		`\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
)

// translator rewrites an ECMA-262 pattern (as with the flag u) into one of RE2 that matches the same texts. What RE2 spells alike
// stays. What it cannot do is replaced by something of the same form, so that the rest can still be checked, and why names it.
type translator struct {
	in      string
	at      int
	out     strings.Builder
	inClass bool
	why     string
}

func translate(text string) (translated, why string) {
	t := &translator{in: text}
	for t.at < len(t.in) {
		t.next()
	}
	return t.out.String(), t.why
}

// take skips a prefix if it comes next.
func (t *translator) take(prefix string) bool {
	if !strings.HasPrefix(t.in[t.at:], prefix) {
		return false
	}
	t.at += len(prefix)
	return true
}

func (t *translator) beyond(why string) {
	if t.why == "" {
		t.why = why
	}
}

func (t *translator) next() {
	switch {
	case t.take(`\`):
		t.escape()
	case t.inClass:
		t.class()
	case t.take("[^]"):
		t.out.WriteString(`[\x{0}-\x{10ffff}]`)
	case t.take("[]"):
		t.out.WriteString(`[^\x{0}-\x{10ffff}]`)
	case t.take("[^"):
		t.inClass = true
		t.out.WriteString("[^")
	case t.take("["):
		t.inClass = true
		t.out.WriteString("[")
	case t.take("."):
		t.out.WriteString(`[^\n\r\x{2028}\x{2029}]`)
	case t.take("(?="), t.take("(?!"), t.take("(?<="), t.take("(?<!"):
		t.beyond(lookAround)
		t.out.WriteString("(?:")
	case t.take("(?<"):
		t.name('>')
		t.out.WriteString("(")
	default:
		t.copy()
	}
}

// class reads one thing inside brackets, where RE2 alone knows nested names such as [:alpha:].
func (t *translator) class() {
	switch {
	case t.take("]"):
		t.inClass = false
		t.out.WriteString("]")
	case t.take("["):
		t.out.WriteString(`\[`)
	default:
		t.copy()
	}
}

// copy takes one character as it is.
func (t *translator) copy() {
	_, size := utf8.DecodeRuneInString(t.in[t.at:])
	t.out.WriteString(t.in[t.at : t.at+size])
	t.at += size
}

// name takes what stands before the end mark, and the mark.
func (t *translator) name(end byte) string {
	name, _, _ := strings.Cut(t.in[t.at:], string(end))
	t.at = min(len(t.in), t.at+len(name)+1)
	return name
}

func (t *translator) rune(r rune) { fmt.Fprintf(&t.out, `\x{%x}`, r) }

// escape reads what follows a backslash. A letter that means something in RE2 alone becomes an escape that RE2 refuses.
func (t *translator) escape() {
	if t.at >= len(t.in) {
		t.out.WriteByte('\\')
		return
	}
	c := t.in[t.at]
	t.at++
	switch {
	case c == 'u':
		t.unicode()
	case c == 'c' && t.at < len(t.in) && lower(t.in[t.at]) >= 'a' && lower(t.in[t.at]) <= 'z':
		t.rune(rune(t.in[t.at] % 32))
		t.at++
	case c == '0':
		t.rune(0)
	case c >= '1' && c <= '9' && !t.inClass:
		t.at += len(t.in[t.at:]) - len(strings.TrimLeft(t.in[t.at:], "0123456789"))
		t.beyond(backReference)
		t.out.WriteString("(?:)")
	case c == 'k' && t.take("<"):
		t.name('>')
		t.beyond(backReference)
		t.out.WriteString("(?:)")
	case c == 'b' && t.inClass:
		t.rune('\b')
	case c == 's':
		t.set(whiteSpace, "[")
	case c == 'S':
		t.set(notWhiteSpace, "[")
	case (c == 'p' || c == 'P') && t.take("{"):
		t.property(c, t.name('}'))
	case strings.IndexByte("azAZQEC", c) >= 0:
		t.out.WriteString(`\8`) // RE2 has a meaning for it, ECMA-262 has none
	default:
		t.at--
		t.out.WriteByte('\\')
		t.copy()
	}
}

func (t *translator) set(ranges, open string) {
	if t.inClass {
		t.out.WriteString(ranges)
		return
	}
	t.out.WriteString(open + ranges + "]")
}

// property rewrites \p{Script=Greek} and \p{gc=L}, which RE2 spells without the key.
func (t *translator) property(c byte, name string) {
	key, value, pair := strings.Cut(name, "=")
	switch {
	case pair && (key == "Script_Extensions" || key == "scx"):
		t.beyond(scriptSet)
		fallthrough
	case pair:
		name = value
	}
	fmt.Fprintf(&t.out, `\%c{%s}`, c, name)
}

// unicode reads what follows \u: four digits, two times four for a pair of surrogates, or digits in braces.
func (t *translator) unicode() {
	if t.take("{") {
		t.out.WriteString(`\x{` + t.name('}') + "}")
		return
	}
	first, ok := t.four()
	if !ok {
		t.out.WriteString(`\8`)
		return
	}
	if rest := t.at; utf16.IsSurrogate(first) && t.take(`\u`) {
		if second, ok := t.four(); ok {
			if r := utf16.DecodeRune(first, second); r != utf8.RuneError {
				t.rune(r)
				return
			}
		}
		t.at = rest
	}
	t.rune(first)
}

func (t *translator) four() (rune, bool) {
	if len(t.in)-t.at < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(t.in[t.at:t.at+4], 16, 32)
	if err == nil {
		t.at += 4
	}
	return rune(n), err == nil
}
