//go:build js && wasm

package browser

import (
	"context"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// page asks for powers of the page. A name may be a getter that throws, as `caches` is in an opaque origin, so each is read by a call.
type page struct{ reflect, global safejs.Value }

func newPage() page {
	global := safejs.Global()
	reflect, err := global.Get("Reflect")
	if err != nil {
		reflect = safejs.Undefined()
	}
	return page{reflect, global}
}

// get follows names from the page's global object; undefined where one is missing or cannot be read.
func (p page) get(names ...string) safejs.Value {
	value := p.global
	for _, name := range names {
		if value.Type() != safejs.TypeObject && value.Type() != safejs.TypeFunction {
			return safejs.Undefined()
		}
		var err error
		if value, err = p.reflect.Call("get", value, name); err != nil {
			return safejs.Undefined()
		}
	}
	return value
}

func (p page) has(names ...string) bool {
	there, err := p.get(names...).Truthy()
	return err == nil && there
}

func secureContext(p page) Fact {
	f := Fact{ID: FactSecureContext, Title: "The page is a secure context", OK: p.has("isSecureContext"), Detail: "it is"}
	if !f.OK {
		f.Detail, f.Advice = "it is not: browsers keep cryptography and lasting storage from such pages", "serve the page over https, or from localhost"
	}
	return f
}

// storage asks without changing anything.
func (p page) storage(ctx context.Context) []Fact {
	database := Fact{ID: FactIndexedDB, Title: "The page has IndexedDB", OK: true, Detail: "it can be used"}
	if factory := p.get("indexedDB"); !p.has("indexedDB") {
		database.OK, database.Detail = false, "this browser or this page has none"
	} else if p.has("indexedDB", "databases") {
		promise, err := factory.Call("databases")
		if err == nil {
			_, err = jsbind.Await(ctx, promise)
		}
		if err != nil {
			database.OK, database.Detail = false, "the browser refuses it: "+err.Error()
		}
	}
	if !database.OK {
		database.Advice = "serve the page from an origin of its own, without a sandbox directive, and not in a private window that forbids storage"
	}
	kept := Fact{ID: FactPersisted, Title: "The browser keeps the page's storage", Detail: "it may be forgotten when the disk is full",
		Advice: "call navigator.storage.persist() when the user has something to lose, or export it"}
	if p.has("navigator", "storage", "persisted") {
		manager := p.get("navigator", "storage")
		if promise, err := manager.Call("persisted"); err == nil {
			if value, err := jsbind.Await(ctx, promise); err == nil {
				kept.OK, _ = value.Truthy()
			}
		}
	}
	if kept.OK {
		kept.Detail, kept.Advice = "it was granted persistence", ""
	}
	return []Fact{database, kept}
}

func (p page) broadcast() Fact {
	f := Fact{ID: FactBroadcast, Title: "Tabs hear of each other's changes", OK: p.has("BroadcastChannel"), Detail: "the page has BroadcastChannel"}
	if !f.OK {
		f.Detail = "the page has no BroadcastChannel: what another tab blocks or erases is seen when it is next read"
	}
	return f
}

func (p page) isolated() Fact {
	f := Fact{ID: FactIsolated, Title: "The page is cross-origin isolated", OK: p.has("crossOriginIsolated"), Detail: "it is"}
	if !f.OK {
		f.Detail = "it is not, which the sandbox does not need"
	}
	return f
}
