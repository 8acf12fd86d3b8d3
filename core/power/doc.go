// Package power answers the asks of tools: it is where a capability is used for them, under policy, grants and limits.
//
// Powers are an engine's; a Session is one call's. What the session counts, keeps and hides ends with the call. An error is told to the
// tool with a reason, a word of a closed set that code can branch on, and with a sentence for its author.
package power
