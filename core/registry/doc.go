// Package registry is the tool manager: revisions under their ids, bindings from a name to the revision active now, with
// their whole history, and lookup by either.
//
// Install freezes a definition and stores it; it activates only when told to. Activating another revision never touches an
// older one: tasks pinned to it keep it. Whatever comes out of a Store is hashed again before it counts.
package registry
