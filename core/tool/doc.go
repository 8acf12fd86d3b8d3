// Package tool is what an author writes and what becomes of it.
//
// A Definition is a closed type. Read takes its JSON text, in the full or in Taskyon's older short form, and Freeze turns it
// into a Revision: the same definition under the hash of its RFC 8785 bytes (context string `taskyon 2026 tool revision v1`).
// Both forms of the same definition give the same revision. Source text is hashed as it is.
//
// Whether code parses and has an accepted form is decided by the Syntax port, the same everywhere; whether arguments fit is
// decided by Schema, JSON Schema 2020-12 with RE2 patterns.
package tool
