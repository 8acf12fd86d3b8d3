package power

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Carrier is the bare way to the network. It adds nothing to a request that a user could be known by, follows no redirect (status 0 or
// RedirectBlocked), takes nothing from a cache, and ends a request and its body with the context. Errors are made by Fail.
type Carrier interface {
	Carry(ctx context.Context, r Carried) (*Response, error)
}

// Carried is one request as it goes to the network.
type Carried struct {
	Method, URL string
	Headers     []policy.Header
	Body        []byte // nil: none
}

// Direct sends each request to where it is for.
type Direct struct{ Carrier Carrier }

// Send implements Sender.
func (d Direct) Send(ctx context.Context, r Request) (*Response, error) {
	return d.Carrier.Carry(ctx, Carried{r.Method(), r.URL(), r.Headers(), r.Body})
}

// Proxied sends each request through a fetch proxy, which judges it by the same policy, and by the addresses that it dials.
//
// It is a POST of one line of JSON, {method, url, headers: [[name, value] …]}, and behind its line feed the bytes of the body. The answer is
// one line too, {status, statusText, headers} or {error: {code, message}}, and behind it the decoded bytes. Its own status is 200, whatever the
// other server said.
type Proxied struct {
	Carrier Carrier
	URL     string
	Token   string // sent as a bearer token; empty: none
}

// headBytes bounds the line of an answer.
const headBytes = 1 << 20

// proxyRequest is the line of a request.
type proxyRequest struct {
	Method  string     `json:"method"`
	URL     string     `json:"url"`
	Headers [][]string `json:"headers"`
}

// proxyAnswer is the line of an answer.
type proxyAnswer struct {
	Status     int         `json:"status,omitempty"`
	StatusText string      `json:"statusText,omitempty"`
	Headers    [][]string  `json:"headers,omitempty"`
	Error      *proxyError `json:"error,omitempty"`
}

type proxyError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Send implements Sender.
func (p Proxied) Send(ctx context.Context, r Request) (*Response, error) {
	line := proxyRequest{Method: r.Method(), URL: r.URL(), Headers: [][]string{}}
	for _, h := range r.Headers() {
		line.Headers = append(line.Headers, []string{h.Name, h.Value})
	}
	head, err := canon.Marshal(line)
	if err != nil {
		return nil, err
	}
	carried := Carried{Method: "POST", URL: p.URL, Body: append(append(head, '\n'), r.Body...),
		Headers: []policy.Header{{Name: "content-type", Value: "application/octet-stream"}}}
	if p.Token != "" {
		carried.Headers = append(carried.Headers, policy.Header{Name: "authorization", Value: "Bearer " + p.Token})
	}
	response, err := p.Carrier.Carry(ctx, carried)
	if err != nil {
		var failed *failure
		if errors.As(err, &failed) && failed.reason == Network {
			return nil, Fail(Network, "fetch: the proxy of this application did not answer")
		}
		return nil, err
	}
	return p.unpack(ctx, response)
}

func (p Proxied) unpack(ctx context.Context, response *Response) (*Response, error) {
	refused := Fail(Network, "fetch: the proxy of this application gave no answer of its kind; tell who runs it")
	if response.Status != 200 || response.Body == nil {
		return response, refused
	}
	line, rest, err := cutLine(ctx, response.Body)
	if err != nil {
		return response, err
	}
	var answer proxyAnswer
	if canon.Unmarshal(line, &answer, 8, fault.InvalidMessage) != nil {
		return response, refused
	}
	if e := answer.Error; e != nil {
		if !fromProxy(e.Code) || e.Message == "" {
			return response, refused
		}
		return response, Fail(e.Code, e.Message)
	}
	if answer.Status < 200 || answer.Status > 999 || strings.ContainsFunc(answer.StatusText, unicode.IsControl) {
		return response, refused
	}
	out := &Response{Status: answer.Status, StatusText: answer.StatusText, Body: &rejoined{response.Body, rest}}
	for _, pair := range answer.Headers {
		if len(pair) != 2 {
			return response, refused
		}
		out.Headers = append(out.Headers, policy.Header{Name: pair[0], Value: pair[1]})
	}
	return out, nil
}

// fromProxy tells whether a proxy may give a reason: those of policy, which it judges by, and of the network.
func fromProxy(reason string) bool {
	return slices.Contains(policy.Reasons(), policy.Reason(reason)) || slices.Contains([]string{RedirectBlocked, Network, TimedOut, TooLarge, TooMany, Invalid}, reason)
}

// cutLine reads up to the first line feed and gives what came behind it.
func cutLine(ctx context.Context, body sandbox.Body) (line, rest []byte, err error) {
	for {
		piece, err := body.Read(ctx)
		line = append(line, piece...)
		if at := bytes.IndexByte(line, '\n'); at >= 0 && at <= headBytes {
			return line[:at], line[at+1:], nil
		}
		if errors.Is(err, io.EOF) || len(line) > headBytes {
			return nil, nil, Fail(Network, "fetch: the answer of this application's proxy broke off")
		}
		if err != nil {
			return nil, nil, err
		}
	}
}

// rejoined is a body of which the first piece was read already.
type rejoined struct {
	sandbox.Body
	first []byte
}

func (r *rejoined) Read(ctx context.Context) ([]byte, error) {
	if first := r.first; len(first) > 0 {
		r.first = nil
		return first, nil
	}
	return r.Body.Read(ctx)
}

// Self is the origins of an application as policy.Host has them: those of the given addresses that have one.
func Self(parser policy.Parser, addresses ...string) []string {
	var origins []string
	for _, address := range addresses {
		if u, err := parser.Parse(address); err == nil && u.Host != "" && u.Origin != "null" {
			origins = append(origins, u.Origin)
		}
	}
	return origins
}
