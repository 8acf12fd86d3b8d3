//go:build js && wasm

package sandboxhost

// document is the text of a place's frame in this build.
func document(policy, script string) string {
	if !guarded("frame-policy") {
		policy = ""
	}
	return Page(policy, script)
}
