package contracts

// Kind is how the frames of sandboxes are made.
type Kind string

// The kinds of a browser.
const (
	Srcdoc Kind = "srcdoc" // the frame's text is given in place, and it inherits the policy of its page
	Page   Kind = "page"   // the frame shows sandbox.html, which has a policy of its own
)

// Kinds are all of them.
func Kinds() []Kind { return []Kind{Srcdoc, Page} }

// Place is where an exception holds: on a host in every kind (`webkit`), in a kind on every host (`page`), or in one kind on one
// host (`webkit/page`).
type Place string

// At is the place of one kind on one host.
func At(h Host, k Kind) Place { return Place(string(h) + "/" + string(k)) }

// Exception gives why a contract is not judged in a kind on a host, if it is not.
func (c Contract) Exception(h Host, k Kind) (e Exception, there bool) {
	for _, place := range []Place{At(h, k), Place(h), Place(k)} {
		if e, there = c.Except[place]; there {
			return e, true
		}
	}
	return Exception{}, false
}

// Served says how the served page of a contract is sent, where that is not as documented. Its address is the contract's own.
type Served struct {
	// Off are guards without which the page is sent and taken, so that the one that the contract watches stands alone.
	Off []string `json:"off,omitempty"`
	// Body is another document at that address, and Status the answer's. `{url}` in it is the address of the canary.
	Body   string `json:"body,omitempty"`
	Status int    `json:"status,omitempty"`
	// Elsewhere: it comes from another origin than the page that shows it.
	Elsewhere bool `json:"elsewhere,omitempty"`
}

// framed tells whether a promise is about the frame itself, which each kind makes in its own way. What a frame holds (supervisor,
// runtime, tool) is the same text in each kind.
func framed(c Contract, guards map[string]Guard) bool {
	switch guards[c.Guard].Kind {
	case InHost, InPage, InServed:
		return true
	}
	return c.Drill != "" || c.Served != nil
}
