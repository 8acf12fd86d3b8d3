// Package sandbox manages the life of sandboxes over the Wall port: one isolated place for one revision.
//
// Requirements:
//
//  1. Every call settles exactly once with a typed outcome, by its deadline at the latest. Nothing of a call has any effect
//     after it ended: results, logs, progress, asks and answers that come later are dropped and counted.
//  2. A sandbox is retained per Key and its calls are serialised in order. It is destroyed on timeout, on a failure at the
//     boundary (a breach, a flood, a crash, a lost place), on abort of its running call, on Terminate and Clear, and after its
//     running call on Retire. Calls queued behind a destroyed sandbox run in a new one. A disposable call has its own.
//  3. What a place says is hostile: it is decoded once, strictly, and judged by the protocol's conversation. A breach destroys
//     the place. Identity comes from the link, never from a message.
//  4. Running time is owned by the supervisor behind the wall; the host backs it up and says timeout when no word came.
//     Waiting in the queue and starting do not count, open asks stop the running clock, the wall clock never stops.
//  5. A place that serves nobody is bounded: there are at most so many (the least recently used goes), none is kept unused for
//     long, and one that does not answer between calls is destroyed. Warm places were never spoken to; each is taken once.
//  6. Nothing foreign is called under the lock: neither the wall, nor the caller's functions, nor a power.
//
// Map: manager.go is the door, lane.go the queue of one key, place.go one sandbox from its opening to its end, receive.go what
// it says, call.go one execution and its mailbox, asks.go the powers, deadlines.go the clocks, restarts.go the brake, pool.go the
// warm places, chores.go what is done while nobody waits, rest.go the proof that a place rests, logs.go the kept lines, effects.go
// what happens outside the lock.
package sandbox
