package canon_test

import (
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon/canontest"
)

func TestPublicSuitesHoldInFull(t *testing.T) {
	folder := os.Getenv("TASKYON_VECTORS")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "vectors")
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the vectors folder %s is missing; name it in TASKYON_VECTORS", folder)
	}
	totals := map[string]int{"jcs": 6, "blake3": 35 * 2, "jsonparse": 95 + 188 + 35}
	suites := canontest.Suites(os.DirFS(folder))
	require.Len(t, suites, len(totals))
	for _, suite := range suites {
		t.Run(suite.Name, func(t *testing.T) {
			passed, total, failures := suite.Run()
			require.Empty(t, failures)
			require.Equal(t, totals[suite.Name], total)
			require.Equal(t, total, passed)
		})
	}
	for pattern, count := range map[string]int{"y_*": 95, "n_*": 188, "i_*": 35} {
		files, err := filepath.Glob(filepath.Join(folder, "jsonparse", pattern))
		require.NoError(t, err)
		require.Len(t, files, count, pattern)
	}
}

const wrongBlake3 = `{"_comment":"","key":"","context_string":"c",` +
	`"cases":[{"input_len":0,"hash":"00","keyed_hash":"","derive_key":"00"}]}`

func TestPublicSuitesFailOnMissingOrWrongCases(t *testing.T) {
	for title, root := range map[string]fstest.MapFS{
		"empty folder": {},
		"wrong cases": {
			"jcs/input/a.json":                       {Data: []byte(`[1]`)},
			"jcs/output/a.json":                      {Data: []byte(`[2]`)},
			"blake3/test_vectors.json":               {Data: []byte(wrongBlake3)},
			"jsonparse/y_a.json":                     {Data: []byte(`[`)},
			"jsonparse/n_a.json":                     {Data: []byte(`[]`)},
			"jsonparse/i_nobody_knows.json":          {Data: []byte(`[]`)},
			"jsonparse/y_object_duplicated_key.json": {Data: []byte(`{}`)},
		},
	} {
		for _, suite := range canontest.Suites(root) {
			passed, total, failures := suite.Run()
			require.Zero(t, passed, "%s: %s", title, suite.Name)
			require.GreaterOrEqual(t, total, 6)
			require.NotEmpty(t, failures)
		}
	}
}
