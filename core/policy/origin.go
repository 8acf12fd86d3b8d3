package policy

import (
	"strings"
	"unicode"
)

// Origin is who a request goes to: https, a host and a port. Text is the identity, for grants, notes and comparisons. Readable is for people, shown
// beside Text and never alone: it writes those labels in their own letters that cannot pass for others.
type Origin struct {
	Text     string // https://host, or https://host:port for another port than 443; A-labels
	Readable string
}

func originOf(u URL) Origin {
	readable := u.Origin
	if strings.Contains(u.Host, "xn--") {
		readable = strings.Replace(u.Origin, u.Host, readableHost(u.Host), 1)
	}
	return Origin{Text: u.Origin, Readable: readable}
}

func readableHost(host string) string {
	labels := strings.Split(host, ".")
	for i, label := range labels {
		encoded, found := strings.CutPrefix(label, "xn--")
		if text, ok := fromPunycode(encoded); found && ok && tellable(text) {
			labels[i] = text
		}
	}
	return strings.Join(labels, ".")
}

// tellable says whether a label may be shown in its own letters. All letters must be of one script (Japanese writes three), the script must run from left to
// right, so that the parts of a host keep their order, and a label that could be read as Latin stays encoded: one of Cyrillic or
// Greek must hold a letter that Latin has nothing like. Letters with marks of their own (å) pass in Latin, loose marks do not.
func tellable(label string) bool {
	var script *tellableScript
	telling := false
	for _, r := range label {
		if r == '-' || '0' <= r && r <= '9' {
			continue
		}
		of := scriptOf(r)
		if of == nil || script != nil && of != script || !unicode.IsLetter(r) && !of.marks {
			return false
		}
		script = of
		telling = telling || of.unlike == "" || strings.ContainsRune(of.unlike, r)
	}
	return telling
}

// tellableScript is a writing system whose labels may be shown.
type tellableScript struct {
	tables []*unicode.RangeTable
	marks  bool   // words hold marks of their own
	unlike string // if not empty: a label must hold one of these letters, which look like nothing in Latin
}

var tellableScripts = []*tellableScript{
	{tables: []*unicode.RangeTable{latin}},
	{tables: []*unicode.RangeTable{unicode.Cyrillic}, unlike: "бвгджзийлпфцчшщъыьэюяєґђћљњ"},
	{tables: []*unicode.RangeTable{unicode.Greek}, unlike: "βδθλξπσςφψω"},
	{tables: []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana}},
	{tables: []*unicode.RangeTable{unicode.Hangul}},
	{tables: []*unicode.RangeTable{unicode.Devanagari}, marks: true},
	{tables: []*unicode.RangeTable{unicode.Thai}, marks: true},
	{tables: []*unicode.RangeTable{unicode.Georgian}},
}

// latin is what alphabets of today use: no phonetic signs, small capitals and wide forms, which are Latin too.
var latin = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 'a', Hi: 'z', Stride: 1}, {Lo: 0xdf, Hi: 0x24f, Stride: 1}, {Lo: 0x1e00, Hi: 0x1eff, Stride: 1}}}

func scriptOf(r rune) *tellableScript {
	for _, script := range tellableScripts {
		for _, table := range script.tables {
			if unicode.Is(table, r) {
				return script
			}
		}
	}
	return nil
}
