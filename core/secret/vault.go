package secret

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Vault is the port to a key that never leaves its place. Open gives the plain bytes back only with the associated bytes they were
// sealed with. Errors: corrupt (does not open), unavailable.
type Vault interface {
	Seal(ctx context.Context, plain, associated []byte) ([]byte, error)
	Open(ctx context.Context, sealed, associated []byte) ([]byte, error)
}

// Ephemeral is a Vault whose key lives as long as it does. What it sealed opens nowhere else, so its rows belong into a store that
// ends with it. What it holds is a function, as in Value.
type Ephemeral struct{ aead func() cipher.AEAD }

// NewEphemeral makes one with a random key.
func NewEphemeral() (*Ephemeral, error) {
	key := make([]byte, 32)
	defer clear(key)
	_, _ = rand.Read(key) // never fails
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "vault")
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "vault")
	}
	return &Ephemeral{func() cipher.AEAD { return aead }}, nil
}

// Seal implements Vault.
func (e *Ephemeral) Seal(_ context.Context, plain, associated []byte) ([]byte, error) {
	return e.aead().Seal(nil, nil, plain, associated), nil
}

// Open implements Vault.
func (e *Ephemeral) Open(_ context.Context, sealed, associated []byte) ([]byte, error) {
	plain, err := e.aead().Open(nil, nil, sealed, associated)
	if err != nil {
		return nil, NotOpened()
	}
	return plain, nil
}

// NotOpened is the error of a Vault for bytes that its key has not sealed, or not with these associated bytes.
func NotOpened() error {
	return fault.New(fault.Corrupt, "vault: does not open this, it was sealed by another key or changed since")
}
