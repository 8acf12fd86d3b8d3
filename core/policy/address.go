package policy

import "net/netip"

// Address judges one address, for a sender that dials by itself: nil for a public one, a Denial with the reason address for any other. It goes by the
// bytes, never by a spelling, and an IPv4 address in an IPv6 one is judged too. A sender calls it with the address that it is
// about to connect to, after the last look-up.
func Address(addr netip.Addr) error {
	if d := denyAddress(addr); d != nil {
		return d
	}
	return nil
}

// special names what an address is, nothing if it is public. An address with a zone and the zero Addr are not.
func special(addr netip.Addr) string {
	switch {
	case !addr.IsValid():
		return "no address"
	case addr.Zone() != "":
		return "bound to an interface of this machine (RFC 4007)"
	case addr.Unmap().Is4(): // ::ffff:a.b.c.d is how systems write IPv4 in their IPv6 interfaces: it is the IPv4 address
		return special4(addr.Unmap())
	default:
		return special6(addr)
	}
}

func special4(addr netip.Addr) string {
	for _, row := range ranges4 {
		if row.prefix().Contains(addr) {
			return row.what + " (" + row.source + ")"
		}
	}
	return ""
}

func special6(addr netip.Addr) string {
	bytes := addr.As16()
	for _, row := range ranges6 {
		if row.prefix().Contains(addr) {
			return row.what + " (" + row.source + ")" + within(bytes, row.embeds)
		}
	}
	switch {
	case bytes[0]&0xe0 != 0x20:
		return notGlobal
	case bytes[8]&^2 == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == 0xfe:
		return isatap + within(bytes, inLast)
	}
	return ""
}

// within says which IPv4 address stands in an IPv6 one, and what that is.
func within(b [16]byte, where embedding) string {
	var inner [4]byte
	switch where {
	case nothing:
		return ""
	case inLast:
		inner = [4]byte(b[12:])
	case inSix:
		inner = [4]byte(b[2:])
	case inFour:
		inner = [4]byte{b[6], b[7], b[9], b[10]}
	case turned:
		inner = [4]byte{^b[12], ^b[13], ^b[14], ^b[15]}
	}
	addr := netip.AddrFrom4(inner)
	if what := special4(addr); what != "" {
		return " for " + addr.String() + ", " + what
	}
	return " for " + addr.String()
}
