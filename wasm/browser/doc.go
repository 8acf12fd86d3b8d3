// Package browser builds an engine from the powers of a page. taskyon.wasm and the console both start here.
package browser
