package power

import (
	"context"
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
)

// inlineBytes is how large a body may be that travels with its answer.
const inlineBytes = 64 << 10

// fetchParams are those of the fetch capability. The body is the ask's only blob.
type fetchParams struct {
	Method   string     `json:"method"`
	URL      string     `json:"url"`
	Headers  [][]string `json:"headers"`
	Redirect string     `json:"redirect,omitempty"`
	Body     bool       `json:"body,omitempty"`
}

// fetch takes one request through policy and grants, sends it, and lets its body flow.
func (s *Session) fetch(ctx context.Context, ask sandbox.Ask) sandbox.Answer {
	if s.ports.Policy == nil || s.ports.Sender == nil {
		return refuse(ask, unavailable("fetch"))
	}
	if err := s.count(ctx); err != nil {
		return refuse(ask, err)
	}
	ctx, end := context.WithCancel(ctx)
	will := &granted{session: s, ask: ask, end: end, done: func() {}}
	free := sync.OnceFunc(func() {
		end()
		will.done()
		<-s.busy
	})
	answer, err := s.request(ctx, ask, will, free)
	if err != nil {
		free()
		answer = refuse(ask, err)
		answer.Error.Message = s.clean(answer.Error.Message)
	}
	return answer
}

// count admits one request more, when fewer than may be are under way.
func (s *Session) count(ctx context.Context) error {
	s.mu.Lock()
	s.requests++
	over := s.requests > s.ports.Limits.FetchRequests && (guard.Fixed || guard.On("fetch-requests"))
	s.mu.Unlock()
	if over {
		return Fail(TooMany, "fetch: this call has made "+strconv.Itoa(s.ports.Limits.FetchRequests)+" requests, it may not make more; split the work over several calls")
	}
	select {
	case s.busy <- struct{}{}:
		return nil
	case <-ctx.Done():
		return aborted()
	}
}

func aborted() error { return Fail(Aborted, "fetch: was given up") }

// request does everything up to the head of the answer. Free is called when its body has ended.
func (s *Session) request(ctx context.Context, ask sandbox.Ask, will *granted, free func()) (sandbox.Answer, error) {
	var params fetchParams
	if err := canon.Bind(ask.Params, &params, fault.InvalidRequest); err != nil {
		return sandbox.Answer{}, Fail(Invalid, "fetch: "+err.Error())
	}
	want, body, err := raw(params, ask.Blobs)
	if err != nil {
		return sandbox.Answer{}, err
	}
	// What is refused before the user is asked shows where it would have gone too.
	ask.Note(func(r *sandbox.AskRecord) { r.Scope = s.ports.Policy.Named(want.URL) })
	needs, err := s.ports.Policy.Needs(s.needs().Fetch)
	if err != nil {
		return sandbox.Answer{}, err
	}
	will.needs = needs
	asker := policy.Asker{Revision: s.call.Revision.ID(), Needs: needs}
	permit, err := s.ports.Policy.Decide(ctx, asker, want, will)
	if err != nil {
		return sandbox.Answer{}, err
	}
	if permit, err = s.fill(ctx, permit, body); err != nil {
		return sandbox.Answer{}, err
	}
	return s.send(ctx, ask, Request{permit, body}, free)
}

func raw(p fetchParams, blobs [][]byte) (policy.Request, []byte, error) {
	r := policy.Request{Method: p.Method, URL: p.URL, HasBody: p.Body}
	for _, pair := range p.Headers {
		if len(pair) != 2 {
			return r, nil, Fail(Invalid, "fetch: a header is a pair of name and value")
		}
		r.Headers = append(r.Headers, policy.Header{Name: pair[0], Value: pair[1]})
	}
	if !p.Body {
		return r, nil, nil
	}
	if len(blobs) != 1 {
		return r, nil, Fail(Invalid, "fetch: a body comes as one blob")
	}
	r.BodyBytes = len(blobs[0])
	return r, blobs[0], nil
}

// fill puts the values of secrets in the place of their placeholders. A request in which one stands elsewhere is not sent.
func (s *Session) fill(ctx context.Context, permit policy.Permit, body []byte) (policy.Permit, error) {
	if s.secrets == nil {
		return permit, nil
	}
	outgoing := secret.Outgoing{Origin: permit.Origin().Text, URL: permit.URL(), Body: body}
	for _, h := range permit.Headers() {
		outgoing.Headers = append(outgoing.Headers, [2]string{h.Name, h.Value})
	}
	filled, err := s.secrets.Fill(ctx, outgoing)
	if err != nil {
		return permit, err
	}
	at := -1
	return permit.Fill(func(policy.Header) (string, error) {
		at++
		return filled[at][1], nil
	})
}

// granted asks the user's will for one ask, and notes what it is about.
type granted struct {
	session *Session
	ask     sandbox.Ask
	needs   policy.Needs
	end     func() // ends the request
	done    func() // is called when it has ended
}

