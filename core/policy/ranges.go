package policy

import "net/netip"

// The addresses that a tool may not reach, as data: the IANA registries of special-purpose addresses for IPv4 and IPv6, multicast, what old
// standards gave out and never took back from software, and the ways to write an IPv4 address inside an IPv6 one.

// row4 is a range of IPv4 addresses.
type row4 struct {
	first  [4]byte
	bits   int
	what   string
	source string
}

var ranges4 = []row4{
	{[4]byte{0, 0, 0, 0}, 8, "an address of this network, which many systems take for this machine", "RFC 1122"},
	{[4]byte{10, 0, 0, 0}, 8, "a private address", "RFC 1918"},
	{[4]byte{100, 64, 0, 0}, 10, "an address between a provider and its customers", "RFC 6598"},
	{[4]byte{127, 0, 0, 0}, 8, "this machine (loopback)", "RFC 1122"},
	{[4]byte{168, 63, 129, 16}, 32, "the platform service of Azure", "Azure"},
	{[4]byte{169, 254, 0, 0}, 16, "link-local, where clouds keep their metadata", "RFC 3927"},
	{[4]byte{172, 16, 0, 0}, 12, "a private address", "RFC 1918"},
	{[4]byte{192, 0, 0, 0}, 24, "kept for protocols", "RFC 6890"},
	{[4]byte{192, 0, 2, 0}, 24, "kept for documentation", "RFC 5737"},
	{[4]byte{192, 31, 196, 0}, 24, "a sink of the DNS (AS112)", "RFC 7535"},
	{[4]byte{192, 52, 193, 0}, 24, "a multicast relay (AMT)", "RFC 7450"},
	{[4]byte{192, 88, 99, 0}, 24, "a relay to IPv6, out of use", "RFC 7526"},
	{[4]byte{192, 168, 0, 0}, 16, "a private address", "RFC 1918"},
	{[4]byte{192, 175, 48, 0}, 24, "a sink of the DNS (AS112)", "RFC 7534"},
	{[4]byte{198, 18, 0, 0}, 15, "kept for benchmarks", "RFC 2544"},
	{[4]byte{198, 51, 100, 0}, 24, "kept for documentation", "RFC 5737"},
	{[4]byte{203, 0, 113, 0}, 24, "kept for documentation", "RFC 5737"},
	{[4]byte{233, 252, 0, 0}, 24, "kept for documentation (multicast)", "RFC 6676"},
	{[4]byte{224, 0, 0, 0}, 4, "a multicast address", "RFC 5771"},
	{[4]byte{255, 255, 255, 255}, 32, "the broadcast address", "RFC 8190"},
	{[4]byte{240, 0, 0, 0}, 4, "reserved", "RFC 1112"},
}

// row6 is a range of IPv6 addresses by its first 16-bit pieces. The first row that holds an address names it.
type row6 struct {
	pieces [8]uint16
	bits   int
	embeds embedding
	what   string
	source string
}

// embedding says where in an address an IPv4 address stands; the name of the range comes first, what the IPv4 address is second.
type embedding int

const (
	nothing embedding = iota
	inLast            // bytes 12 to 15
	inSix             // bytes 2 to 5
	inFour            // bytes 6, 7, 9 and 10: RFC 6052 with a prefix of 48 bits
	turned            // bytes 12 to 15, each bit turned
)

var ranges6 = []row6{
	{[8]uint16{}, 128, nothing, "the unspecified address, which many systems take for this machine", "RFC 4291"},
	{[8]uint16{7: 1}, 128, nothing, "this machine (loopback)", "RFC 4291"},
	{[8]uint16{}, 96, inLast, "an IPv4-compatible address", "RFC 4291"},
	{[8]uint16{4: 0xffff}, 96, inLast, "an IPv4-translated address", "RFC 7915"},
	{[8]uint16{0x64, 0xff9b}, 96, inLast, "a NAT64 address", "RFC 6052"},
	{[8]uint16{0x64, 0xff9b, 1}, 48, inFour, "a NAT64 address for local use", "RFC 8215"},
	{[8]uint16{0x100}, 64, nothing, "a sink for packets", "RFC 6666"},
	{[8]uint16{0x100, 3: 1}, 64, nothing, "a dummy prefix", "RFC 9780"},
	{[8]uint16{0x2001}, 32, turned, "a Teredo address", "RFC 4380"},
	{[8]uint16{0x2001, 2}, 48, nothing, "kept for benchmarks", "RFC 5180"},
	{[8]uint16{0x2001, 3}, 32, nothing, "a multicast relay (AMT)", "RFC 7450"},
	{[8]uint16{0x2001, 4, 0x112}, 48, nothing, "a sink of the DNS (AS112)", "RFC 7535"},
	{[8]uint16{0x2001, 0x10}, 28, nothing, "an identifier, no address (ORCHID)", "RFC 4843"},
	{[8]uint16{0x2001, 0x20}, 28, nothing, "an identifier, no address (ORCHIDv2)", "RFC 7343"},
	{[8]uint16{0x2001, 0x30}, 28, nothing, "an identifier of drones", "RFC 9374"},
	{[8]uint16{0x2001}, 23, nothing, "kept for protocols", "RFC 2928"},
	{[8]uint16{0x2001, 0xdb8}, 32, nothing, "kept for documentation", "RFC 3849"},
	{[8]uint16{0x2002}, 16, inSix, "a 6to4 address", "RFC 3056"},
	{[8]uint16{0x2620, 0x4f, 0x8000}, 48, nothing, "a sink of the DNS (AS112)", "RFC 7534"},
	{[8]uint16{0x3ffe}, 16, nothing, "of the old 6bone", "RFC 3701"},
	{[8]uint16{0x3fff}, 20, nothing, "kept for documentation", "RFC 9637"},
	{[8]uint16{0x5f00}, 16, nothing, "a segment identifier (SRv6)", "RFC 9602"},
	{[8]uint16{0xfc00}, 7, nothing, "a private address (unique local)", "RFC 4193"},
	{[8]uint16{0xfe80}, 10, nothing, "link-local", "RFC 4291"},
	{[8]uint16{0xfec0}, 10, nothing, "site-local", "RFC 3879"},
	{[8]uint16{0xff00}, 8, nothing, "a multicast address", "RFC 4291"},
}

// The rest of IPv6: only 2000::/3 has been given out for global unicast.
const notGlobal = "outside of what has been given out for public use (RFC 4291)"

// An interface identifier 0:5efe or 200:5efe makes an address of any prefix an ISATAP one.
const isatap = "an ISATAP address (RFC 5214)"

func (r row4) prefix() netip.Prefix { return netip.PrefixFrom(netip.AddrFrom4(r.first), r.bits) }

func (r row6) prefix() netip.Prefix {
	var bytes [16]byte
	for i, piece := range r.pieces {
		bytes[2*i], bytes[2*i+1] = byte(piece>>8), byte(piece)
	}
	return netip.PrefixFrom(netip.AddrFrom16(bytes), r.bits)
}
