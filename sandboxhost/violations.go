//go:build js && wasm

package sandboxhost

import (
	"context"
	"slices"
	"time"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// violation is what a securitypolicyviolation event says.
type violation struct {
	enforced  bool
	directive string // the effective one
	uri       string // what was blocked
	policy    string // that was violated, whole
}

// violation reads an event. The page's own code may send us any object as one, so its properties are read by calls.
func (w *Wall) violation(event safejs.Value) violation {
	read := func(name string) string {
		value, err := w.reflect.Call("get", event, name)
		if err != nil || jsbind.TypeOf(value) != safejs.TypeString {
			return ""
		}
		text, _ := value.String()
		return text
	}
	return violation{read("disposition") == "enforce", read("effectiveDirective"), read("blockedURI"), read("originalPolicy")}
}

// telling is how long the events of what was tried may take.
const telling = 200 * time.Millisecond

// policies gives those policies of the page that refuse what is tried: an inline script and a blob worker, both of which do nothing,
// and a text as a frame that is never shown. A browser notes each refusal in its console, and a page that asks for reports gets some.
func (w *Wall) policies(ctx context.Context) []string {
	scope := new(jsbind.Scope)
	defer scope.Close()
	found := make(chan string, 64)
	if scope.Listen(w.document, "securitypolicyviolation", func(event safejs.Value) {
		if v := w.violation(event); v.enforced && v.policy != "" {
			select {
			case found <- v.policy:
			default:
			}
		}
	}) != nil {
		return nil
	}
	for _, try := range []func(*jsbind.Scope) error{w.tryScript, w.tryWorker, w.tryText} {
		_ = try(scope) // what is refused may throw too
	}
	var all []string
	end := time.NewTimer(telling)
	defer end.Stop()
	for {
		select {
		case policy := <-found:
			if !slices.Contains(all, policy) {
				all = append(all, policy)
			}
		case <-end.C:
			return all
		case <-ctx.Done():
			return nil
		}
	}
}

// tryScript has the page run an empty program that nobody's policy names.
func (w *Wall) tryScript(scope *jsbind.Scope) error {
	script, err := w.document.Call("createElement", "script")
	if err != nil {
		return err
	}
	text, err := w.document.Call("createTextNode", "/* does the policy of this page admit inline scripts? */")
	if err != nil {
		return err
	}
	if _, err := script.Call("appendChild", text); err != nil {
		return err
	}
	root, err := w.reflect.Call("get", w.document, "documentElement")
	if err != nil {
		return err
	}
	scope.Defer(func() { _, _ = script.Call("remove") })
	_, err = root.Call("appendChild", script)
	return err
}

// tryWorker starts an empty worker and ends it.
func (w *Wall) tryWorker(scope *jsbind.Scope) error {
	blobs, err := w.reflect.Call("get", w.window, "Blob")
	if err != nil {
		return err
	}
	addresses, err := w.reflect.Call("get", w.window, "URL")
	if err != nil {
		return err
	}
	workers, err := w.reflect.Call("get", w.window, "Worker")
	if err != nil {
		return err
	}
	blob, err := blobs.New([]any{}, map[string]any{"type": "text/javascript"})
	if err != nil {
		return err
	}
	address, err := addresses.Call("createObjectURL", blob)
	if err != nil {
		return err
	}
	scope.Defer(func() { _, _ = addresses.Call("revokeObjectURL", address) })
	worker, err := workers.New(address)
	if err != nil {
		return err
	}
	scope.Defer(func() { _, _ = worker.Call("terminate") })
	return nil
}

// tryText gives a text to a frame that stands nowhere.
func (w *Wall) tryText(*jsbind.Scope) error {
	frame, err := w.document.Call("createElement", "iframe")
	if err != nil {
		return err
	}
	_, err = frame.Call("setAttribute", "srcdoc", "")
	return err
}
