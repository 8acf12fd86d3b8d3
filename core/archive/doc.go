// Package archive moves revisions, chats and records between stores as one text file.
//
// # The file
//
// JSON lines: UTF-8, one item a line, each in canonical form (RFC 8785). The first line is the header, then revisions, then tasks with
// parents first, then records; settings stand between revisions and tasks or after their revision:
//
//	{"taskyon":"archive","version":1}
//	{"definition":{…},"id":"tool:b3:…","kind":"revision"}
//	{"id":"settings:b3:…","kind":"settings","tool":"tool:b3:…","values":{…}}
//	{"kind":"task","task":{"content":{…},"id":"task:b3:…","parent":"task:b3:…","role":"…"}}
//	{"kind":"record","record":{…}}
//
// What stands under task and record is the form in which tasks and records travel everywhere else; nothing has to be taken apart to
// use one. Settings are written only when asked for, since they may hold private data. A reader takes CRLF, empty lines, a byte-order
// mark at the start, and any spelling of an item that is strict JSON; an id is of the canonical bytes, so spelling changes nothing.
//
// # What an import promises
//
// Every id is hashed again. A line that does not hold is refused, with its number, a code and a reason; so is a task below a refused
// one, and all else comes in. Nothing becomes active or current by an import: names mean what they meant, and later tasks get the
// settings they would have got. A blocked revision stays out. Importing a file again changes nothing.
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
