package b3_test

import (
	"bytes"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zeebo/blake3"

	"github.com/xyntopia/taskyon-sandbox/core/canon/internal/b3"
)

func TestAReusedHasherForgetsWhatItHashedBefore(t *testing.T) {
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			for size := range 200 {
				context := []string{"one", "two"}[size%2]
				material := bytes.Repeat([]byte{byte(worker), byte(size)}, size*97)
				var want [b3.Size]byte
				blake3.DeriveKey(context, material, want[:])
				require.Equal(t, want, b3.Derive(context, material))
			}
		})
	}
	wait.Wait()
}
