//go:build js && wasm

package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/urls"
)

func parser(t testing.TB) policy.Parser {
	p, err := urls.New()
	require.NoError(t, err)
	return p
}
