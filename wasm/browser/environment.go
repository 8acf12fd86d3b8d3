//go:build js && wasm

package browser

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
)

// FactID names one fact of an environment. The list is closed: a page may decide by it.
type FactID string

// The facts, in the order in which they are told.
const (
	FactSecureContext FactID = "secure_context"
	FactWasm          FactID = "wasm"
	FactSandboxKind   FactID = "sandbox_kind"
	FactFrame         FactID = "sandbox_frame"  // the frame of a sandbox starts
	FactWorker        FactID = "sandbox_worker" // a worker in it starts
	FactCrypto        FactID = "sandbox_crypto" // Web Crypto for tools
	FactPolicyScript  FactID = "policy_script"
	FactPolicyWorker  FactID = "policy_worker"
	FactPolicyText    FactID = "policy_trusted_types"
	FactPolicyFrame   FactID = "policy_frame"
	FactStore         FactID = "store"
	FactIndexedDB     FactID = "indexeddb"
	FactPersisted     FactID = "storage_persisted"
	FactBroadcast     FactID = "broadcast_channel"
	FactIsolated      FactID = "cross_origin_isolated"
	FactVersion       FactID = "version"
)

// Fact is one thing that an engine has found out about its page by trying it.
type Fact struct {
	ID     FactID `json:"id"`
	Title  string `json:"title"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
	Advice string `json:"advice,omitempty"` // what to do, where something can and should be done
}

// trialTime bounds the start of the frame that is tried.
const trialTime = 10 * time.Second

// Environment tries what this page lets an engine do. A browser notes in its console what the page's policy refuses.
func (o *Opened) Environment(ctx context.Context) []Fact {
	limited, cancel := context.WithTimeout(ctx, trialTime)
	defer cancel()
	trial := o.wall.Try(limited)
	page := newPage()
	facts := []Fact{secureContext(page), {ID: FactWasm, Title: "The page runs WebAssembly", OK: true, Detail: "the engine itself is a WebAssembly program and runs"}}
	facts = append(facts, o.kind())
	facts = append(facts, sandboxFacts(trial)...)
	facts = append(facts, o.policyFacts(ctx, trial)...)
	facts = append(facts, o.store())
	facts = append(facts, page.storage(ctx)...)
	return append(facts, page.broadcast(), page.isolated(), Fact{ID: FactVersion, Title: "Version", OK: true,
		Detail: fmt.Sprintf("protocol %d, frame %s", protocol.Version, o.wall.Hash())})
}

func (o *Opened) kind() Fact {
	f := Fact{ID: FactSandboxKind, Title: "Kind of sandbox", OK: true, Detail: "srcdoc: frames without an address, which inherit this page's policy"}
	if page := o.wall.Page(); page != "" {
		f.Detail = "page: frames that show " + page + ", which has a policy of its own"
	}
	return f
}

func sandboxFacts(t sandboxhost.Trial) []Fact {
	frame := Fact{ID: FactFrame, Title: "The frame of a sandbox starts", OK: t.Frame, Detail: "its script ran, in an opaque origin"}
	worker := Fact{ID: FactWorker, Title: "A worker starts in the frame", OK: t.Worker}
	crypto := Fact{ID: FactCrypto, Title: "Tools have Web Crypto", OK: t.Crypto, Detail: "the frame does cryptography for them"}
	switch {
	case !t.Frame:
		frame.Detail, worker.Detail, crypto.Detail = t.Reason, "there is no frame to start it in", "there is no frame to do it"
		frame.Advice = "do what the detail says: without a frame no tool is installed or run"
		return []Fact{frame, worker, crypto}
	case t.Worker:
		worker.Detail = fmt.Sprintf("it stood after %d ms", t.Took.Milliseconds())
	default:
		worker.Detail, worker.Advice = t.Reason, "do what the detail says: without a worker no tool is installed or run"
	}
	if !t.Crypto {
		crypto.Detail, crypto.Advice = "the frame is no secure context, so it has none", "serve the page over https, or from localhost"
	}
	return []Fact{frame, worker, crypto}
}

// policyFacts are what the page's policy means for the kind of sandbox that this engine has.
func (o *Opened) policyFacts(ctx context.Context, t sandboxhost.Trial) []Fact {
	script := Fact{ID: FactPolicyScript, Title: "The page's policy admits the frame's script", OK: true, Detail: "nothing in it hinders the script"}
	worker := Fact{ID: FactPolicyWorker, Title: "The page's policy admits the frame's worker", OK: true, Detail: "nothing in it hinders the worker"}
	text := Fact{ID: FactPolicyText, Title: "The page's policy admits a text as a frame", OK: true, Detail: "it does not enforce Trusted Types"}
	frame := Fact{ID: FactPolicyFrame, Title: "The page's policy admits the sandbox page", OK: true, Detail: "not needed: frames have no address"}
	rows := map[sandboxhost.Need]*Fact{sandboxhost.NeedScript: &script, sandboxhost.NeedWorker: &worker, sandboxhost.NeedText: &text}
	if o.wall.Page() != "" {
		for _, row := range rows {
			row.Detail = "not needed: the sandbox page has a policy of its own"
		}
		frame.Detail = "the page was shown, or something else kept it out"
		if strings.Contains(t.Reason, "frame-src") {
			frame.OK, frame.Detail, frame.Advice = false, t.Reason, "add "+o.wall.Page()+" to frame-src"
		}
		return []Fact{script, worker, text, frame}
	}
	for _, obstacle := range o.wall.Obstacles(ctx) {
		row := rows[obstacle.Need]
		row.OK, row.Detail, row.Advice = false, obstacle.Says, obstacle.Advice
	}
	return []Fact{script, worker, text, frame}
}

func (o *Opened) store() Fact {
	f := Fact{ID: FactStore, Title: "The engine keeps what it is given", OK: true, Detail: "memory: until the engine is closed, as was asked for"}
	switch {
	case o.stores == nil:
	case o.stores.Kind == InIndexedDB:
		f.Detail = "indexeddb: in this browser, for this origin"
	case o.stores.asked == InIndexedDB:
		f.OK, f.Detail = false, "memory: until the engine is closed, since this page has no IndexedDB"
		f.Advice = "serve the page from an origin of its own, without a sandbox directive; export what must stay"
	}
	return f
}
