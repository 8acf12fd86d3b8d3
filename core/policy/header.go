package policy

import (
	"slices"
	"sort"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/guard"
)

// Header is one header line.
type Header struct{ Name, Value string }

const longestHeaderName = 128

// cleanHeaders is the step header. It gives the list that is sent: names in lower case, lines of the same name joined as browsers
// do, in the order of names. Nothing is dropped or trimmed in silence.
func (p *Policy) cleanHeaders(given []Header) ([]Header, *Denial) {
	if len(given) > p.limits.FetchHeaders && (guard.Fixed || guard.On("policy-header")) {
		return nil, deny(BadHeader, "the request has %d headers, at most %d", len(given), p.limits.FetchHeaders)
	}
	clean := make([]Header, 0, len(given))
	for _, h := range given {
		if d := p.goodHeader(h); d != nil {
			return nil, d
		}
		name := strings.ToLower(h.Name)
		if at := slices.IndexFunc(clean, func(c Header) bool { return c.Name == name }); at >= 0 {
			clean[at].Value += ", " + h.Value
			continue
		}
		clean = append(clean, Header{name, h.Value})
	}
	for _, h := range clean {
		if h.Name == "range" && strings.Contains(h.Value, ",") {
			return nil, deny(BadHeader, "header range asks for several ranges; ask for one")
		}
	}
	sort.Slice(clean, func(i, j int) bool { return clean[i].Name < clean[j].Name })
	return clean, nil
}

func (p *Policy) goodHeader(h Header) *Denial {
	if !guard.Fixed && !guard.On("policy-header") {
		return nil
	}
	if len(h.Name) > longestHeaderName || !isToken(h.Name) {
		return deny(BadHeader, "header name %.60q is no name; it is 1 to %d letters, digits and hyphens", h.Name, longestHeaderName)
	}
	name := plainName(h.Name)
	if why, found := forbiddenHeaders[name]; found {
		return deny(BadHeader, "header %s %s", h.Name, why)
	}
	for _, row := range forbiddenPrefixes {
		if strings.HasPrefix(name, row.prefix) {
			return deny(BadHeader, "header %s %s", h.Name, row.why)
		}
	}
	return p.goodValue(h)
}

func (p *Policy) goodValue(h Header) *Denial {
	if len(h.Value) > p.limits.FetchHeaderBytes {
		return deny(BadHeader, "header %s has %d bytes, at most %d", h.Name, len(h.Value), p.limits.FetchHeaderBytes)
	}
	if at := strings.IndexFunc(h.Value, unprintable); at >= 0 {
		return deny(BadHeader, "header %s holds %q; a value is printable ASCII on one line", h.Name, h.Value[at])
	}
	if strings.Trim(h.Value, " \t") != h.Value {
		return deny(BadHeader, "header %s begins or ends with white space; trim it", h.Name)
	}
	return nil
}

func unprintable(c rune) bool { return c != '\t' && (c < ' ' || c > '~') }

// carries tells whether a header can hold a value.
func carries(value string) bool {
	return !strings.ContainsFunc(value, unprintable) && strings.Trim(value, " \t") == value
}

// plainName is a name as the tables write it.
func plainName(name string) string { return strings.ReplaceAll(strings.ToLower(name), "_", "-") }

// credentialsIn names the headers by which the tool identifies itself, in lower case, sorted, for the user to read.
func credentialsIn(given []Header) []string {
	var found []string
	for _, h := range given {
		if name := plainName(h.Name); slices.Contains(credentialHeaders, name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	slices.Sort(found)
	return found
}

// Hidden says whether a response header is kept from the tool, whatever its letter case.
func Hidden(name string) bool {
	if !guard.Fixed && !guard.On("policy-hidden") {
		return false
	}
	plain := plainName(name)
	return slices.Contains(hiddenHeaders, plain) || strings.HasPrefix(plain, "proxy-")
}
