package secret

import (
	"bytes"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reader reads one escape at the beginning of a text, and gives its length and what it stands for. Length 0: it is none, -1: more
// must be known, which never is at the end. Scratch is empty and has room for one character.
type reader func(src, scratch []byte, end bool) (length int, out []byte)

// readings are the ways in which a text may be written. Each sees a text in which its own escapes are undone, in any mixture of
// escaped and plain.
var readings = []struct {
	escape byte
	read   reader
}{{'%', percent}, {'\\', backslash}, {'&', entity}}

// percent is that of URLs and forms.
func percent(src, scratch []byte, end bool) (int, []byte) {
	for i := 1; i < 3; i++ {
		if i == len(src) {
			return wait(end), nil
		}
		if !isHex(src[i]) {
			return 0, nil
		}
	}
	return 3, append(scratch, digit(src[1])<<4|digit(src[2]))
}

// backslash is that of JSON, and the \x of JavaScript and Python.
func backslash(src, scratch []byte, end bool) (int, []byte) {
	if len(src) < 2 {
		return wait(end), nil
	}
	switch src[1] {
	case '"', '\'', '\\', '/':
		return 2, src[1:2]
	case 'x', 'u':
	default:
		return 0, nil
	}
	digits := 2
	if src[1] == 'u' {
		digits = 4
	}
	first, length := hexAt(src, 2, digits, end)
	if length <= 0 || !utf16.IsSurrogate(rune(first)) {
		return length, utf8.AppendRune(scratch, rune(first))
	}
	// What is no second half leaves the first one alone: it stands for no text.
	switch rest := src[length:]; {
	case !end && (len(rest) == 0 || len(rest) == 1 && rest[0] == '\\'):
		return -1, nil
	case len(rest) >= 2 && string(rest[:2]) == `\u`:
		second, more := hexAt(rest, 2, 4, end)
		if more < 0 {
			return -1, nil
		}
		if r := utf16.DecodeRune(rune(first), rune(second)); more > 0 && r != utf8.RuneError {
			return length + more, utf8.AppendRune(scratch, r)
		}
	}
	return length, utf8.AppendRune(scratch, utf8.RuneError)
}

// hexAt reads digits at a place; the length is that of all up to their end.
func hexAt(src []byte, from, digits int, end bool) (n uint64, length int) {
	for i := from; i < from+digits; i++ {
		if i == len(src) {
			return 0, wait(end)
		}
		if !isHex(src[i]) {
			return 0, 0
		}
		n = n<<4 | uint64(digit(src[i]))
	}
	return n, from + digits
}

// mostEntity bounds an entity.
const mostEntity = 16

// entity is that of HTML and XML, with its semicolon.
func entity(src, scratch []byte, end bool) (int, []byte) {
	head := src[:min(len(src), mostEntity)]
	stop := bytes.IndexByte(head, ';')
	if stop < 0 {
		for _, b := range head[1:] {
			if !beside(b) && b != '#' {
				return 0, nil
			}
		}
		if len(src) < mostEntity {
			return wait(end), nil
		}
		return 0, nil
	}
	if text, known := entities[string(head[1:stop])]; known {
		return stop + 1, append(scratch, text)
	}
	digits, numeric := strings.CutPrefix(string(head[1:stop]), "#")
	base := 10
	if len(digits) > 1 && digits[0]|0x20 == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if !numeric || err != nil || n > math.MaxInt32 {
		return 0, nil
	}
	return stop + 1, utf8.AppendRune(scratch, rune(n))
}

// entities are the names of ASCII characters.
var entities = map[string]byte{
	"amp": '&', "AMP": '&', "lt": '<', "LT": '<', "gt": '>', "GT": '>', "quot": '"', "QUOT": '"', "apos": '\'', "excl": '!', "num": '#',
	"dollar": '$', "percnt": '%', "lpar": '(', "rpar": ')', "ast": '*', "midast": '*', "plus": '+', "comma": ',', "period": '.', "sol": '/',
	"colon": ':', "semi": ';', "equals": '=', "quest": '?', "commat": '@', "lsqb": '[', "lbrack": '[', "bsol": '\\', "rsqb": ']', "rbrack": ']',
	"Hat": '^', "lowbar": '_', "UnderBar": '_', "grave": '`', "lcub": '{', "lbrace": '{', "verbar": '|', "vert": '|',
	"VerticalLine": '|', "rcub": '}', "rbrace": '}',
}

func wait(end bool) int {
	if end {
		return 0
	}
	return -1
}

func digit(b byte) byte {
	if b <= '9' {
		return b - '0'
	}
	return b | 0x20 - 'a' + 10
}

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f' }
