// Package store keeps tasks, records, revisions, bindings, settings, blocks and the shelf in IndexedDB, for a page. It implements
// task.Store, registry.Store and shelf.Store. Several tabs may use the database at once.
//
// A transaction commits as soon as it has nothing to do, so that nothing is waited for inside one: what must be hashed is hashed
// before or after, a change looks again at what it depends on in its own transaction, and each next request is made by the
// callback of the one before.
package store
