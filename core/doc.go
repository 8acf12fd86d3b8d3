// Package core is the machine: an Engine made of a registry, tasks, sandboxes and policy behind a few ports. It is pure Go
// and knows no host; a page and a command line give it their walls, stores and judges of syntax.
//
// Nouns. A definition is what an author writes; a revision is a definition frozen under the hash of its bytes; a binding makes
// a name mean a revision. A draft is a task not yet pinned; a task is pinned and hashed; its record says what happened when it
// ran. A sandbox is one isolated place for one revision; a call is one execution in it. A capability is a typed power of the
// host; an ask is one use of it.
//
// Laws.
//
//  1. A revision never changes; its name is the hash of its bytes; bytes are hashed again on every read from a store.
//  2. A function-call task is pinned to one revision before it is hashed, and keeps it whatever becomes active later.
//  3. Secrets, settings, grants and sandboxes are keyed by revision, never by name.
//  4. Tool code meets only sandbox and protocol. No effect without a permit; the default is deny.
//  5. No message without a row in the protocol table; what a tool sends is decoded once, strictly, in one place.
//  6. Every call settles exactly once, by its deadline at the latest; nothing of a call has any effect after it ended.
//  7. Everything opened is closed by its opener.
//  8. The guarantee is stated per host and checked; it never falls back silently.
//
// Map: canon (bytes and hashes) ← tool (definitions, revisions) ← registry (the tool manager) ← task (drafts, tasks, records) ←
// archive (files that carry them);
// protocol (every message) ← sandbox (lifetime). fault holds the closed set of error codes, limits every number.
package core
