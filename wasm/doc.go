// Command wasm is taskyon.wasm: one engine behind the page API.
//
// It exports two JavaScript functions to the loader and no global: call(id, request, listener), which settles with a
// JSON text, and abort(id). A method is one row of the table in methods.go; requests and answers are JSON texts, so that Go never
// touches a foreign object. A native function of the page is reached in the same way: its listener is told of a call, and the call
// is settled by a request. What a page sees is wasm/loader.
package main
