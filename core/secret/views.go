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
// must be known, which never is at the end.
type reader func(src []byte, end bool) (length int, out []byte)

// readings are the ways in which a text may be written. Each sees a text in which its own escapes are undone, in any mixture of
// escaped and plain.
var readings = []struct {
	escape byte
	read   reader
}{{'%', percent}, {'\\', backslash}, {'&', entity}}

// percent is that of URLs and forms.
func percent(src []byte, end bool) (int, []byte) {
	for i := 1; i < 3; i++ {
		if i == len(src) {
			return wait(end), nil
		}
		if !isHex(src[i]) {
			return 0, nil
		}
	}
	n, _ := strconv.ParseUint(string(src[1:3]), 16, 8)
	return 3, []byte{byte(n)}
}

// backslash is that of JSON, and the \x of JavaScript and Python.
func backslash(src []byte, end bool) (int, []byte) {
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
		return length, utf8.AppendRune(nil, rune(first))
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
			return length + more, utf8.AppendRune(nil, r)
		}
	}
	return length, []byte("\uFFFD")
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
	}
	n, _ = strconv.ParseUint(string(src[from:from+digits]), 16, 32)
	return n, from + digits
}

// mostEntity bounds an entity.
const mostEntity = 16

// entity is that of HTML and XML, with its semicolon.
func entity(src []byte, end bool) (int, []byte) {
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
	name := string(head[1:stop])
	if text, known := entities[name]; known {
		return stop + 1, []byte(text)
	}
	digits, numeric := strings.CutPrefix(name, "#")
	base := 10
	if len(digits) > 1 && digits[0]|0x20 == 'x' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 32)
	if !numeric || err != nil || n > math.MaxInt32 {
		return 0, nil
	}
	return stop + 1, utf8.AppendRune(nil, rune(n))
}

// entities are the names of ASCII characters.
var entities = map[string]string{
	"amp": "&", "AMP": "&", "lt": "<", "LT": "<", "gt": ">", "GT": ">", "quot": `"`, "QUOT": `"`, "apos": "'", "excl": "!", "num": "#",
	"dollar": "$", "percnt": "%", "lpar": "(", "rpar": ")", "ast": "*", "midast": "*", "plus": "+", "comma": ",", "period": ".", "sol": "/",
	"colon": ":", "semi": ";", "equals": "=", "quest": "?", "commat": "@", "lsqb": "[", "lbrack": "[", "bsol": `\`, "rsqb": "]", "rbrack": "]",
	"Hat": "^", "lowbar": "_", "UnderBar": "_", "grave": "`", "lcub": "{", "lbrace": "{", "verbar": "|", "vert": "|",
	"VerticalLine": "|", "rcub": "}", "rbrace": "}",
}

func wait(end bool) int {
	if end {
		return 0
	}
	return -1
}

func isHex(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'f' }
