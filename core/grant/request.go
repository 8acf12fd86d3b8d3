package grant

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/safe"
)

// Answer is what the user says. The set is closed; anything else is a Deny.
type Answer string

const (
	Once    Answer = "once"    // these asks
	Session Answer = "session" // until this engine ends
	Always  Answer = "always"  // until it is revoked
	Deny    Answer = "deny"    // these asks, and the same ones of their calls
)

// Request is a question to the user. Every text in it is bounded, one line and fit to be shown; Tool, Method, Credentials and Need are nevertheless
// words of the tool: show them as such, as text and never as markup.
type Request struct {
	Tool        string       `json:"tool"`
	Revision    canon.ToolID `json:"revision"`
	Node        canon.TaskID `json:"node,omitempty"` // the node of the chat that defines the tool, if one does
	Capability  string       `json:"capability"`
	Scope       string       `json:"scope"`    // for fetch the origin, in A-labels: show this in any case
	Readable    string       `json:"readable"` // the same for people, beside it
	Class       Class        `json:"class,omitempty"`
	Method      string       `json:"method,omitempty"`      // of the first of the asks
	Credentials []string     `json:"credentials,omitempty"` // headers by which the tool identifies itself
	Leak        string       `json:"leak"`                  // what a yes lets out, in our words
	Need        Need         `json:"need"`                  // what the tool declares
	Declared    bool         `json:"declared"`              // it declares this very scope; else it may ask for any
	Asks        int          `json:"asks"`                  // how many asks wait for this answer: once is for them
	Answers     []Answer     `json:"answers"`               // what may be said
}

// Decider asks the user. The context ends when nobody waits for the answer any more: close the prompt then, and return. No other
// prompt is shown before Decide has returned.
type Decider interface {
	Decide(ctx context.Context, r Request) (Answer, error)
}

func (a *Ask) request(asks int) Request {
	need, named, _ := declared(a.Needs, a.subject())
	r := Request{
		Tool: safe.Text(a.Tool, 64), Revision: a.Revision, Node: a.Node, Capability: a.Capability, Scope: a.Scope, Readable: readable(a.Scope, a.Readable),
		Class: a.Class, Method: safe.Text(a.Method, longestMethod), Credentials: a.Credentials, Leak: leak(a.Capability, a.Scope, a.Class),
		Need: need.shown(), Declared: named, Asks: asks, Answers: []Answer{Once, Session, Always, Deny},
	}
	if !a.Node.IsZero() {
		r.Answers = []Answer{Once, Session, Deny}
	}
	return r
}

// leak says what a yes lets out. No word of it is a tool's.
func leak(capability, scope string, class Class) string {
	switch {
	case capability == fetch && class == Write:
		return "The tool may send this site anything it was given or has read, and may change what is kept there."
	case capability == fetch:
		return "The tool may read from this site. Whatever it was given or has read can travel there in the address and the headers of a request."
	case capability == popup && scope != customHTML:
		return "The tool may open this site in a window. Whatever it was given or has read can travel there in the address, and the site can answer the tool."
	case capability == popup:
		return "The tool may open a window, show anything in it, and learn what you enter there."
	}
	return "The tool may use this with anything it was given or has read."
}
