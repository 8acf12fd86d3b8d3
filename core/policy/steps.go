package policy

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/guard"
)

// judgeURL is all steps from raw_form to self. What it returns is the record that everything later goes by.
func (p *Policy) judgeURL(text string) (URL, *Denial) {
	r, d := rawForm(text, p.limits.FetchURLBytes)
	switch {
	case d == nil:
	case guard.Fixed || guard.On("policy-raw"):
		return URL{}, d
	default:
		r = raw{text, "unread"}
	}
	u, err := p.parser.Parse(r.text)
	if err != nil {
		return URL{}, deny(Parse, "%.100q is no url: %.200s", r.text, err.Error())
	}
	if len(u.Href) > p.limits.FetchURLBytes && (guard.Fixed || guard.On("policy-raw")) {
		return URL{}, deny(RawForm, "the url has %d bytes when it is encoded, at most %d; send long data in a body", len(u.Href), p.limits.FetchURLBytes)
	}
	for _, step := range []func(raw, URL) *Denial{isHTTPS, noCredentials, goodPort, p.goodHost, p.notSelf} {
		if d := step(r, u); d != nil {
			return URL{}, d
		}
	}
	return u, nil
}

func isHTTPS(r raw, u URL) *Denial {
	if !guard.Fixed && !guard.On("policy-scheme") {
		return nil
	}
	if u.Scheme != https || r.authority == "" {
		return deny(Scheme, "%.40q is not https; tools reach https addresses only", u.Scheme+":")
	}
	return nil
}

// noCredentials looks at the text too, since a parser drops an empty name and an empty password.
func noCredentials(r raw, u URL) *Denial {
	if u.Username != "" || u.Password != "" || strings.Contains(r.authority, "@") {
		return deny(Credentials, "the url names a user before its host; send credentials in a header, or write %%40 for an @ in the path")
	}
	return nil
}

// goodPort is the step port. The text must have the one spelling of its port, so that no reader takes another one.
func goodPort(r raw, u URL) *Denial {
	if !guard.Fixed && !guard.On("policy-port") {
		return nil
	}
	if colon := strings.LastIndexByte(r.authority, ':'); colon > strings.LastIndexByte(r.authority, ']') {
		written := r.authority[colon+1:]
		if n, err := strconv.ParseUint(written, 10, 16); err != nil || strconv.FormatUint(n, 10) != written {
			return deny(Port, "port %.20q is not a plain number; write it without leading zeros, or leave the colon out", written)
		}
	}
	if u.Port == "" {
		return nil
	}
	if n, err := strconv.ParseUint(u.Port, 10, 16); err != nil || slices.Contains(badPorts, uint16(n)) {
		return deny(Port, "port %.20q is for another protocol, and browsers block it; use 443 or another port for https", u.Port)
	}
	return nil
}

// badPorts is the list of the Fetch standard, "port blocking".
var badPorts = []uint16{0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110, 111,
	113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587,
	601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697,
	10080}

// notSelf compares hosts, whatever the port: what else listens on the application's host is the application's too, and cookies know no ports.
func (p *Policy) notSelf(_ raw, u URL) *Denial {
	if !guard.Fixed && !guard.On("policy-self") {
		return nil
	}
	if slices.Contains(p.self, u.Host) {
		return deny(Self, "%s belongs to this application itself; no tool may reach it", u.Host)
	}
	return nil
}
