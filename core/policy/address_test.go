package policy_test

import (
	_ "embed"
	"net/netip"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
)

// The registries once more, as their documents write them.
//
//go:embed testdata/addresses.txt
var registries string

func TestEveryRangeOfTheRegistriesIsRefusedFromItsFirstAddressToItsLast(t *testing.T) {
	var ranges []netip.Prefix
	for line := range strings.Lines(registries) {
		if fields := strings.Fields(line); len(fields) > 0 && fields[0] != "#" {
			ranges = append(ranges, netip.MustParsePrefix(fields[0]))
		}
	}
	require.Len(t, ranges, 51)
	listed := func(a netip.Addr) bool {
		for _, r := range ranges {
			if r.Contains(a) {
				return true
			}
		}
		return a.Is6() && !netip.MustParsePrefix("2000::/3").Contains(a)
	}
	free := 0
	for _, r := range ranges {
		first, last := r.Masked().Addr(), lastOf(r)
		require.Equal(t, r.Addr(), first)
		for _, in := range []netip.Addr{first, last} {
			require.Equal(t, policy.BadAddress, reasonOf(t, policy.Address(in)), "%s of %s", in, r)
		}
		for _, beside := range []netip.Addr{first.Prev(), last.Next()} {
			if beside.IsValid() && !listed(beside) {
				free++
				require.NoError(t, policy.Address(beside), "%s beside %s", beside, r)
			}
		}
	}
	require.Greater(t, free, 30)
}

func lastOf(r netip.Prefix) netip.Addr {
	bytes := r.Addr().AsSlice()
	for bit := r.Bits(); bit < r.Addr().BitLen(); bit++ {
		bytes[bit/8] |= 0x80 >> (bit % 8)
	}
	last, _ := netip.AddrFromSlice(bytes)
	return last
}

func TestAnIPv4AddressIsFoundInsideAnIPv6One(t *testing.T) {
	for text, inner := range map[string]string{
		"::ffff:127.0.0.1":                        "this machine",
		"::127.0.0.1":                             "for 127.0.0.1, this machine",
		"::ffff:0:169.254.169.254":                "for 169.254.169.254, link-local",
		"64:ff9b::10.0.0.1":                       "for 10.0.0.1, a private",
		"64:ff9b:1:c0a8:1:100::":                  "for 192.168.1.1, a private",
		"2002:7f00:1::":                           "for 127.0.0.1, this machine",
		"2001:0:4136:e378:8000:63bf:3f57:fefe":    "for 192.168.1.1, a private",
		"2606:4700::5efe:10.0.0.1":                "for 10.0.0.1, a private",
		"2606:4700::200:5efe:8.8.8.8":             "ISATAP address (RFC 5214) for 8.8.8.8",
		"2002:808:808::":                          "a 6to4 address (RFC 3056) for 8.8.8.8",
		"fe80::1%eth0":                            "bound to an interface",
		"2606:4700::1%1":                          "bound to an interface",
		"::ffff:100.100.100.200":                  "between a provider and its customers",
		"fd00:ec2::254":                           "private address (unique local)",
		"ff0e::1":                                 "multicast",
		"4000::1":                                 "outside",
		"::2":                                     "for 0.0.0.2",
		"2620:4f:8000::1":                         "AS112",
		"0000:0000:0000:0000:0000:0000:0000:0001": "loopback",
	} {
		err := policy.Address(netip.MustParseAddr(text))
		require.Equal(t, policy.BadAddress, reasonOf(t, err), text)
		require.ErrorContains(t, err, inner)
	}
	require.ErrorContains(t, policy.Address(netip.Addr{}), "no address")
	for _, public := range []string{"1.1.1.1", "8.8.8.8", "::ffff:8.8.8.8", "2606:4700::1111", "2001:4860:4860::8888", "2606:4700::5eff:a00:1", "2606:4700::300:5efe:a00:1",
		"2606:4700:0:0:5efe::1", "172.15.255.255", "172.32.0.0", "100.63.255.255", "100.128.0.0", "168.63.129.15", "168.63.129.17"} {
		require.NoError(t, policy.Address(netip.MustParseAddr(public)), public)
	}
}
