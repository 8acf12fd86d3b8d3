// Package vault is secret.Vault outside of a browser.
package vault

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
)

// Ephemeral is a secret.Vault whose key lives as long as it does. What it sealed opens nowhere else, so its rows belong into a store that
// ends with it. What it holds is a function, as in secret.Value.
type Ephemeral struct{ aead func() cipher.AEAD }

// New makes one with a random key.
func New() (*Ephemeral, error) {
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

// Seal implements secret.Vault.
func (e *Ephemeral) Seal(_ context.Context, plain, associated []byte) ([]byte, error) {
	return e.aead().Seal(nil, nil, plain, associated), nil
}

// Open implements secret.Vault.
func (e *Ephemeral) Open(_ context.Context, sealed, associated []byte) ([]byte, error) {
	plain, err := e.aead().Open(nil, nil, sealed, associated)
	if err != nil {
		return nil, secret.NotOpened()
	}
	return plain, nil
}
