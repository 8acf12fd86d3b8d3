//go:build js && wasm

package sandboxhost

import (
	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// A browser may stop a page and let it go on much later: a tab that it freezes, a page that it keeps to go back to. Between the
// two no clock of ours runs, and a supervisor, which is stopped too, or not, knows nothing of it. So every place ends when its page
// is stopped: a call ends as crashed, and the next one has a new sandbox.

// heedFreezing ends a place with its page. The listeners end with the link.
func (l *link) heedFreezing(sink sandbox.Sink) error {
	err := l.scope.Listen(l.wall.document, "freeze", func(safejs.Value) { sink.Lost("the browser froze the page") })
	if err != nil {
		return err
	}
	return l.scope.Listen(l.wall.window, "pagehide", func(event safejs.Value) {
		if l.wall.persisted(event) {
			sink.Lost("the page was left")
		}
	})
}

// persisted tells whether the page may come back. A page that goes for good takes its frames along.
func (w *Wall) persisted(event safejs.Value) bool {
	value, err := w.reflect.Call("get", event, "persisted")
	if err != nil {
		return false
	}
	kept, err := value.Truthy()
	return err == nil && kept
}
