// Package bootstrap holds the JavaScript that runs behind the wall, as text.
//
// Each text is built from the TypeScript in src by the command bundle and committed in dist; `bundle -check` finds drift.
package bootstrap

import _ "embed"

//go:embed dist/checker.js
var checker string

//go:embed dist/supervisor.js
var supervisor string

//go:embed dist/tool.js
var runtime string

// Checker is the syntax checker as a program: the body of a function which returns `({source}) => verdict`. It needs no
// host object, so a page runs it in a sandbox and a command line on any ECMAScript engine. A verdict is
// `{ok: true, form, program}` or `{ok: false, code: "invalid_code", message, line, column}`.
func Checker() string { return checker }

// Supervisor is the classic script that stands between a frame and a tool's worker.
func Supervisor() string { return supervisor }

// Tool is the runtime that stands in front of a program in a tool's classic script.
func Tool() string { return runtime }
