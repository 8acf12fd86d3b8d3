// Package urls is policy.Parser outside of a page, by nlnwa/whatwg-url.
package urls

import (
	"github.com/nlnwa/whatwg-url/url"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

// Parser implements policy.Parser. The zero value is ready; goroutines may share it.
type Parser struct{}

// Parse implements policy.Parser.
func (p Parser) Parse(raw string) (policy.URL, error) { return p.Resolve(raw, "") }

// Resolve parses a reference, such as the Location of a redirect, against a base. An empty base is none.
func (Parser) Resolve(raw, base string) (policy.URL, error) {
	u, err := url.ParseRef(base, raw)
	if err != nil {
		return policy.URL{}, err
	}
	return policy.Split(u.Href(false))
}
