//go:build js && wasm

package browser

import (
	"context"
	"sync"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
	"github.com/xyntopia/taskyon-sandbox/wasm/browser/store"
	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// OpenVault gives the vault of a page: the browser's own cryptography, with a key that nobody can read, this page included. Over a store
// the key is kept beside the data: lasting. Without one it ends with the page, and so must the rows. A page that is no secure context has
// no cryptography, and the vault is nil.
func OpenVault(kept *store.Store) (vault secret.Vault, lasting bool) {
	p := newPage()
	if !p.has("crypto", "subtle") { // which only secure contexts have
		return nil, false
	}
	return &pageVault{page: p, kept: kept, subtle: p.get("crypto", "subtle"), random: p.get("crypto")}, kept != nil
}

// random fills with bytes of the browser's generator. Without one there is no page: the engine would not have been loaded.
func random(into []byte) {
	p := newPage()
	bytes := p.bytes(make([]byte, len(into)))
	if _, err := p.get("crypto").Call("getRandomValues", bytes); err != nil {
		panic("the browser gives no random bytes")
	}
	if _, err := safejs.CopyBytesToGo(into, bytes); err != nil {
		panic("the browser gives no random bytes")
	}
}

// pageVault seals with AES-GCM. What is sealed begins with its nonce.
type pageVault struct {
	page           page
	kept           *store.Store
	subtle, random safejs.Value

	mu  sync.Mutex
	key safejs.Value
	got bool
}

const (
	nonceBytes = 12
	keyBits    = 256
)

// Seal implements secret.Vault.
func (v *pageVault) Seal(ctx context.Context, plain, associated []byte) ([]byte, error) {
	nonce := v.page.bytes(make([]byte, nonceBytes))
	if _, err := v.random.Call("getRandomValues", nonce); err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "vault")
	}
	sealed, err := v.work(ctx, "encrypt", nonce, plain, associated)
	if err != nil {
		return nil, err
	}
	out := make([]byte, nonceBytes)
	if _, err := safejs.CopyBytesToGo(out, nonce); err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "vault")
	}
	return append(out, sealed...), nil
}

// Open implements secret.Vault.
func (v *pageVault) Open(ctx context.Context, sealed, associated []byte) ([]byte, error) {
	if len(sealed) < nonceBytes {
		return nil, secret.NotOpened()
	}
	return v.work(ctx, "decrypt", v.page.bytes(sealed[:nonceBytes]), sealed[nonceBytes:], associated)
}

func (v *pageVault) work(ctx context.Context, method string, nonce safejs.Value, data, associated []byte) ([]byte, error) {
	key, err := v.open(ctx)
	if err != nil {
		return nil, err
	}
	promise, err := v.subtle.Call(method, map[string]any{"name": "AES-GCM", "iv": nonce, "additionalData": v.page.bytes(associated)}, key, v.page.bytes(data))
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "vault")
	}
	result, err := jsbind.Await(ctx, promise)
	switch {
	case fault.CodeOf(err) == fault.Aborted:
		return nil, err
	case err != nil && method == "decrypt":
		return nil, secret.NotOpened() // the browser says no more than that
	case err != nil:
		return nil, fault.Wrap(fault.Unavailable, err, "vault")
	}
	return v.page.copied(result)
}

// open gives the key, which is read once.
func (v *pageVault) open(ctx context.Context) (safejs.Value, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.got {
		return v.key, nil
	}
	generate := func(ctx context.Context) (safejs.Value, error) {
		const extractable = false
		promise, err := v.subtle.Call("generateKey", map[string]any{"name": "AES-GCM", "length": keyBits}, extractable, []any{"encrypt", "decrypt"})
		if err != nil {
			return safejs.Value{}, err
		}
		return jsbind.Await(ctx, promise)
	}
	var key safejs.Value
	var err error
	if v.kept == nil {
		key, err = generate(ctx)
	} else {
		key, err = v.kept.VaultKey(ctx, v.usable, generate)
	}
	if err != nil {
		return key, fault.Wrap(fault.Unavailable, err, "vault")
	}
	v.key, v.got = key, true
	return key, nil
}

// usable takes nothing but a key whose bytes the browser shows to nobody: what was put in its place by hand is replaced.
func (v *pageVault) usable(key safejs.Value) bool {
	if key.Type() != safejs.TypeObject {
		return false
	}
	kind, err := v.page.get("Object", "prototype", "toString").Call("call", key)
	if err != nil || textIn(kind) != "[object CryptoKey]" {
		return false
	}
	field := func(of safejs.Value, name string) safejs.Value {
		value, err := v.page.reflect.Call("get", of, name)
		if err != nil {
			return safejs.Undefined()
		}
		return value
	}
	extractable, err := field(key, "extractable").Bool()
	if err != nil || extractable {
		return false
	}
	algorithm := field(key, "algorithm")
	bits, err := field(algorithm, "length").Int()
	return err == nil && bits == keyBits && textIn(field(algorithm, "name")) == "AES-GCM"
}

func textIn(v safejs.Value) string {
	if v.Type() != safejs.TypeString {
		return ""
	}
	text, _ := v.String()
	return text
}

// bytes gives JavaScript a copy.
func (p page) bytes(data []byte) safejs.Value {
	array, err := p.get("Uint8Array").New(len(data))
	if err == nil {
		_, err = safejs.CopyBytesToJS(array, data)
	}
	if err != nil {
		return safejs.Undefined()
	}
	return array
}

// copied takes the bytes of an ArrayBuffer.
func (p page) copied(buffer safejs.Value) ([]byte, error) {
	array, err := p.get("Uint8Array").New(buffer)
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "vault")
	}
	length, err := array.Length()
	if err != nil {
		return nil, fault.Wrap(fault.Unavailable, err, "vault")
	}
	out := make([]byte, length)
	_, err = safejs.CopyBytesToGo(out, array)
	return out, err
}
