//go:build js && wasm

package main

import "github.com/hack-pad/safejs"

// page is the document around the components. Where a browser lacks one of its powers, nothing happens.
type page struct{ focus, reveal string }

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
	p.focus, p.reveal = "", ""
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
