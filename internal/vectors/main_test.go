package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestVectorsFailsWithoutTheDataAndSaysSo(t *testing.T) {
	var out, failed bytes.Buffer
	require.Equal(t, 1, run("no/such/folder", &out, &failed))
	require.Contains(t, failed.String(), "the folder no/such/folder is missing")
	failed.Reset()
	require.Equal(t, 1, run(t.TempDir(), &out, &failed))
	require.Contains(t, out.String(), "jcs 0/6\n")
	require.Contains(t, failed.String(), "jcs: 0 cases found, 6 published\n")
}

func TestVectorsPassesOnTheFullData(t *testing.T) {
	folder := os.Getenv("TASKYON_VECTORS")
	if folder == "" {
		folder = "../../" + beside
	}
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("the vectors folder %s is missing; name it in TASKYON_VECTORS", folder)
	}
	var out, failed bytes.Buffer
	require.Zero(t, run(folder, &out, &failed), failed.String())
	require.Contains(t, out.String(), "jsonparse 318/318\n")
	require.Contains(t, out.String(), "url 876/876\n  2 more: a ^")
}
