package canon_test

import (
	"strings"
	"testing"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
)

func BenchmarkDecode(b *testing.B) {
	bench(b, func(text []byte) { _, _ = canon.Decode(text, nesting) })
}
func BenchmarkCanonical(b *testing.B) {
	bench(b, func(text []byte) { _, _ = canon.Canonical(text, nesting) })
}

func bench(b *testing.B, run func([]byte)) {
	message := `{"kind":"ask","call":1,"ask":12,"capability":"fetch",` +
		`"params":{"url":"https://example.com/","method":"GET","headers":{"accept":"*/*"}}}`
	for _, c := range []struct{ name, text string }{
		{"message", message},
		{"list", "[" + strings.Repeat(message+",", 5000) + "0]"},
		{"source", `{"source":"` + strings.Repeat(`const x = 1;\n`, 400_000) + `"}`},
		{"plain", `{"source":"` + strings.Repeat(`const x = 1;  `, 400_000) + `"}`},
		{"numbers", "[" + strings.Repeat("1,12345,0.1,3.141592653589793,", 50_000) + "0]"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				run([]byte(c.text))
			}
		})
	}
}
