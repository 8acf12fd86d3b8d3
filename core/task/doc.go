// Package task turns drafts into pinned, hashed tasks and keeps what happened when they ran.
//
// A Draft is a node nobody has pinned. Compile resolves the tool's name, pins the revision, checks the arguments, and names
// the node by the hash of its RFC 8785 bytes (context string `taskyon 2026 task v1`); the id is not part of the hash. Every
// node names its parent, so that a chat is a hash tree.
//
// Law 2 stands at the store's door: Admit is called by every Store for every record, and Verify for every task.
package task
