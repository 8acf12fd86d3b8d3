package bootstrap_test

import (
	"crypto/sha256"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/sandboxhost/bootstrap"
)

func TestThePolicyNamesTheVeryScriptThatTheFrameRuns(t *testing.T) {
	sum := sha256.Sum256([]byte(bootstrap.Frame()))
	require.Equal(t, "sha256-"+base64.StdEncoding.EncodeToString(sum[:]), bootstrap.FrameHash())
}
