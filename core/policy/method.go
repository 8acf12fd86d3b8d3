package policy

import (
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/guard"
)

// Class says what a request does to its server by the meaning of its method; the headers and the kind of its body do not matter.
type Class string

const (
	Read  Class = "read"
	Write Class = "write"
)

const (
	longestMethod = 32
	tokenLetters  = "!#$%&'*+-.^_`|~" // RFC 9110, beside letters and digits
)

// class is the step method. Six methods are written in any case, as in browsers; any other token is sent as it is written, and is a write.
func class(written string) (method string, c Class, d *Denial) {
	if written == "" {
		written = "GET"
	}
	if len(written) > longestMethod || !isToken(written) {
		return "", "", deny(Method, "method %.40q is no method; write GET, HEAD, OPTIONS, POST, PUT, PATCH or DELETE", written)
	}
	method = written
	upper := strings.ToUpper(written)
	switch {
	case slices.Contains([]string{"CONNECT", "TRACE", "TRACK"}, upper):
		return "", "", deny(Method, "method %s is for proxies and tests of networks; tools may not use it", upper)
	case slices.Contains([]string{"DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"}, upper):
		method = upper
	}
	if method == "GET" || method == "HEAD" || method == "OPTIONS" || !guard.Fixed && !guard.On("policy-class") {
		return method, Read, nil
	}
	return method, Write, nil
}

// goodBody is the step body: a request that reads sends nothing but its address and headers.
func (p *Policy) goodBody(method string, c Class, r Request) *Denial {
	if !guard.Fixed && !guard.On("policy-body") {
		return nil
	}
	switch {
	case c == Read && (r.HasBody || r.BodyBytes != 0):
		return deny(Body, "%s has a body; leave it out, or use POST", method)
	case r.BodyBytes < 0 || r.BodyBytes > p.limits.FetchSentBytes:
		return deny(Body, "the body has %d bytes, at most %d; send it in parts", r.BodyBytes, p.limits.FetchSentBytes)
	}
	return nil
}

func isToken(text string) bool {
	for _, c := range []byte(text) {
		letter := 'a' <= c|0x20 && c|0x20 <= 'z'
		if !letter && !('0' <= c && c <= '9') && strings.IndexByte(tokenLetters, c) < 0 {
			return false
		}
	}
	return text != ""
}
