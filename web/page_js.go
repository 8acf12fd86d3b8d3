//go:build js && wasm

package main

import "github.com/hack-pad/safejs"

// page is the document around the components. Where a browser lacks one of its powers, nothing happens.
type page struct{ focus string }

func (p *page) copy(text string) {
	if clipboard, err := at(safejs.Global(), "navigator", "clipboard"); err == nil && !clipboard.IsUndefined() {
		_, _ = clipboard.Call("writeText", text)
	}
}

func (p *page) announce(text string) { p.write("announce", text) }

func (p *page) focusLater(id string) { p.focus = id }

// focusNow moves the focus to what was drawn for it.
func (p *page) focusNow() {
	if p.focus == "" {
		return
	}
	if el, ok := element(p.focus); ok {
		_, _ = el.Call("focus")
	}
	p.focus = ""
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
