package canon

import (
	"math"
	"strconv"
)

// safeInteger is the largest integer of I-JSON: every integer up to it is a float64 and no other integer rounds to it.
const safeInteger = 1<<53 - 1

// exactDigits is how many decimal digits surely make a safe integer.
const exactDigits = 15

// number reads one number literal. A whole one is a promise of exactness, so it is kept or refused, never rounded.
func (d *decoder) number() (float64, *refusal) {
	start := d.at
	if d.text[d.at] == '-' {
		d.at++
	}
	leading := d.at
	whole, digits := d.digits()
	switch {
	case digits == 0:
		return 0, d.fail("%s where a digit should be", d.here())
	case digits > 1 && d.text[leading] == '0':
		d.at = leading
		return 0, d.fail("number with a leading zero")
	}
	integer, r := d.fraction()
	if r != nil {
		return 0, r
	}
	if integer && digits <= exactDigits {
		if leading > start {
			return -float64(whole) + 0, nil
		}
		return float64(whole), nil
	}
	literal := d.text[start:d.at]
	f, err := strconv.ParseFloat(string(literal), 64)
	switch {
	case err != nil:
		d.at = start
		return 0, d.fail("number %s is beyond float64", clip(string(literal)))
	case integer && !isFaithful(f, literal):
		d.at = start
		return 0, d.fail("integer %s is not exact in float64, write it as a string", clip(string(literal)))
	}
	return f + 0, nil // -0 + 0 is 0
}

// digits skips digits. Their value is right for the first exactDigits of them.
func (d *decoder) digits() (value uint64, count int) {
	start := d.at
	for d.at < len(d.text) && '0' <= d.text[d.at] && d.text[d.at] <= '9' {
		value = value*10 + uint64(d.text[d.at]-'0')
		d.at++
	}
	return value, d.at - start
}

// fraction skips the optional fraction and exponent, and says whether there was neither.
func (d *decoder) fraction() (none bool, r *refusal) {
	none = true
	if d.at < len(d.text) && d.text[d.at] == '.' {
		none = false
		d.at++
		if _, count := d.digits(); count == 0 {
			return false, d.fail("%s where a digit of the fraction should be", d.here())
		}
	}
	if d.at < len(d.text) && d.text[d.at]|0x20 == 'e' {
		none = false
		d.at++
		if d.at < len(d.text) && (d.text[d.at] == '+' || d.text[d.at] == '-') {
			d.at++
		}
		if _, count := d.digits(); count == 0 {
			return false, d.fail("%s where a digit of the exponent should be", d.here())
		}
	}
	return none, nil
}

// isFaithful says whether an integer literal may be read as the float64 nearest to it: when they are the same number (strconv
// writes all digits of an integral float64, at most 309, so then the texts are equal), or when the literal is that float64's
// own canonical spelling. The latter fills up with zeros from 2^53 to 10^21: 2^68 is written 295147905179352830000, and what
// has been encoded must decode.
func isFaithful(f float64, literal []byte) bool {
	var digits [320]byte
	return string(strconv.AppendFloat(digits[:0], f, 'f', 0, 64)) == string(literal) ||
		string(appendNumber(digits[:0], f)) == string(literal)
}

// appendNumber writes a finite number as ECMAScript's Number::toString does (RFC 8785 section 3.2.2.3).
func appendNumber(dst []byte, f float64) []byte {
	size := math.Abs(f)
	switch {
	case size <= safeInteger && f == math.Trunc(f):
		return strconv.AppendInt(dst, int64(f), 10)
	case 1e-6 <= size && size < 1e21:
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go pads the exponent to two digits, ECMAScript does not.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}
