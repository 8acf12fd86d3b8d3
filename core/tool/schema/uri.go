package schema

import "strings"

// uri is a URI reference in its five parts, RFC 3986. The host's own URL parsers are doors that the machine may not use.
type uri struct {
	scheme, authority, path, query, fragment string
	hasAuthority, hasQuery                   bool
}

// parseURI takes every text; what is no URI resolves to something that nobody is known by.
func parseURI(text string) uri {
	var u uri
	text, u.fragment, _ = strings.Cut(text, "#")
	text, u.query, u.hasQuery = strings.Cut(text, "?")
	if scheme, rest, found := strings.Cut(text, ":"); found && scheme != "" && !strings.ContainsAny(scheme, "/") {
		u.scheme, text = strings.ToLower(scheme), rest
	}
	if rest, found := strings.CutPrefix(text, "//"); found {
		u.hasAuthority = true
		end := strings.IndexByte(rest, '/')
		if end < 0 {
			end = len(rest)
		}
		u.authority, text = rest[:end], rest[end:]
	}
	u.path = text
	return u
}

// String writes the URI without its fragment.
func (u uri) String() string {
	var b strings.Builder
	if u.scheme != "" {
		b.WriteString(u.scheme + ":")
	}
	if u.hasAuthority {
		b.WriteString("//" + u.authority)
	}
	b.WriteString(u.path)
	if u.hasQuery {
		b.WriteString("?" + u.query)
	}
	return b.String()
}

// resolve is RFC 3986 section 5.2.2.
func (base uri) resolve(ref uri) uri {
	switch {
	case ref.scheme != "":
		ref.path = withoutDots(ref.path)
		return ref
	case ref.hasAuthority:
		ref.path = withoutDots(ref.path)
	case ref.path == "":
		ref.path = base.path
		if !ref.hasQuery {
			ref.query, ref.hasQuery = base.query, base.hasQuery
		}
	case ref.path[0] == '/':
		ref.path = withoutDots(ref.path)
	case base.hasAuthority && base.path == "":
		ref.path = withoutDots("/" + ref.path)
	default:
		ref.path = withoutDots(base.path[:strings.LastIndexByte(base.path, '/')+1] + ref.path)
	}
	if !ref.hasAuthority {
		ref.authority, ref.hasAuthority = base.authority, base.hasAuthority
	}
	ref.scheme = base.scheme
	return ref
}

// withoutDots is RFC 3986 section 5.2.4 for paths that start with a slash; others (urn) have no hierarchy.
func withoutDots(path string) string {
	if !strings.HasPrefix(path, "/") {
		return path
	}
	var kept []string
	steps := strings.Split(path[1:], "/")
	for i, step := range steps {
		last := i == len(steps)-1
		switch step {
		case ".", "..":
			if step == ".." && len(kept) > 0 {
				kept = kept[:len(kept)-1]
			}
			if last {
				kept = append(kept, "")
			}
		default:
			kept = append(kept, step)
		}
	}
	return "/" + strings.Join(kept, "/")
}

// decodePercent decodes %XX; what is not so written stays.
func decodePercent(text string) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+2 < len(text) {
			high, low := strings.IndexByte(hexDigits, lower(text[i+1])), strings.IndexByte(hexDigits, lower(text[i+2]))
			if high >= 0 && low >= 0 {
				b.WriteByte(byte(high<<4 | low))
				i += 2
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

const hexDigits = "0123456789abcdef"

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
