package policytest

import (
	"net/url"
	"regexp"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

// The reasons for which a parser may differ from a suite. The suites follow the newest text of the standards; engines and libraries follow older ones.
const (
	OpaqueSpace = "a space at the end of an opaque path stays, as it did before 2025; no https URL has such a path"
	Caret       = "a ^ in a path stays, as it did before 2024; the sender's own serialisation is what is judged and sent"
	BadLabel    = "an encoded label that decodes to nothing valid is refused, as it was before 2025"
	NewLetters  = "a letter that Unicode 15 did not have, or did not map, is refused"
	Punctuation = "a letter that stands for punctuation is refused, as it was before 2024; the policy refuses what it becomes"
	SharpS      = "a capital sharp s becomes ss, as it did before Unicode 15.1; the policy refuses the letter"
	LongNumber  = "a last label of digits beyond 64 bits is refused, whatever follows them"
)

// Library is how many cases of each suite the library of native/urls sees otherwise.
func Library() map[string]map[string]int {
	return map[string]map[string]int{
		"url":        {OpaqueSpace: 5, Caret: 2, BadLabel: 8},
		"toascii":    {SharpS: 2, NewLetters: 5, Punctuation: 6, BadLabel: 7},
		"IdnaTestV2": {SharpS: 2, NewLetters: 72, Punctuation: 81, BadLabel: 792, LongNumber: 42},
	}
}

// explain gives the reason for a difference, nothing if there may be none. What must fail and does not has no reason.
func explain(v vector, got policy.URL, err error) string {
	if v.fails {
		return ""
	}
	input, _ := url.PathUnescape(v.input)
	switch want := v.want["href"]; {
	case err == nil && strings.ReplaceAll(want, "%20", " ") == got.Href && !strings.Contains(want, "://"):
		return OpaqueSpace
	case err == nil && strings.ReplaceAll(want, "%5E", "^") == got.Href:
		return Caret
	case err == nil && strings.ContainsRune(input, 'ẞ') && strings.Contains(got.Host, "ss"):
		return SharpS
	case err == nil:
		return ""
	case strings.Contains(strings.ToLower(input), "xn--"):
		return BadLabel
	case newLetters.MatchString(input):
		return NewLetters
	case punctuation.MatchString(input):
		return Punctuation
	case longNumber.MatchString(input):
		return LongNumber
	}
	return ""
}

var (
	longNumber = regexp.MustCompile(`[0-9]{19}`)

	// Capitals whose small letters came late, letters that show nothing, ideographs of 2023 and later and corrected ones.
	newLetters = regexp.MustCompile(`[\x{4c0}\x{10a0}-\x{10c5}\x{115f}\x{1160}\x{17b4}\x{17b5}\x{180e}\x{206a}-\x{206f}\x{2132}\x{2183}\x{3164}\x{ffa0}` +
		`\x{1d173}-\x{1d17a}\x{2f868}\x{323b0}-\x{33479}]`)

	// Signs that are, or decompose to, one of = < > ( ).
	punctuation = regexp.MustCompile(`[=<>\x{2260}\x{226e}\x{226f}\x{2474}-\x{2487}\x{ff1d}]`)
)
