package policy

import (
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Parser is the URL parser of a host, after the WHATWG standard: a page has its own, which is the one that will send, and outside of a
// page there is a library. Parse takes an absolute URL; an error says why the text is none. Both give the record by Split.
type Parser interface {
	Parse(raw string) (URL, error)
}

// URL is a URL record. Everything in it is serialised: lower-case scheme, A-labels, canonical addresses, percent-encoding.
type URL struct {
	Href     string
	Scheme   string // without its colon
	Username string
	Password string
	Host     string // without port; an IPv6 address stands in brackets
	Port     string // empty: the scheme's own
	Path     string
	Query    string // without its question mark
	Fragment string // without its number sign
	Origin   string // scheme://host[:port]; "null" for schemes that have none
}

// Split takes a serialised URL apart. A serialisation is unambiguous: its user part holds none of / ? # @, its host none of these nor a colon
// outside of brackets, and only a fragment begins with #. So a parser has to give one text, and the record is the same for each.
func Split(href string) (URL, error) {
	u := URL{Href: href, Origin: "null"}
	scheme, rest, found := strings.Cut(href, ":")
	if !found || scheme == "" {
		return URL{}, fault.New(fault.InvalidValue, "url: %.100q has no scheme", href)
	}
	u.Scheme = scheme
	rest, u.Fragment, _ = strings.Cut(rest, "#")
	rest, u.Query, _ = strings.Cut(rest, "?")
	if authority, found := strings.CutPrefix(rest, "//"); found {
		rest = ""
		if slash := strings.IndexByte(authority, '/'); slash >= 0 {
			authority, rest = authority[:slash], authority[slash:]
		}
		u.authority(authority)
	} else if strings.HasPrefix(rest, "/.//") { // written so that the path is not read as a host
		rest = rest[len("/."):]
	}
	u.Path = rest
	switch scheme {
	case "https", "http", "wss", "ws", "ftp":
		u.Origin = scheme + "://" + u.Host
		if u.Port != "" {
			u.Origin += ":" + u.Port
		}
	}
	return u, nil
}

func (u *URL) authority(text string) {
	if at := strings.LastIndexByte(text, '@'); at >= 0 {
		u.Username, u.Password, _ = strings.Cut(text[:at], ":")
		text = text[at+1:]
	}
	u.Host = text
	if colon := strings.LastIndexByte(text, ':'); colon > strings.LastIndexByte(text, ']') {
		u.Host, u.Port = text[:colon], text[colon+1:]
	}
}

// withoutFragment is what is sent: a fragment is the tool's own.
func (u URL) withoutFragment() string {
	text, _, _ := strings.Cut(u.Href, "#")
	return text
}
