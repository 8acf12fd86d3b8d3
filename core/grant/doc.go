// Package grant keeps what the user allows tools to do, and asks the user where nothing is kept. The default is no.
//
// # What a grant is for
//
// Exactly one revision, capability, scope and class: for fetch one origin, and read or write. A write grant does not include reading,
// nor the reverse: they harm in different ways, and each prompt says its own. Nothing is inherited: not by another revision
// of the tool, not by who calls it, and not by a tool of a chat that has the bytes of an installed one, since its grants belong to
// the node that defines it. Headers by which a tool identifies itself are covered only if a prompt has named them.
//
// # How long it lasts
//
// Once is for the asks that the prompt counted. Session is for this Book, in memory. Always is a row of the shelf, read again for each ask,
// so that a revocation holds for the next ask in every tab; it also ends what sessions hold for the same thing. A tool of a chat
// gets session at most.
//
// # How the user is asked
//
// One prompt at a time; a few wait in order, and what comes beyond them is denied. Asks for the same thing share a prompt. What a revision does
// not declare is denied without one. Who has heard no in a call is not asked about the same thing again in that call. An answer has no effect when
// nobody waits for it any more: such a prompt ends, shown or not, and nothing is kept. Whatever is no clear yes is a no.
//
// # Rows
//
// shelf.Key("grant", revision, node or "-", capability, scope, class or "-"), each with its history. Who erases or blocks a revision clears that
// prefix and calls Forget.
package grant
