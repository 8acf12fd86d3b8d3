package ui

import (
	"strings"
	"time"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/js"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

func (c *Consent) revision() string { return c.Question.Revision.String() }

func (c *Consent) site() string {
	if c.Question.Capability == "fetch" {
		return "Site"
	}
	return "What"
}

func (c *Consent) credentials() string { return strings.Join(c.Question.Credentials, ", ") }

// key lets Escape say no.
func (c *Consent) key(name string, event vugu.DOMEvent) {
	if name == "Escape" {
		c.Model.Reply(c.Question, grant.Deny, actedAt(event))
	}
}

// actedAt is when the browser took an event from the person, since the page was opened.
func actedAt(event vugu.DOMEvent) time.Duration {
	return time.Duration(event.PropFloat64("timeStamp") * float64(time.Millisecond))
}

// keepOpen puts an element into the top layer of the page, where nothing else is drawn over it and the page stays usable.
func keepOpen(el js.Value) {
	if el.Get("showPopover").Type() == js.TypeFunction && el.Get("isConnected").Bool() && el.Get("popover").Type() == js.TypeString &&
		!el.Call("matches", ":popover-open").Bool() {
		el.Call("showPopover")
	}
}
