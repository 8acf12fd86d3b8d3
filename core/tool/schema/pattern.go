package schema

import (
	"errors"
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
)

// pattern is an ECMA-262 pattern that RE2 runs in time linear in the text. Without re it is not enforced, and why says why.
type pattern struct {
	text         string
	re           *regexp.Regexp
	instructions int
	effort       int // tenths of a step a byte of text; RE2 takes some 20 ns for each byte and each instruction that is alive
	why          string
}

// compilePattern refuses what is no pattern, and what would need more instructions than are left.
func compilePattern(text string, left int) (*pattern, error) {
	translated, why := translate(text)
	parsed, err := syntax.Parse(translated, syntax.Perl)
	if err != nil {
		var e *syntax.Error
		if errors.As(err, &e) {
			if reason := beyond(e); reason != "" {
				return &pattern{text: text, why: reason}, nil
			}
			return nil, fmt.Errorf("%s is not a pattern: %s", Show(text), e.Code)
		}
		return nil, fmt.Errorf("%s is not a pattern", Show(text))
	}
	if why != "" {
		return &pattern{text: text, why: why}, nil
	}
	size := instructions(parsed)
	if size > left {
		return nil, fmt.Errorf("%s: the patterns of the schema are too large; repeat less", Show(text))
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return &pattern{text: text, why: "larger than RE2 allows"}, nil
	}
	effort := 2
	if size > 16 {
		effort = 2 * size
	}
	return &pattern{text: text, re: re, instructions: size, effort: effort}, nil
}

// beyond names what is right in ECMA-262 and beyond RE2.
func beyond(e *syntax.Error) string {
	switch e.Code {
	case syntax.ErrInvalidRepeatSize:
		return "repeats more than 1000 times"
	case syntax.ErrLarge, syntax.ErrNestingDepth:
		return "larger than RE2 allows"
	case syntax.ErrInvalidCharRange:
		if len(e.Expr) > 2 && e.Expr[0] == '\\' && slices.Contains([]byte("pP"), e.Expr[1]) {
			return "names a property that RE2 does not know"
		}
	}
	return ""
}

// instructions estimates the size of the compiled pattern, repetitions written out, without writing them out.
func instructions(re *syntax.Regexp) int {
	const plenty = 1 << 30
	size := 1
	switch re.Op {
	case syntax.OpLiteral:
		size = len(re.Rune)
	case syntax.OpRepeat, syntax.OpConcat, syntax.OpCapture:
		size = 0
	}
	for _, part := range re.Sub {
		size = min(plenty, size+instructions(part))
	}
	if re.Op == syntax.OpRepeat {
		size = min(plenty, size*max(re.Min, re.Max, 1))
	}
	return size
}
