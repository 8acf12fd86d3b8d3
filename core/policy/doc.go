// Package policy decides whether a tool may send one request. It is a pure function of the request, the tool's declared needs, facts
// of the host and the user's grants; it opens no connection and looks up no name.
//
// # The steps
//
// Decide asks in this order and stops at the first no. Each no is a Denial with a reason of its own and a sentence that says what
// to do.
//
//	revision     the ask comes from an exact revision
//	raw_form     the text of the URL reads the same to every parser
//	parse        it is a URL (WHATWG)
//	scheme       https
//	credentials  neither name nor password, not even an empty one
//	port         written plainly, and not one that browsers block
//	host_name    no name that means this machine, a private network or any address at all
//	host_form    a public host name: labels, dots, a domain
//	address      an address that is public, judged on its bytes
//	self         not the application itself
//	method       a token; CONNECT, TRACE and TRACK never. It gives the class, read or write
//	body         none when reading, bounded when writing
//	need         the revision declares the origin and the class
//	grant        the user allows it, for this revision, origin and class
//	header       names and values that a tool may set
//
// A Permit is the only outcome that a sender takes, only Decide makes one, and it holds one serialised URL: what was judged is
// what the user saw, what the grant is for, what is sent and what is noted.
//
// # What a sender adds
//
// A page cannot see addresses, so there names are judged by the lists alone. Who dials by itself judges each address that it is about to
// dial by Address, the same table, and says so in Host.Resolves.
//
// A sender sends no credentials of the user, no referrer and no stored cache, follows no redirect, and lets no header that is Hidden reach
// the tool.
//
// # Standards
//
// URL, Fetch (bad ports, methods, forbidden request-headers), RFC 6890 with its registries, RFC 9110 tokens, RFC 3492. Two residuals:
// a form field named `_method` is the server's own affair, and a network's own NAT64 prefix cannot be known from outside.
package policy
