//go:build js && wasm

package sandboxhost

// document is the whole text of a place's frame.
func document(policy, script string) string {
	meta := ""
	if guarded("frame-policy") {
		meta = `<meta http-equiv="Content-Security-Policy" content="` + policy + `">`
	}
	return `<!doctype html><html><head><meta charset="utf-8">` + meta + `<title>sandbox</title></head><body><script>` + script +
		`</script></body></html>`
}
