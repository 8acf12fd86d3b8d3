package tool

import (
	"reflect"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Change is one difference between two definitions: a place that one of them lacks, or where they hold different values.
type Change struct {
	Path   string     `json:"path"` // JSON path in the definition in normal form
	Kind   ChangeKind `json:"kind"`
	Before any        `json:"before"` // null where it was added
	After  any        `json:"after"`  // null where it was removed
}

// ChangeKind says what happened at a place.
type ChangeKind string

const (
	Added   ChangeKind = "added"
	Removed ChangeKind = "removed"
	Changed ChangeKind = "changed"
)

// Diff lists how after differs from before, in the order of canonical JSON. Objects are compared member by member, everything else,
// arrays too, as a whole. Equal revisions have no differences, and others always have one.
func Diff(before, after *Revision) ([]Change, error) {
	trees := [2]any{}
	for i, r := range []*Revision{before, after} {
		var err error
		if trees[i], err = canon.Decode([]byte(r.bytes), definitionNesting); err != nil {
			return nil, fault.Wrap(fault.Corrupt, err, "revision %s", r.id)
		}
	}
	changes := []Change{}
	differ(trees[0], trees[1], "$", &changes)
	return changes, nil
}

// definitionNesting suffices for every definition that Read takes, whatever its limit.
const definitionNesting = 512

func differ(before, after any, path string, changes *[]Change) {
	a, isObject := before.(map[string]any)
	b, isObjectToo := after.(map[string]any)
	if !isObject || !isObjectToo {
		if !reflect.DeepEqual(before, after) {
			*changes = append(*changes, Change{path, Changed, before, after})
		}
		return
	}
	all := make(map[string]any, len(a)+len(b))
	for _, members := range []map[string]any{a, b} {
		for name := range members {
			all[name] = nil
		}
	}
	for _, name := range sortedKeys(all) {
		was, here := a[name]
		is, there := b[name]
		at := canon.Child(path, name)
		switch {
		case !here:
			*changes = append(*changes, Change{at, Added, nil, is})
		case !there:
			*changes = append(*changes, Change{at, Removed, was, nil})
		default:
			differ(was, is, at, changes)
		}
	}
}
