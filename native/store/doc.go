// Package store keeps tasks, records, revisions, bindings, settings, blocks and the shelf in one SQLite file, for the command line. It
// implements task.Store, registry.Store and shelf.Store. Several processes may use the file at once; a process that dies leaves what it
// committed and nothing else.
package store
