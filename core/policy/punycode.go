package policy

import (
	"slices"
	"strings"
	"unicode"
)

// The numbers of RFC 3492, section 5.
const (
	punyBase    = 36
	punyTMin    = 1
	punyTMax    = 26
	punySkew    = 38
	punyDamp    = 700
	punyBias    = 72
	punyInitial = 0x80
)

// fromPunycode decodes what follows xn-- in a label. It takes only what an encoder writes, in lower case, without what IDNA maps away or never
// shows. (An encoding of ASCII alone ends in a hyphen, which no label does.) Parsers agree less about these labels than about anything else, so it is checked here too.
func fromPunycode(encoded string) (string, bool) {
	runes, ok := decodePunycode(encoded)
	if !ok || toPunycode(runes) != encoded {
		return "", false
	}
	for _, r := range runes {
		if r >= punyInitial && !mayStandInLabel(r) {
			return "", false
		}
	}
	return string(runes), true
}

// mayStandInLabel takes letters, digits, marks and pictures. Of what joins, parts, counts or looks like punctuation (there are slashes and dots
// beyond ASCII) only that is taken which belongs to words (RFC 5892, appendix A); a label with it is never shown decoded.
func mayStandInLabel(r rune) bool {
	if strings.ContainsRune(withinWords, r) {
		return true
	}
	return unicode.ToLower(r) == r && !unicode.In(r, unicode.Z, unicode.C, unicode.P, unicode.No, unicode.Sm, unicode.Sk)
}

const withinWords = "\u200c\u200d\u00b7\u0375\u05f3\u05f4\u30fb"

func decodePunycode(encoded string) (runes []rune, ok bool) {
	if at := strings.LastIndexByte(encoded, '-'); at >= 0 {
		runes, encoded = []rune(encoded[:at]), encoded[at+1:]
	}
	n, i, bias := rune(punyInitial), 0, punyBias
	for first := true; encoded != ""; first = false {
		before, weight := i, 1
		for k := punyBase; ; k += punyBase {
			if encoded == "" {
				return nil, false
			}
			digit := punyDigit(encoded[0])
			encoded = encoded[1:]
			if digit < 0 || digit > (1<<31-1-i)/weight {
				return nil, false
			}
			i += digit * weight
			t := min(max(k-bias, punyTMin), punyTMax)
			if digit < t {
				break
			}
			if weight > (1<<31-1)/(punyBase-t) {
				return nil, false
			}
			weight *= punyBase - t
		}
		size := len(runes) + 1
		bias = adapt(i-before, size, first)
		if i/size > int(unicode.MaxRune-n) {
			return nil, false
		}
		n += rune(i / size)
		i %= size
		if 0xd800 <= n && n < 0xe000 {
			return nil, false
		}
		runes = slices.Insert(runes, i, n)
		i++
	}
	return runes, true
}

// toPunycode encodes; it serves to see that a label has the one spelling that an encoder gives.
func toPunycode(runes []rune) string {
	var out []byte
	for _, r := range runes {
		if r < punyInitial {
			out = append(out, byte(r))
		}
	}
	basic, done := len(out), len(out)
	if basic > 0 {
		out = append(out, '-')
	}
	n, delta, bias := rune(punyInitial), 0, punyBias
	for done < len(runes) {
		next := rune(unicode.MaxRune)
		for _, r := range runes {
			if r >= n {
				next = min(next, r)
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range runes {
			if r < n {
				delta++
			}
			if r != n {
				continue
			}
			q := delta
			for k := punyBase; ; k += punyBase {
				t := min(max(k-bias, punyTMin), punyTMax)
				if q < t {
					break
				}
				out = append(out, punyLetters[t+(q-t)%(punyBase-t)])
				q = (q - t) / (punyBase - t)
			}
			out = append(out, punyLetters[q])
			bias = adapt(delta, done+1, done == basic)
			delta = 0
			done++
		}
		delta++
		n++
	}
	return string(out)
}

const punyLetters = "abcdefghijklmnopqrstuvwxyz0123456789"

func punyDigit(c byte) int { return strings.IndexByte(punyLetters, c) }

func adapt(delta, size int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / size
	k := 0
	for delta > (punyBase-punyTMin)*punyTMax/2 {
		delta /= punyBase - punyTMin
		k += punyBase
	}
	return k + (punyBase-punyTMin+1)*delta/(delta+punySkew)
}
