package tool

import "context"

// Syntax is the one judge of JavaScript source: acorn with our rules, in a sandbox of its own in a page, on goja natively.
// Both give the same verdict and the same text.
type Syntax interface {
	// Check accepts source, or refuses it with invalid_code and the author's line and column. Other codes mean that the
	// judge itself could not be asked.
	Check(ctx context.Context, source string) (Verdict, error)
}

// Verdict is what an accepted source becomes.
type Verdict struct {
	Form    string // expression, function or module
	Program string // an async function body that returns the tool; author line N is program line N+1
}
