package contracts_test

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/contracts"
)

// A constant stands in front, so that the compiler leaves question and name out of what ships, whether it inlines or not.
var switches = regexp.MustCompile(`(guard\.Fixed \|\| |!guard\.Fixed && !)?guard\.On\(([^)]*)\)`)

func TestEveryGuardOfTheCoreIsOneInTheSourceAndTheOtherWayRound(t *testing.T) {
	listed := map[string]bool{}
	for _, g := range contracts.All().Guards {
		if g.Kind == contracts.InCore {
			listed[`"`+g.Name+`"`] = true
		}
	}
	found := map[string]bool{}
	root := os.DirFS("../..")
	for _, dir := range []string{"core", "wasm", "sandboxhost"} {
		require.NoError(t, fs.WalkDir(root, dir, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") || path.Dir(file) == "core/guard" {
				return err
			}
			text, err := fs.ReadFile(root, file)
			for _, at := range switches.FindAllStringSubmatch(string(text), -1) {
				require.NotEmpty(t, at[1], "%s: no constant stands before %s", file, at[0])
				require.Regexp(t, `^"[a-z-]+"$`, at[2], file)
				found[at[2]] = true
			}
			return err
		}))
	}
	require.Equal(t, listed, found)
}
