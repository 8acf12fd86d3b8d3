package policy

import (
	"fmt"
	"net/netip"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/guard"
)

// goodHost is the steps host_name, host_form and address. After a WHATWG parser a host is an IPv6 address in brackets, an IPv4 address in
// four decimal parts however it was written, or a name in A-labels; anything else is refused as a name.
func (p *Policy) goodHost(_ raw, u URL) *Denial {
	if inner, found := strings.CutPrefix(u.Host, "["); found {
		addr, err := netip.ParseAddr(strings.TrimSuffix(inner, "]"))
		if err != nil || !addr.Is6() || u.Host != serialised(addr) && addr.Zone() == "" {
			return deny(BadAddress, "host %.60q is no address as URLs are serialised", u.Host)
		}
		return denyAddress(addr)
	}
	if addr, err := netip.ParseAddr(u.Host); err == nil {
		return denyAddress(addr)
	}
	if d := p.goodName(u.Host); d != nil {
		return d
	}
	return goodForm(u.Host)
}

// goodName is the step host_name: the lists, label by label from the right, with one trailing dot taken away.
func (p *Policy) goodName(host string) *Denial {
	if !guard.Fixed && !guard.On("policy-name") {
		return nil
	}
	name := strings.TrimSuffix(host, ".")
	for suffix, whole := name, true; suffix != ""; whole = false {
		if row, found := names[suffix]; found && !(whole && row.below) && !(row.resolvable && p.host.Resolves) {
			return deny(HostName, "%.100q is refused: %s; tools reach public hosts only", host, row.what)
		}
		_, suffix, _ = strings.Cut(suffix, ".")
	}
	if first, _, more := strings.Cut(name, "."); more {
		if what, found := firstLabels[first]; found {
			return deny(HostName, "%.100q is refused: %s; tools reach public hosts only", host, what)
		}
	}
	return nil
}

// goodForm is the step host_form: what a public DNS name looks like. URL parsers take much more.
func goodForm(host string) *Denial {
	if !guard.Fixed && !guard.On("policy-form") {
		return nil
	}
	switch {
	case host == "":
		return deny(HostForm, "the url names no host")
	case strings.HasSuffix(host, "."):
		return deny(HostForm, "host %.100q ends in a dot, which makes it another origin; leave the dot out", host)
	case len(host) > 253:
		return deny(HostForm, "host %.100q has %d letters, at most 253", host, len(host))
	}
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if why := badLabel(label); why != "" {
			return deny(HostForm, "host %.100q: label %.70q %s; write a public host name", host, label, why)
		}
	}
	last := labels[len(labels)-1]
	switch {
	case len(labels) == 1:
		return deny(HostForm, "host %.100q is a single word, which means something on your own network; write a public host name", host)
	case last[0] < 'a' || strings.Contains(last, "_"):
		return deny(HostForm, "host %.100q ends in %.70q, which is no top-level domain; write a public host name", host, last)
	}
	return nil
}

// badLabel says what is wrong with a label, nothing if it is good. An underscore is good: hosts have them, and every parser takes them.
func badLabel(label string) string {
	switch {
	case label == "":
		return "is empty"
	case len(label) > 63:
		return "has more than 63 letters"
	case label[0] == '-' || label[len(label)-1] == '-':
		return "begins or ends with a hyphen"
	}
	for _, c := range []byte(label) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return "holds what no public name holds"
		}
	}
	if encoded, found := strings.CutPrefix(label, "xn--"); found {
		if _, ok := fromPunycode(encoded); !ok {
			return "is no encoded name"
		}
	}
	return ""
}

// serialised is how the URL standard writes an IPv6 address: as RFC 5952 does, but in hex to its end.
func serialised(addr netip.Addr) string {
	if b := addr.As16(); addr.Is4In6() {
		return fmt.Sprintf("[::ffff:%x:%x]", int(b[12])<<8|int(b[13]), int(b[14])<<8|int(b[15]))
	}
	return "[" + addr.String() + "]"
}

func denyAddress(addr netip.Addr) *Denial {
	if !guard.Fixed && !guard.On("policy-address") {
		return nil
	}
	if what := special(addr); what != "" {
		return deny(BadAddress, "%s is %s; tools reach public addresses only", addr.WithZone(""), what)
	}
	return nil
}
