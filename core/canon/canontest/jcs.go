package canontest

import (
	"io/fs"
	"path"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

const jcsPairs = 6

// jcs wants the published bytes for each input, and the same bytes again when they are read back.
func jcs(root fs.FS) (passed, total int, failures []string) {
	var t tally
	names, _ := fs.Glob(root, "jcs/input/*.json")
	for _, name := range names {
		input, err := fs.ReadFile(root, name)
		if err != nil {
			t.check(false, "%s: %v", name, err)
			continue
		}
		want, err := fs.ReadFile(root, "jcs/output/"+path.Base(name))
		if err != nil {
			t.check(false, "%s: %v", name, err)
			continue
		}
		got, err := canon.Canonical(input, nesting())
		again, errAgain := canon.Canonical(want, nesting())
		t.check(err == nil && errAgain == nil && string(got) == string(want) && string(again) == string(want),
			"%s: got %s (%v), again %s (%v), want %s", name, got, err, again, errAgain, want)
	}
	return t.result(jcsPairs)
}
