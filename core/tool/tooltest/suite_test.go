package tooltest

import (
	"encoding/json"
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool/schema"
)

func vectors(t *testing.T) fs.FS {
	folder := os.Getenv("TASKYON_VECTORS")
	if folder == "" {
		folder = "../../../../shared/vectors"
	}
	if _, err := os.Stat(folder + "/json-schema"); err != nil {
		t.Skipf("the vectors folder %s is missing; name it in TASKYON_VECTORS", folder)
	}
	return os.DirFS(folder)
}

func TestEveryTestOfTheJSONSchemaSuiteHolds(t *testing.T) {
	for i, published := range []int{required - len(exceptions()), patterns} {
		passed, total, failures := Suites(vectors(t))[i].Run()
		require.Empty(t, failures)
		require.Equal(t, total, passed)
		require.Equal(t, published, total)
	}
}

// Positive control: a missing folder, a listed test that passes and a listed test that does not exist are noticed.
func TestTheListOfExceptionsIsExact(t *testing.T) {
	passed, total, failures := jsonSchema(os.DirFS(t.TempDir()), requiredFiles, required, nil)
	require.Zero(t, passed)
	require.Equal(t, required, total)
	require.Len(t, failures, 1)
	_, _, failures = jsonSchema(vectors(t), requiredFiles, required, map[string]string{"pattern.json: pattern is not anchored: matches a substring": "a reason"})
	require.Contains(t, failures[0], "passes, but is listed as an exception (a reason)")
	_, _, failures = jsonSchema(vectors(t), requiredFiles, required, map[string]string{"pattern.json: no such group: no such test": "a reason"})
	require.Contains(t, failures[0], "1 exceptions listed, 0 met")
}

// The suite gives each schema a few values. Here each meets all values of its file, and another validator has to agree.
func TestAnotherValidatorAgreesOnEveryPairOfSchemaAndValue(t *testing.T) {
	root, pairs := vectors(t), 0
	files, err := fs.Glob(root, requiredFiles)
	require.NoError(t, err)
	for _, file := range files {
		switch path.Base(file) {
		case "multipleOf.json", "vocabulary.json":
			continue // the other one divides in float64, where 1e308 / 1.5 is whole, and knows no vocabularies
		}
		groups, err := read(root, file)
		require.NoError(t, err)
		for _, g := range groups {
			text, err := canon.Encode(g.Schema)
			require.NoError(t, err)
			var other jsonschema.Schema
			if json.Unmarshal(text, &other) != nil {
				continue
			}
			oracle, err := other.Resolve(nil)
			if err != nil {
				continue // it needs a remote schema
			}
			ours, err := schema.Compile(g.Schema, "$", nil)
			require.NoError(t, err, "%s: %s", file, g.Description)
			for _, from := range groups {
				for _, test := range from.Tests {
					pairs++
					require.Equal(t, oracle.Validate(test.Data) == nil, ours.Check(test.Data, fault.InvalidArguments) == nil,
						"%s: %s: %s: %v", file, g.Description, text, test.Data)
				}
			}
		}
	}
	require.Greater(t, pairs, 10_000)
}
