package archive

import (
	"errors"
	"sort"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Report says what an import did.
type Report struct {
	Revisions Count `json:"revisions"`
	Tasks     Count `json:"tasks"`
	Records   Count `json:"records"`

	Refused     []Refusal `json:"refused"`               // in the order of the text, no more than MostListed
	RefusedMore int       `json:"refusedMore,omitempty"` // how many are not listed

	Converted     []Note `json:"converted"` // what older data became that is not simply the same, no more than MostListed
	ConvertedMore int    `json:"convertedMore,omitempty"`
}

// Count tells what came in from what was here already.
type Count struct {
	New   int `json:"new"`
	Known int `json:"known"`
}

// Place is where something stands in the text: a line, or an item of the list that the text is. Both count from 1.
type Place struct {
	Line int `json:"line,omitempty"`
	Item int `json:"item,omitempty"`
}

func (p Place) String() string {
	if p.Line > 0 {
		return "line " + strconv.Itoa(p.Line)
	}
	return "item " + strconv.Itoa(p.Item)
}

// Refusal says what did not come in, and why.
type Refusal struct {
	Place
	Code    fault.Code `json:"code"`
	Message string     `json:"message"`
	Path    string     `json:"path,omitempty"`
}

// Note says how an older node was understood. Was is its old id.
type Note struct {
	Place
	Was  string `json:"was,omitempty"`
	Text string `json:"text"`
}

// MostListed bounds how many refusals, and how many notes, a report lists one by one.
const MostListed = 100

// longestMessage bounds a message of a report, in bytes: much of it may be a stranger's text.
const longestMessage = 1000

// final is an error that ends the import, though a file's line could be refused for its code.
type final struct{ error }

func (f final) Unwrap() error { return f.error }

// answered marks the error of a store that did not answer, or that has no more space: nothing of it is the file's fault.
func answered(err error) error {
	switch fault.CodeOf(err) {
	case fault.Unavailable, fault.TooLarge:
		return final{err}
	}
	return err
}

// refuse lists an error that is the file's fault. Any other error, such as a store that does not answer, ends the import and is
// returned.
func (r *Report) refuse(at Place, err error) error {
	if end := (final{}); errors.As(err, &end) {
		return err
	}
	f := fault.From(err)
	switch f.Code {
	case fault.Internal, fault.Aborted, fault.Closed, fault.Timeout:
		return err
	}
	if len(r.Refused) == MostListed {
		r.RefusedMore++
		return nil
	}
	// Each line is read alone, so that a position within it needs no line.
	message := strings.Replace(f.Message, "json line 1 column", "json column", 1)
	r.Refused = append(r.Refused, Refusal{at, f.Code, clip(message, longestMessage), f.Path})
	return nil
}

// sort puts what is listed into the order of the text, which a reader goes through.
func (r *Report) sort() {
	before := func(a, b Place) bool { return a.Line < b.Line || a.Line == b.Line && a.Item < b.Item }
	sort.SliceStable(r.Refused, func(i, j int) bool { return before(r.Refused[i].Place, r.Refused[j].Place) })
	sort.SliceStable(r.Converted, func(i, j int) bool { return before(r.Converted[i].Place, r.Converted[j].Place) })
}

func (r *Report) note(at Place, was, text string) {
	if len(r.Converted) == MostListed {
		r.ConvertedMore++
		return
	}
	r.Converted = append(r.Converted, Note{at, clip(was, task.LongestLabel), clip(text, longestMessage)})
}

// clip cuts a text to so many bytes, at a character.
func clip(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "")
}
