package signature

import (
	"fmt"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

// frame is one tool on its way to one provider.
type frame struct {
	*source
	tool  string
	keys  map[string]string // parameter → the provider's name for it, where they differ
	notes []Note
}

func (f *frame) note(path, format string, args ...any) {
	f.notes = append(f.notes, Note{Tool: f.tool, Path: path, Text: fmt.Sprintf(format, args...)})
}

// once drops notes that say the same again: one schema of several types is written once for each.
func once(notes []Note) []Note {
	seen := map[Note]bool{}
	return slices.DeleteFunc(notes, func(n Note) bool {
		again := seen[n]
		seen[n] = true
		return again
	})
}

// key is what the provider calls a parameter.
func (f *frame) key(name string) string {
	if alias, renamed := f.keys[name]; renamed {
		return alias
	}
	return name
}

func (f *frame) keyList(names []any) []any {
	out := make([]any, len(names))
	for i, name := range names {
		out[i] = f.key(textOf(name))
	}
	return out
}

// spoken is a keyword that the provider cannot be given: a sentence for the model and a note for the host.
func (f *frame) spoken(path string, lost rule) string {
	at, keyword := path, "a part"
	if lost.keyword != "" {
		at, keyword = canon.Child(path, lost.keyword), lost.keyword
	}
	said := ""
	if lost.keyword == "" {
		said = "Must also fit the JSON Schema " + clip(show(lost.value)) + "."
	} else {
		said = sentence(lost.keyword, lost.value, f.key)
	}
	f.note(at, "%s cannot be expressed and is put into words: %s", keyword, said)
	return said
}

func (f *frame) spokenAll(path string, lost []rule) []string {
	said := make([]string, len(lost))
	for i, r := range lost {
		said[i] = f.spoken(path, r)
	}
	return said
}

// standsFor tells the model what a renamed parameter means.
func (f *frame) standsFor(name, path string) string {
	if f.key(name) == name {
		return ""
	}
	f.note(path, "the parameter is called %s, its own name is not allowed", f.key(name))
	return "Stands for the parameter " + clip(show(name)) + "."
}

// undeclared are names that are required but have no schema.
func undeclared(schema map[string]any) []string {
	var all []string
	declared := objectOf(schema["properties"])
	for _, name := range listOf(schema["required"]) {
		if _, known := declared[textOf(name)]; !known {
			all = append(all, textOf(name))
		}
	}
	return all
}
