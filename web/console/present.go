package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// shownRunes bounds what the page shows of one text; a result may have 16 MiB.
const shownRunes = 200_000

// Short is an id for a reader: its kind's prefix left out, its first digits kept.
func Short(id string) string {
	digits := id[strings.LastIndexByte(id, ':')+1:]
	if len(digits) > 10 {
		return digits[:10] + "…"
	}
	return digits
}

// Pretty indents JSON text without touching its values; text that is no JSON stays as it is.
func Pretty(text string) string {
	var out bytes.Buffer
	if json.Indent(&out, []byte(text), "", "  ") != nil {
		return text
	}
	return out.String()
}

// ResultText is a result for a reader.
func ResultText(result string) string {
	if strings.ReplaceAll(result, " ", "") == `{"$t":"undefined"}` {
		return "undefined"
	}
	return Bounded(Pretty(result))
}

// Bounded cuts a text that no page should lay out whole, and says so.
func Bounded(text string) string {
	if len(text) <= shownRunes {
		return text
	}
	runes := []rune(text)
	if len(runes) <= shownRunes {
		return text
	}
	return fmt.Sprintf("%s\n… %d more characters are not shown", string(runes[:shownRunes]), len(runes)-shownRunes)
}

// Took is a duration for a reader.
func Took(d time.Duration) string {
	switch {
	case d <= 0:
		return ""
	case d < time.Second:
		return fmt.Sprintf("%d ms", max(1, d.Milliseconds()))
	default:
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
}

// OutcomeText is an outcome, or the code of an error, in words.
func OutcomeText(outcome string) string { return strings.ReplaceAll(outcome, "_", " ") }

// Tone is the colour of an outcome: good, odd (nobody's fault, or somebody's wish) or bad.
func Tone(outcome string) string {
	switch outcome {
	case "ok":
		return "good"
	case "aborted", "timeout", "denied", "unavailable":
		return "odd"
	default:
		return "bad"
	}
}

// Place is where a failure is: path, line and column, as far as they are known.
func (f *Failure) Place() string {
	var parts []string
	if f.Line > 0 {
		place := fmt.Sprintf("line %d", f.Line)
		if f.Column > 0 {
			place += fmt.Sprintf(", column %d", f.Column)
		}
		parts = append(parts, place)
	}
	if f.Path != "" {
		parts = append(parts, "at "+f.Path)
	}
	return strings.Join(parts, ", ")
}

// failureOf is an error of the engine, for a reader.
func failureOf(err error) *Failure {
	f := fault.From(err)
	return &Failure{Code: string(f.Code), Message: f.Message, Path: f.Path, Line: f.Line, Column: f.Column}
}
