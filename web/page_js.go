//go:build js && wasm

package main

import (
	"time"

	"github.com/hack-pad/safejs"
)

// page is the document around the components. Where a browser lacks one of its powers, nothing happens.
type page struct {
	focus, reveal string
	held          safejs.Value // what had the focus before a question; undefined: nothing
	back          bool         // it gets it back at the next drawing
}

func (p *page) copy(text string) {
	if clipboard, err := at(safejs.Global(), "navigator", "clipboard"); err == nil && !clipboard.IsUndefined() {
		_, _ = clipboard.Call("writeText", text)
	}
}

func (p *page) announce(text string) { p.write("announce", text) }

func (p *page) focusLater(id string) { p.focus = id }

func (p *page) revealLater(id string) { p.reveal = id }

// drawn moves the focus to what was drawn for it.
func (p *page) drawn() {
	if el, ok := element(p.focus); ok {
		_, _ = el.Call("focus")
	} else if el, ok := element(p.reveal); ok && !inView(el) && !typing() {
		_, _ = el.Call("scrollIntoView")
		_, _ = el.Call("focus")
	}
	if p.back {
		p.focusHeld()
	}
	p.focus, p.reveal, p.back = "", "", false
}

// hold remembers what has the focus.
func (p *page) hold() {
	if active, err := at(safejs.Global(), "document", "activeElement"); err == nil {
		p.held = active
	}
}

func (p *page) giveBack() { p.back = true }

// focusHeld gives the focus back to what a question took it from, where it is now nowhere else.
func (p *page) focusHeld() {
	held := p.held
	p.held = safejs.Undefined()
	body, err := at(safejs.Global(), "document", "body")
	if err != nil || held.IsUndefined() || held.IsNull() {
		return
	}
	active, err := at(safejs.Global(), "document", "activeElement")
	if err != nil || !active.IsNull() && !active.Equal(body) {
		return
	}
	_, _ = held.Call("focus")
}

// take reads a field and empties it.
func (p *page) take(id string) string {
	el, ok := element(id)
	if !ok {
		return ""
	}
	value, err := at(el, "value")
	_ = el.Set("value", "")
	if err != nil {
		return ""
	}
	text, err := value.String()
	if err != nil {
		return ""
	}
	return text
}

// now is the time since the page was opened, as events have it.
func (p *page) now() time.Duration {
	clock, err := at(safejs.Global(), "performance")
	if err != nil {
		return 0
	}
	ms, err := clock.Call("now")
	if err != nil {
		return 0
	}
	f, err := ms.Float()
	if err != nil {
		return 0
	}
	return time.Duration(f * float64(time.Millisecond))
}

// inView says whether the upper edge of an element is where a person sees what follows it.
func inView(el safejs.Value) bool {
	box, err := el.Call("getBoundingClientRect")
	if err != nil {
		return true
	}
	top, height := decimal(box, "top"), decimal(safejs.Global(), "innerHeight")
	return top >= 0 && top < height*3/4
}

// typing says whether the focus is in a field of another form than the one that runs the tool.
func typing() bool {
	active, err := at(safejs.Global(), "document", "activeElement")
	if err != nil || active.IsNull() {
		return false
	}
	matches, err := active.Call("matches", "form:not(.arguments) :is(input, textarea, select)")
	if err != nil {
		return false
	}
	yes, err := matches.Bool()
	return err == nil && yes
}

func decimal(v safejs.Value, name string) float64 {
	n, err := at(v, name)
	if err != nil {
		return 0
	}
	f, err := n.Float()
	if err != nil {
		return 0
	}
	return f
}

// fail says in place of the page why there is none.
func (p *page) fail(err error) {
	p.write("fault", "The console stopped: "+err.Error()+". Reload the page; if that does not help, build it again with make run.")
}

func (p *page) write(id, text string) {
	if el, ok := element(id); ok {
		_ = el.Set("textContent", text)
	}
}

func element(id string) (safejs.Value, bool) {
	if id == "" {
		return safejs.Value{}, false
	}
	document, err := at(safejs.Global(), "document")
	if err != nil {
		return safejs.Value{}, false
	}
	el, err := document.Call("getElementById", id)
	return el, err == nil && !el.IsNull()
}

// at walks properties, which safejs reads without panicking where one is missing.
func at(v safejs.Value, names ...string) (safejs.Value, error) {
	for _, name := range names {
		var err error
		if v, err = v.Get(name); err != nil {
			return v, err
		}
	}
	return v, nil
}
