// Package protocol is every word that crosses a wall.
//
// Requirements:
//
//  1. No message without a row in Rows: who may say it, in which states, with which fields, up to which size.
//  2. What a tool sends is decoded once, strictly, by Decode: closed types, bounded text, bounded nesting.
//  3. A Conversation decides whether a message is in turn. A message of a call that has ended is late: it is dropped and
//     counted. Anything else out of turn is a breach and ends the sandbox.
//  4. Identity comes from the channel, never from a field: no message names a revision to the host.
//  5. TypeScript types, table and guards are generated from Rows (see protocol/gen); the conversations in testdata are
//     replayed by both sides.
//
// The life of a sandbox in messages:
//
//	host     start                call            answer, chunk        ping
//	tool             ready                 ask, log, progress … result    pong
//	supervisor                                              flooded | crashed (the end)
//
// To add a message: one struct in messages.go, one row in table.go, then `make generate`.
package protocol
