// Package store keeps tasks, records, revisions and bindings in one SQLite file, for the command line. It implements task.Store
// and registry.Store. Several processes may use the file at once; a process that dies leaves what it committed and nothing else.
package store
