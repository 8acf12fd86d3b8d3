package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/policy/policytest"
)

// One decision about a usual request, the parser included: at most 20 µs in wasm.
func BenchmarkDecide(b *testing.B) {
	p, asker := policytest.Open(b, parser(b))
	r := policy.Request{Method: "GET", URL: "https://api.example.com/v1/weather?city=Vienna&units=metric", Headers: []policy.Header{{Name: "Accept", Value: "application/json"}}}
	for b.Loop() {
		_, err := p.Decide(b.Context(), asker, r, policytest.ReadOnly{})
		require.NoError(b, err)
	}
}

// The parser alone, to compare with.
func BenchmarkParse(b *testing.B) {
	parser := parser(b)
	for b.Loop() {
		_, err := parser.Parse("https://api.example.com/v1/weather?city=Vienna&units=metric")
		require.NoError(b, err)
	}
}
