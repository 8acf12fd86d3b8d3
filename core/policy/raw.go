package policy

import (
	"strings"
	"unicode/utf8"
)

// The steps before the parser see the text as the tool wrote it. Parsers repair: they drop tabs and line feeds, turn backslashes, decode
// percents in hosts, find a host behind one slash or three. Two that repair differently are how a checked host and the host
// that is sent to come apart, so nothing that would need repair goes further.

// raw is a text that has passed the step raw_form.
type raw struct {
	text      string
	authority string // between the two slashes and the next / ? #, empty when the scheme is not https
}

const https = "https"

// rawForm is the step raw_form. Another scheme passes, so that the next steps can name it.
func rawForm(text string, most int) (raw, *Denial) {
	if len(text) > most {
		return raw{}, deny(RawForm, "the url has %d bytes, at most %d; send long data in a body", len(text), most)
	}
	scheme, rest, found := strings.Cut(text, ":")
	if !found || !isScheme(scheme) {
		return raw{}, deny(RawForm, "%.100q is not absolute; write the whole url, beginning with https://", text)
	}
	var authority string
	if strings.EqualFold(scheme, https) {
		if scheme != https || !strings.HasPrefix(rest, "//") {
			return raw{}, deny(RawForm, "%.100q must begin with https:// in lower case", text)
		}
		authority = rest[2:]
		if end := strings.IndexAny(authority, `/?#`); end >= 0 {
			authority = authority[:end]
		}
		if authority == "" {
			return raw{}, deny(RawForm, "%.100q names no host behind https://", text)
		}
	}
	if d := rawLetters(text, authority); d != nil {
		return raw{}, d
	}
	if host := authority[strings.LastIndexByte(authority, '@')+1:]; strings.Contains(host, "%") {
		return raw{}, deny(RawForm, "host %.100q holds a percent sign; write the host itself", host)
	}
	if authority != "" && looseEscape(rest[2+len(authority):]) {
		return raw{}, deny(RawForm, "the path holds a percent sign that encodes nothing; write %%25")
	}
	return raw{text, authority}, nil
}

// looseEscape says whether a path holds a percent sign without two hex digits, which some readers take as it is, some refuse, and some repair.
func looseEscape(path string) bool {
	if end := strings.IndexAny(path, "?#"); end >= 0 {
		path = path[:end]
	}
	for at := strings.IndexByte(path, '%'); at >= 0; at = strings.IndexByte(path, '%') {
		path = path[at+1:]
		if len(path) < 2 || !isHex(path[0]) || !isHex(path[1]) {
			return true
		}
	}
	return false
}

func isHex(c byte) bool { return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f' }

// rawLetters refuses what parsers drop, turn or encode: printable ASCII passes, and letters of other scripts in the host alone.
func rawLetters(text, authority string) *Denial {
	from := len(https) + len("://")
	to := from + len(authority)
	for i, r := range text {
		switch {
		case r == '\\':
			return deny(RawForm, "the url holds a backslash; write / or %%5C")
		case r <= ' ' || r == 0x7f:
			return deny(RawForm, "the url holds %q; percent-encode it (encodeURIComponent)", r)
		case r == utf8.RuneError:
			return deny(RawForm, "the url is not valid Unicode")
		case r == 'ẞ': // older parsers read ss, newer ones ß
			return deny(RawForm, "the url holds %q, which is two different hosts; write it in small letters", r)
		case r < 0x7f || authority != "" && from <= i && i < to:
		default:
			return deny(RawForm, "the url holds %q behind its host; percent-encode it (encodeURIComponent)", r)
		}
	}
	return nil
}

func isScheme(text string) bool {
	for i, c := range []byte(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && (i == 0 || !('0' <= c && c <= '9' || c == '+' || c == '-' || c == '.')) {
			return false
		}
	}
	return text != ""
}
