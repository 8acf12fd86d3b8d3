//go:build js && wasm

package store

import (
	"context"

	"github.com/hack-pad/safejs"
)

// vaultKey is where the vault's key is remembered in meta: a CryptoKey, which the browser keeps without showing its bytes.
const vaultKey = "vault"

// VaultKey gives the key that is kept beside the data, and keeps a new one where there is none that the vault can use. Of tabs that
// do so at once one is first, and all get its key.
func (s *Store) VaultKey(ctx context.Context, usable func(safejs.Value) bool, generate func(context.Context) (safejs.Value, error)) (safejs.Value, error) {
	var key safejs.Value
	found := false
	look := func(result safejs.Value) {
		if usable(result) {
			key, found = result, true
		}
	}
	err := s.transact(ctx, "readonly", "read the vault's key", []any{meta}, func(t *transaction) {
		t.request(object{store: meta}, "get", look, vaultKey)
	})
	if err != nil || found {
		return key, err
	}
	made, err := generate(ctx) // nothing is waited for inside a transaction
	if err != nil {
		return key, err
	}
	err = s.transact(ctx, "readwrite", "keep the vault's key", []any{meta}, func(t *transaction) {
		t.request(object{store: meta}, "get", func(result safejs.Value) {
			if look(result); !found {
				key = made
				t.request(object{store: meta}, "put", nil, made, vaultKey)
			}
		}, vaultKey)
	})
	return key, err
}
