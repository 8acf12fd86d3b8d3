// Package b3 is BLAKE3 with 256 bits of output, in the two modes that identities need.
package b3

import "github.com/zeebo/blake3"

// Size is the length of a digest in bytes.
const Size = 32

// Sum is the plain hash.
func Sum(data []byte) [Size]byte { return blake3.Sum256(data) }

// Derive is derive-key mode: digests under different contexts have nothing to do with each other, even of equal bytes.
func Derive(context string, material []byte) (sum [Size]byte) {
	blake3.DeriveKey(context, material, sum[:])
	return sum
}
