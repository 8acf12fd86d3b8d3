// Package b3 is BLAKE3 with 256 bits of output, in the two modes that identities need.
package b3

import (
	"sync"

	"github.com/zeebo/blake3"
)

// Size is the length of a digest in bytes.
const Size = 32

// Sum is the plain hash.
func Sum(data []byte) [Size]byte { return blake3.Sum256(data) }

// Derive is derive-key mode: digests under different contexts have nothing to do with each other, even of equal bytes.
func Derive(context string, material []byte) (sum [Size]byte) {
	pool := poolOf(context)
	h := pool.Get().(*blake3.Hasher)
	defer pool.Put(h)
	h.Reset()
	_, _ = h.Write(material)
	h.Sum(sum[:0])
	return sum
}

// spare holds a pool of hashers for each context. A hasher is 8 KiB, and to make one hashes the context first: without the pool
// a digest of a few hundred bytes costs twice that, and most of what a warm call allocates.
var spare sync.Map

func poolOf(context string) *sync.Pool {
	if pool, ok := spare.Load(context); ok {
		return pool.(*sync.Pool)
	}
	pool, _ := spare.LoadOrStore(context, &sync.Pool{New: func() any { return blake3.NewDeriveKey(context) }})
	return pool.(*sync.Pool)
}
