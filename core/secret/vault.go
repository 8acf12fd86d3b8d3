package secret

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Vault is the port to a key that never leaves its place. Open gives the plain bytes back only with the associated bytes they were
// sealed with. Errors: corrupt (does not open), unavailable.
type Vault interface {
	Seal(ctx context.Context, plain, associated []byte) ([]byte, error)
	Open(ctx context.Context, sealed, associated []byte) ([]byte, error)
}

// NotOpened is the error of a Vault for bytes that its key has not sealed, or not with these associated bytes.
func NotOpened() error {
	return fault.New(fault.Corrupt, "vault: does not open this, it was sealed by another key or changed since")
}
