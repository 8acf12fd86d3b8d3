package urls_test

import (
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
	"github.com/xyntopia/taskyon-sandbox/native/urls"
)

func vectors(t *testing.T) fs.FS {
	folder := os.Getenv("TASKYON_VECTORS")
	if folder == "" {
		folder = "../../../shared/vectors"
	}
	if _, err := os.Stat(folder + "/url"); err != nil {
		t.Skipf("the vectors folder %s is missing; name it in TASKYON_VECTORS", folder)
	}
	return os.DirFS(folder)
}

func TestThePublicSuitesOfURLsHoldButForListedDifferences(t *testing.T) {
	root := vectors(t)
	for _, suite := range policytest.Suites(root, urls.Parser{}.Resolve, policytest.Library()) {
		passed, total, failures := suite.Run()
		require.Empty(t, failures)
		require.Equal(t, total, passed)
		t.Logf("%s %d/%d", suite.Name, passed, total)
	}
}

func TestNothingThatTheSuitesRefuseIsAllowed(t *testing.T) {
	policytest.Vectors(t, vectors(t), urls.Parser{})
}

func TestEveryRowOfTheTableIsDecidedAsItSays(t *testing.T) { policytest.Table(t, urls.Parser{}) }
