package policy

import (
	"context"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// Host is what one host knows about itself.
type Host struct {
	Self     []string // origins of the application: its page, its proxy, its services, of any scheme; no tool may reach their hosts
	Resolves bool     // the sender judges each address that it dials by Address
}

// Policy judges requests on one host. It holds no state; goroutines may share it.
type Policy struct {
	parser Parser
	host   Host
	self   []string // hosts
	limits limits.Limits
}

// New makes the policy of a host. A Self that is no origin is invalid_request: nothing is open that was meant to be closed.
func New(parser Parser, host Host, l limits.Limits) (*Policy, error) {
	p := &Policy{parser: parser, host: host, limits: l}
	for _, origin := range host.Self {
		u, err := parser.Parse(origin)
		if err != nil || u.Host == "" {
			return nil, fault.New(fault.InvalidRequest, "policy: %.100q is not an origin of this application; write scheme://host", origin)
		}
		p.self = append(p.self, u.Host)
	}
	return p, nil
}

// Named is the origin that a text would go to as a URL, to be written down; empty where it is none. It says nothing of whether it may.
func (p *Policy) Named(raw string) string {
	if len(raw) > p.limits.FetchURLBytes {
		return ""
	}
	if u, err := p.parser.Parse(raw); err == nil && u.Origin != "null" {
		return u.Origin
	}
	return ""
}

// Request is what a tool asked for, in its own words.
type Request struct {
	Method    string // empty: GET
	URL       string
	Headers   []Header
	HasBody   bool
	BodyBytes int
}

// Asker is the tool that asks: an exact revision, and what it declares.
type Asker struct {
	Revision canon.ToolID
	Needs    Needs
}

// Want is what a grant is needed for.
type Want struct {
	Revision    canon.ToolID
	Origin      Origin
	Class       Class
	Declared    bool     // the revision names this origin; if not, it may ask for any
	Credentials []string // headers by which the tool identifies itself, by lower-case name; a grant that did not name them does not cover them
	Method      string   // for the user to read; with URL, text of a tool
	URL         string
}

// Grants is the user's will. Granted says yes or no for exactly this want; it may ask the user, and returns with ctx. What it returns as an error
// is returned by Decide as it is.
type Grants interface {
	Granted(ctx context.Context, want Want) (bool, error)
}

// Permit is the proof that the policy allowed one request. Only Decide makes one that holds anything.
type Permit struct {
	policy  *Policy
	method  string
	url     string
	host    string
	origin  Origin
	class   Class
	headers []Header
}

// Method is what is sent: upper case but for tokens of the tool's own.
func (p Permit) Method() string { return p.method }

// URL is what is sent: serialised, without fragment.
func (p Permit) URL() string { return p.url }

// Host is the URL's host as it is dialled: a name in A-labels or an address, an IPv6 one in brackets.
func (p Permit) Host() string { return p.host }

// Origin is what the grant is for.
func (p Permit) Origin() Origin { return p.origin }

// Class is what the grant is for.
func (p Permit) Class() Class { return p.class }

// Headers are what is sent beside what the sender adds, by lower-case name, in order, each once.
func (p Permit) Headers() []Header { return slices.Clone(p.headers) }

// Fill returns the permit with other header values, for secrets in place of their placeholders. A new value has to be printable ASCII on one line; names
// stay. How long it is, is whoever fills it in to bound: to refuse it here would tell the tool its length.
func (p Permit) Fill(value func(Header) (string, error)) (Permit, error) {
	p.headers = slices.Clone(p.headers)
	for i, h := range p.headers {
		filled, err := value(h)
		if err != nil {
			return Permit{}, err
		}
		p.headers[i].Value = filled
		if !carries(filled) {
			return Permit{}, deny(BadHeader, "header %s holds what no header can carry where its value was filled in", h.Name)
		}
	}
	return p, nil
}

// Decide takes one request through all steps. It gives a Permit, or an error: a *Denial, or what Grants gave.
//
// The grant is a port and not a gap between two calls, so that no caller can forget it, ask it about something else, or come by a Permit without it.
// Headers are judged behind it, since a secret may go into one only when there is a grant; but who asks the user is told which credentials come along.
func (p *Policy) Decide(ctx context.Context, asker Asker, r Request, grants Grants) (Permit, error) {
	permit, d := p.judge(asker, r)
	if d != nil {
		return Permit{}, d
	}
	named, d := declared(asker.Needs, permit.origin, permit.class)
	if d != nil {
		return Permit{}, d
	}
	want := Want{Revision: asker.Revision, Origin: permit.origin, Class: permit.class, Declared: named, Credentials: credentialsIn(r.Headers),
		Method: permit.method, URL: permit.url}
	granted, err := grants.Granted(ctx, want)
	if err != nil {
		return Permit{}, err
	}
	if !granted {
		return Permit{}, deny(NoGrant, "the user has not allowed this tool to %s %s; allow it when asked, or in the list of grants", want.Class, want.Origin.Text)
	}
	if permit.headers, d = p.cleanHeaders(r.Headers); d != nil {
		return Permit{}, d
	}
	return permit, nil
}

// judge is the steps that neither the tool's needs nor the user can change.
func (p *Policy) judge(asker Asker, r Request) (Permit, *Denial) {
	if asker.Revision.IsZero() {
		return Permit{}, deny(NoRevision, "the ask names no revision; only an installed or defined tool may ask")
	}
	u, d := p.judgeURL(r.URL)
	if d != nil {
		return Permit{}, d
	}
	method, c, d := class(r.Method)
	if d != nil {
		return Permit{}, d
	}
	if d := p.goodBody(method, c, r); d != nil {
		return Permit{}, d
	}
	return Permit{policy: p, method: method, url: u.withoutFragment(), host: u.Host, origin: originOf(u), class: c}, nil
}
