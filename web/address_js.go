//go:build js && wasm

package main

import (
	"regexp"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/wasm/jsbind"
)

// addressed is the part of the page's address that names a tool.
var addressed = regexp.MustCompile(`^#tool=([A-Za-z0-9_-]{1,64})$`)

// tool is what the page's address names, "" for none.
func (p *page) tool() string {
	hash, err := at(safejs.Global(), "location", "hash")
	if err != nil {
		return ""
	}
	text, err := hash.String()
	if err != nil {
		return ""
	}
	if match := addressed.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}

// visit makes the address name a tool, as a step that going back takes back.
func (p *page) visit(tool string) {
	if p.tool() == tool {
		return
	}
	if history, err := at(safejs.Global(), "history"); err == nil {
		_, _ = history.Call("pushState", safejs.Null(), "", "#tool="+tool)
	}
}

// onReturn calls f with the tool of the address when a person goes back or forth or changes it; end stops that.
func (p *page) onReturn(f func(tool string)) (end func(), err error) {
	scope := new(jsbind.Scope)
	if err := scope.Listen(safejs.Global(), "popstate", func(safejs.Value) { go f(p.tool()) }); err != nil {
		scope.Close()
		return nil, err
	}
	return scope.Close, nil
}
