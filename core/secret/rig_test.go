package secret

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

const (
	api   = "https://api.example.com"
	other = "https://other.example.com"
)

var (
	now  = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)
	mine = canon.SumTool([]byte("mine"))
	next = canon.SumTool([]byte("next"))
)

type rig struct {
	*Book
	store *shelf.Memory
}

// newRig has a book in which two revisions declare names.
func newRig(t testing.TB, names ...string) rig {
	vault, err := newEphemeral()
	require.NoError(t, err)
	store := new(shelf.Memory)
	return rig{NewBook(Options{Store: store, Vault: vault, Limits: limits.Default(), Now: func() time.Time { return now }, Random: func(b []byte) { _, _ = rand.Read(b) },
		Declares: func(_ context.Context, id canon.ToolID) ([]string, error) {
			if !slices.Contains([]canon.ToolID{mine, next}, id) {
				return nil, fault.New(fault.NotFound, "no such revision")
			}
			return names, nil
		}}), store}
}

// filled is a call that has sent these values, each to api.
func filled(t testing.TB, values map[string]string) *Call {
	var names []string
	for name := range values {
		names = append(names, name)
	}
	b := newRig(t, names...)
	call := b.For(Caller{Revision: mine, Declared: names})
	for name, value := range values {
		require.NoError(t, b.Set(t.Context(), mine, name, NewValue(value), []string{api}))
		_, err := call.Fill(t.Context(), Outgoing{Origin: api, Headers: [][2]string{{"authorization", "Basic " + base64Of("user:"+call.Placeholders()[name])}}})
		require.NoError(t, err)
	}
	return call
}

// ephemeral is a vault as one outside of a browser is; its like is native/vault, which may not be imported from here.
type ephemeral struct{ aead func() cipher.AEAD }

func newEphemeral() (*ephemeral, error) {
	key := make([]byte, 32)
	_, _ = rand.Read(key)
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCMWithRandomNonce(block)
	return &ephemeral{func() cipher.AEAD { return aead }}, err
}

func (e *ephemeral) Seal(_ context.Context, plain, associated []byte) ([]byte, error) {
	return e.aead().Seal(nil, nil, plain, associated), nil
}

func (e *ephemeral) Open(_ context.Context, sealed, associated []byte) ([]byte, error) {
	plain, err := e.aead().Open(nil, nil, sealed, associated)
	if err != nil {
		return nil, NotOpened()
	}
	return plain, nil
}
