package secret

import (
	"slices"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// maxOrigins bounds the origins of one secret.
const maxOrigins = 64

// exact gives the origins in order and each once; invalid_request names the first one that is not in its one spelling.
func exact(origins []string) ([]string, error) {
	if len(origins) == 0 || len(origins) > maxOrigins {
		return nil, fault.At(fault.InvalidRequest, "$.origins", "secret: $.origins: %d origins, want 1 to %d such as https://api.example.com",
			len(origins), maxOrigins)
	}
	for i, origin := range origins {
		if why := notExact(origin); why != "" {
			path := canon.Index("$.origins", i)
			return nil, fault.At(fault.InvalidRequest, path, "secret: %s: %.200q %s, want an origin such as https://api.example.com", path, origin, why)
		}
	}
	sorted := slices.Sorted(slices.Values(origins))
	return slices.Compact(sorted), nil
}

// notExact says what keeps a text from being an https origin as a browser writes it. Addresses in place of names are none here: what
// they belong to changes.
func notExact(origin string) string {
	rest, https := strings.CutPrefix(origin, "https://")
	if !https {
		return "does not begin with https://"
	}
	host, port, hasPort := strings.Cut(rest, ":")
	if hasPort {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 || n == 443 || strconv.Itoa(n) != port {
			return "has a port that a browser would not write"
		}
	}
	if len(host) > 253 {
		return "has too long a host"
	}
	labels := strings.Split(host, ".")
	for _, label := range labels {
		if !isLabel(label) {
			return "has a host that is not written in lower case letters, digits and hyphens (other letters as xn--…), or more than an origin"
		}
	}
	if last := labels[len(labels)-1]; strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x") {
		return "is an address and not a name"
	}
	return ""
}

func isLabel(label string) bool {
	return label != "" && len(label) <= 63 && label[0] != '-' && label[len(label)-1] != '-' &&
		strings.Trim(label, "abcdefghijklmnopqrstuvwxyz0123456789-") == ""
}
