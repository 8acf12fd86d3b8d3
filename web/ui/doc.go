// Package ui draws the console: Vugu components over console.Model, and nothing else.
//
// Laws of a component here, which a test reads from the sources:
//   - Text that may come from a tool is set with setText, so that no markup is ever made of it and its length does not matter
//     (Vugu's own instructions hold at most 16 KiB each). vg-html and vg-content are not used.
//   - What a person types is set with setValue, which leaves the caret alone.
//   - Every event goes through Model.Guard, since a panic in a Vugu handler ends the program.
//   - No style attribute and no style element: the page's policy is style-src 'self'.
//   - No vg-template, and no handler for blur, change or toggle: Vugu keeps the former's listeners at a wrong place and deadlocks
//     when one of the latter fires while it draws.
//
// The *_gen.go files are made from the *.vugu files by `go run ./web/gen` and are committed.
package ui
