//go:build js && wasm

package browser_test

import (
	"encoding/base64"
	"fmt"
	"testing"
	"time"

	"github.com/hack-pad/safejs"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/store"
)

// These tests run in a page: e2e/vault.spec.ts. Under Node, which has no IndexedDB, those run that need none.

func database(t *testing.T, name string) *store.Store {
	if db, err := safejs.Global().Get("indexedDB"); err != nil || db.IsUndefined() {
		t.Skip("no IndexedDB here; e2e/vault.spec.ts runs this in a page")
	}
	s, err := store.Open(t.Context(), name)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

func vault(t *testing.T, s *store.Store, lasting bool) secret.Vault {
	v, lasts := browser.OpenVault(s)
	require.Equal(t, lasting, lasts)
	return v
}

// keeps are the promises of a vault.
func keeps(t *testing.T, v secret.Vault) {
	for _, plain := range []string{"x", "schlüssel", string(make([]byte, 64<<10))} {
		sealed, err := v.Seal(t.Context(), []byte(plain), []byte("bound"))
		require.NoError(t, err)
		require.NotContains(t, string(sealed), plain+"\x00")
		again, err := v.Seal(t.Context(), []byte(plain), []byte("bound"))
		require.NoError(t, err)
		require.NotEqual(t, sealed, again, "no two are alike")
		opened, err := v.Open(t.Context(), sealed, []byte("bound"))
		require.NoError(t, err)
		require.Equal(t, plain, string(opened))
		_, err = v.Open(t.Context(), sealed, []byte("other"))
		require.Equal(t, fault.Corrupt, fault.CodeOf(err))
		for _, at := range []int{0, 12, len(sealed) - 1} {
			broken := append([]byte{}, sealed...)
			broken[at] ^= 1
			_, err = v.Open(t.Context(), broken, []byte("bound"))
			require.Equal(t, fault.Corrupt, fault.CodeOf(err), at)
		}
	}
	_, err := v.Open(t.Context(), []byte("short"), nil)
	require.Equal(t, fault.Corrupt, fault.CodeOf(err))
}

func TestAVaultInMemoryKeepsItsPromises(t *testing.T) {
	v := vault(t, nil, false)
	keeps(t, v)
	sealed, err := v.Seal(t.Context(), []byte("x"), nil)
	require.NoError(t, err)
	_, err = vault(t, nil, false).Open(t.Context(), sealed, nil)
	require.Equal(t, fault.Corrupt, fault.CodeOf(err), "its key ends with it")
}

func TestThePagesVaultKeepsItsPromises(t *testing.T) {
	keeps(t, vault(t, database(t, fmt.Sprint("vault ", time.Now().UnixNano())), true))
}

func TestTabsThatOpenAVaultAtOnceGetOneKey(t *testing.T) {
	name := fmt.Sprint("vault ", time.Now().UnixNano())
	var vaults []secret.Vault
	for range 4 {
		vaults = append(vaults, vault(t, database(t, name), true))
	}
	sealed := make([][]byte, len(vaults))
	done := make(chan error)
	for i, v := range vaults {
		go func() {
			var err error
			sealed[i], err = v.Seal(t.Context(), []byte("x"), nil)
			done <- err
		}()
	}
	for range vaults {
		require.NoError(t, <-done)
	}
	for _, v := range vaults {
		for _, s := range sealed {
			opened, err := v.Open(t.Context(), s, nil)
			require.NoError(t, err)
			require.Equal(t, "x", string(opened))
		}
	}
}

// The page of this one has no cryptography.
func TestAPageThatIsNoSecureContextHasNoVault(t *testing.T) {
	crypto, err := safejs.Global().Get("crypto")
	require.NoError(t, err)
	if subtle, err := crypto.Get("subtle"); err != nil || !subtle.IsUndefined() {
		t.Skip("this is one")
	}
	v, lasting := browser.OpenVault(database(t, "insecure"))
	require.Nil(t, v)
	require.False(t, lasting)
}

const kept = "sealed by an earlier page"

func items(t *testing.T) safejs.Value {
	v, err := safejs.Global().Get("localStorage")
	require.NoError(t, err)
	if v.IsUndefined() {
		t.Skip("no localStorage here; e2e/vault.spec.ts runs this in a page")
	}
	return v
}

// The two halves of a promise, run by two browsers with the same profile.

func TestBeforeTheBrowserEnds(t *testing.T) {
	sealed, err := vault(t, database(t, store.Name), true).Seal(t.Context(), []byte("still here"), []byte("bound"))
	require.NoError(t, err)
	_, err = items(t).Call("setItem", kept, base64.StdEncoding.EncodeToString(sealed))
	require.NoError(t, err)
}

func TestAfterTheBrowserHasEnded(t *testing.T) {
	v := vault(t, database(t, store.Name), true)
	item, err := items(t).Call("getItem", kept)
	require.NoError(t, err)
	if item.IsNull() {
		t.Skip("no browser before this one")
	}
	text, err := item.String()
	require.NoError(t, err)
	sealed, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	opened, err := v.Open(t.Context(), sealed, []byte("bound"))
	require.NoError(t, err)
	require.Equal(t, "still here", string(opened))
}

// Somebody has put something else in the key's place: what was sealed does not open, and what is sealed from now on does.
func TestAfterTheKeyWasReplacedByHand(t *testing.T) {
	v := vault(t, database(t, store.Name), true)
	keeps(t, v)
	item, err := items(t).Call("getItem", kept)
	require.NoError(t, err)
	if item.IsNull() {
		t.Skip("no browser before this one")
	}
	text, err := item.String()
	require.NoError(t, err)
	sealed, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	_, err = v.Open(t.Context(), sealed, []byte("bound"))
	require.Equal(t, fault.Corrupt, fault.CodeOf(err))
}
