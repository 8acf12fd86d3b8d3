package archive

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// A walk of every step would take the square of a chat's length.
func TestAnyAncestorIsReachedInFewSteps(t *testing.T) {
	const depth = 100_000
	chain := []*known{{}}
	chain[0].stand(nil)
	for n := 1; n < depth; n++ {
		k := new(known)
		k.stand(chain[n-1])
		chain = append(chain, k)
	}
	beside := new(known)
	beside.stand(chain[depth/2])
	for range 1000 {
		from, to := rand.IntN(depth), rand.IntN(depth)
		require.Equal(t, from >= to, chain[from].below(chain[to]))
		require.False(t, chain[from].below(beside))
		require.Equal(t, to <= depth/2, beside.below(chain[to]))
		steps := 0
		for k := chain[from]; k.depth > to; steps++ {
			if k.far.depth >= to {
				k = k.far
			} else {
				k = k.up
			}
		}
		require.Less(t, steps, 64)
	}
}
