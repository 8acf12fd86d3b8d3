// Package archive moves revisions, chats and records between stores as one text file.
//
// # The file
//
// JSON lines: UTF-8, one item a line, each in canonical form (RFC 8785). The first line is the header, then revisions, then tasks with
// parents first, then records:
//
//	{"taskyon":"archive","version":1}
//	{"definition":{…},"id":"tool:b3:…","kind":"revision"}
//	{"kind":"task","task":{"content":{…},"id":"task:b3:…","parent":"task:b3:…","role":"…"}}
//	{"kind":"record","record":{…}}
//
// What stands under task and record is the form in which tasks and records travel everywhere else; nothing has to be taken apart to
// use one. A reader takes CRLF, empty lines, a byte-order mark at the start, and any spelling of an item that is strict JSON; an id is
// of the canonical bytes, so spelling changes nothing.
//
// # What an import promises
//
// Every id is hashed again. A line that does not hold is refused, with its number, a code and a reason; so is a task below a refused
// one, and all else comes in. Nothing becomes active by an import: names mean what they meant. A blocked revision stays out. Importing
// a file again changes nothing.
//
// Settings do not travel: they may hold private data, and a file that brings some would choose for the user. Tasks that are pinned to
// settings come in, and do not run where those are not.
//
// What compiling holds a node to, a file's node is held to where it can be: a tool result is of a call above it, a definition is
// within its limit and its code is accepted, a binding fits its revision where that is here. Records come in only for tasks that are
// new with the file: what ran here is told by what ran here alone.
//
// A file brings sandboxed code only. A trusted-native or external-service revision that is not here is denied: it names a function of
// the host by a word of the file's choice, with a schema of the file's choice, and only the host may do that. Tasks that are pinned
// to it come in and do not run until the host registers it.
//
// # Older data
//
// Import also takes what Taskyon wrote before there were archives: one definition or a list of them, and chats as lists of nodes or
// one node a line; see old.go.
package archive
