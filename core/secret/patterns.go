package secret

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"strings"
	"unicode/utf16"
)

// ShortBytes is the length below which a form of a value is taken out only where it stands alone.
const ShortBytes = 6

// patterns are the forms of a value that are looked for, in the text as it is and in every view of it: raw, with + for spaces, hex in
// both cases, UTF-16 in both orders, base64 and base64url at each of the three places in which a value can begin inside of longer
// bytes. Credentials are whole texts of Basic that were sent with it.
func patterns(secret int, value string, credentials []string) []pattern {
	var list []pattern
	add := func(text string, left, right bool) {
		if text == "" {
			return
		}
		list = append(list, pattern{bytes: []byte(text), secret: secret, left: left, right: right, alone: len(text) < ShortBytes})
	}
	add(value, false, false)
	if strings.Contains(value, " ") {
		add(strings.ReplaceAll(value, " ", "+"), false, false)
	}
	inHex := hex.EncodeToString([]byte(value))
	add(inHex, false, false)
	add(strings.ToUpper(inHex), false, false)
	little, big := wide(value)
	add(little, false, false)
	add(big, false, false)
	base64s := func(text string, left, right bool) {
		add(text, left, right)
		add(strings.NewReplacer("+", "-", "/", "_").Replace(text), left, right)
	}
	for before := range 3 {
		if inner, left, right := aligned(value, before); len(inner) >= ShortBytes {
			base64s(inner, left, right)
		}
	}
	if whole := base64.RawStdEncoding.EncodeToString([]byte(value)); len(value) < 2*ShortBytes {
		base64s(whole, false, false)
	}
	for _, sent := range credentials {
		base64s(sent, false, false)
		base64s(strings.TrimRight(sent, "="), false, false)
	}
	return list
}

// aligned gives the characters of base64 that depend on the value alone when that many bytes (modulo 3) stand before it, and whether
// the characters to both sides hold some of its bits.
func aligned(value string, before int) (inner string, left, right bool) {
	text := base64.RawStdEncoding.EncodeToString(append(bytes.Repeat([]byte{0}, before), value...))
	if before > 0 {
		text, left = text[before+1:], true
	}
	if (before+len(value))%3 != 0 && text != "" {
		text, right = text[:len(text)-1], true
	}
	return text, left, right
}

func wide(value string) (little, big string) {
	var l, b []byte
	for _, u := range utf16.Encode([]rune(value)) {
		l, b = append(l, byte(u), byte(u>>8)), append(b, byte(u>>8), byte(u))
	}
	return string(l), string(b)
}

// inBase64 tells characters of base64 and base64url; beside is a letter or digit.
func inBase64(b byte) bool { return beside(b) || b == '+' || b == '/' || b == '-' || b == '_' }

func beside(b byte) bool { return '0' <= b && b <= '9' || 'a' <= b|0x20 && b|0x20 <= 'z' }