func (g *granted) Granted(ctx context.Context, want policy.Want) (bool, error) {
	g.ask.Note(func(r *sandbox.AskRecord) { r.Scope, r.Class = want.Origin.Text, string(want.Class) })
	if !guard.Fixed && !guard.On("fetch-grant") {
		return true, nil
	}
	s := g.session
	if s.ports.Grants == nil {
		return false, nil
	}
	asked := grant.Ask{Call: &s.asked, Tool: s.call.Revision.Name(), Revision: want.Revision, Node: s.call.Node,
		Capability: string(protocol.CapabilityFetch), Scope: want.Origin.Text, Readable: want.Origin.Readable, Class: grant.Class(want.Class),
		Method: want.Method, Credentials: want.Credentials, Needs: FetchNeeds(g.needs)}
	decision, err := s.ports.Grants.Allowed(ctx, asked)
	if err != nil {
		return false, err
	}
	if decision.Allowed {
		g.done = s.ports.Grants.During(asked, g.end)
		return true, nil
	}
	return false, Fail(string(decision.Reason), "fetch: "+decision.Reason.Message())
}

// FetchNeeds gives declared needs as grants know them.
func FetchNeeds(needs policy.Needs) []grant.Need {
	var list []grant.Need
	for _, row := range needs.Rows() {
		list = append(list, grant.Need{Capability: string(protocol.CapabilityFetch), Scope: row.Origin.Text, Readable: row.Origin.Readable, Class: grant.Class(row.Class)})
	}
	return list
}

// send is what happens once, after everything was decided.
func (s *Session) send(ctx context.Context, ask sandbox.Ask, r Request, free func()) (sandbox.Answer, error) {
	if ctx.Err() != nil { // revoked or given up while its secrets were opened
		return sandbox.Answer{}, aborted()
	}
	ask.Note(func(record *sandbox.AskRecord) { record.BytesOut = len(r.Body) })
	if err := ask.Send(); err != nil {
		return sandbox.Answer{}, aborted()
	}
	ctx, cancel := s.timed(ctx)
	response, err := s.ports.Sender.Send(ctx, r)
	if err == nil && redirects(response) {
		err = Fail(RedirectBlocked, "fetch: the answer is a redirect, which is not followed; ask for the address it leads to")
	}
	if err != nil {
		if response != nil && response.Body != nil {
			response.Body.Close()
		}
		defer cancel()
		return sandbox.Answer{}, s.late(ctx, err)
	}
	body := s.guard(ctx, ask, response.Body, func() { cancel(); free() })
	kind, blob, err := s.begin(ctx, r, response, body)
	if err != nil || kind != "stream" {
		body.Close()
	}
	if err != nil {
		return sandbox.Answer{}, err
	}
	answer := sandbox.Answer{Answer: protocol.Answer{Value: s.head(r, response, kind)}}
	switch kind {
	case "inline":
		answer.Blobs = [][]byte{blob}
	case "stream":
		answer.Body = body
	}
	return answer, nil
}

// timed is the time of one request, from here to its last byte.
func (s *Session) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	if !guard.Fixed && !guard.On("fetch-time") {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, s.ports.Limits.Fetch)
}

func redirects(r *Response) bool {
	if !guard.Fixed && !guard.On("fetch-redirect") {
		return false
	}
	return r.Status >= 300 && r.Status < 400 && r.Status != 304 || r.Status == 0
}

// late tells a request that was not answered in time from one that failed.
func (s *Session) late(ctx context.Context, err error) error {
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return Fail(TimedOut, "fetch: not whole within "+s.ports.Limits.Fetch.String())
	case ctx.Err() != nil:
		return aborted()
	}
	var failed *failure
	if errors.As(err, &failed) {
		return failed
	}
	return Fail(Network, "fetch: the request failed")
}

// head is the value of the answer.
func (s *Session) head(r Request, response *Response, body string) protocol.Value {
	var seen [][2]string
	for _, h := range response.Headers {
		if !policy.Hidden(h.Name) {
			seen = append(seen, [2]string{strings.ToLower(h.Name), strings.ToValidUTF8(h.Value, "\ufffd")})
		}
	}
	if s.secrets != nil {
		seen = s.secrets.Headers(seen)
	}
	headers := make([]any, len(seen))
	for i, h := range seen {
		headers[i] = []any{h[0], h[1]}
	}
	return map[string]any{"status": float64(response.Status), "statusText": s.clean(response.StatusText), "url": s.clean(r.URL()), "headers": headers, "body": body}
}

func (s *Session) clean(text string) string {
	text = strings.ToValidUTF8(text, "\ufffd")
	if s.secrets != nil {
		text = s.secrets.Text(text)
	}
	return text
}

// begin reads a body that is short to its end; of a longer one it gives back what it has read.
func (s *Session) begin(ctx context.Context, r Request, response *Response, body *guarded) (kind string, blob []byte, err error) {
	if response.Body == nil || bodiless(r.Method(), response.Status) {
		return "none", nil, nil
	}
	short := announced(response.Headers)
	for {
		piece, err := body.Read(ctx)
		blob = append(blob, piece...)
		switch {
		case errors.Is(err, io.EOF):
			return "inline", blob, nil
		case err != nil:
			return "", nil, err
		case len(blob) > inlineBytes || !short:
			body.unread(blob)
			return "stream", nil, nil
		}
	}
}

func bodiless(method string, status int) bool {
	return method == "HEAD" || status == 204 || status == 205 || status == 304
}

// announced tells whether a body says of itself that it is short. One that does not may be a stream whose first words are waited for.
func announced(headers []policy.Header) bool {
	for _, h := range headers {
		if strings.EqualFold(h.Name, "content-length") {
			n, err := strconv.Atoi(strings.TrimSpace(h.Value))
			return err == nil && n <= inlineBytes
		}
	}
	return false
}
