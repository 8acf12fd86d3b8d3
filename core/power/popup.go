package power

import (
	"context"
	"fmt"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// Why a window that was allowed was not opened. A page says the first two.
const (
	Blocked   = "blocked"   // the browser opens no window for this page
	Dismissed = "dismissed" // the user was asked to open it, and did not
)

// popupRequest is what a function asks for: html of its own, or an address.
type popupRequest struct {
	Kind     string  `json:"kind"`
	HTML     *string `json:"html,omitempty"`
	URL      *string `json:"url,omitempty"`
	Messages bool    `json:"messages,omitempty"`
}

// wanted is a request that has been judged.
type wanted struct {
	registry.Window
	scope policy.Origin
	bytes int // of html
}

// Popup takes one window through policy, grants and limits, and has it opened. Only a function of the host may ask for one. Nothing is to be shown in it
// before the answer is there, which tells what: {url} for an address.
func (s *Session) Popup(ctx context.Context, ask sandbox.Ask, request any, open registry.Open) sandbox.Answer {
	want, err := s.popup(ctx, ask, request, open)
	if err != nil {
		return refuse(ask, err)
	}
	value := map[string]any{}
	if want.URL != "" {
		value["url"] = want.URL
	}
	return sandbox.Answer{Answer: protocol.Answer{Value: value}}
}

func (s *Session) popup(ctx context.Context, ask sandbox.Ask, request any, open registry.Open) (wanted, error) {
	if s.ports.Policy == nil || s.ports.Grants == nil || s.call.Revision.Definition().Implementation.Class != tool.TrustedNative {
		return wanted{}, unavailable("popup")
	}
	want, err := s.wanted(request)
	if err != nil {
		return want, err
	}
	ask.Note(func(r *sandbox.AskRecord) { r.Scope, r.BytesOut = want.scope.Text, want.bytes })
	if err := s.mayOpen(ctx, want); err != nil {
		return want, err
	}
	leave, err := s.enter()
	if err != nil {
		return want, err
	}
	closed, err := open(ctx, want.Window)
	if err == nil {
		err = ask.Send()
	}
	if err != nil {
		leave()
		if ctx.Err() != nil {
			err = popupEnded()
		}
		return want, err
	}
	// It counts until it has closed, also where that is later than its call.
	go func() {
		defer leave()
		select {
		case <-closed:
		case <-s.ports.Life.Done():
		}
	}()
	return want, nil
}

func popupEnded() error { return Fail(Aborted, "popup: its call has ended") }

// wanted reads a request, and judges its address by the policy.
func (s *Session) wanted(request any) (wanted, error) {
	var r popupRequest
	if err := canon.Bind(request, &r, fault.InvalidRequest); err != nil {
		return wanted{}, Fail(Invalid, "popup: "+err.Error())
	}
	want := wanted{Window: registry.Window{Tool: s.call.Revision.Name(), Kind: r.Kind, Messages: r.Messages}}
	switch {
	case r.Kind == policy.CustomHTML && r.HTML != nil && r.URL == nil && !r.Messages:
		if want.bytes = len(*r.HTML); want.bytes > s.ports.Limits.PopupBytes {
			return want, Fail(TooLarge, fmt.Sprintf("popup: the html has %d bytes, at most %d", want.bytes, s.ports.Limits.PopupBytes))
		}
		want.scope = policy.Origin{Text: policy.CustomHTML, Readable: policy.CustomHTML}
	case r.Kind == "origin" && r.URL != nil && r.HTML == nil:
		address, err := s.ports.Policy.Window(s.call.Revision.ID(), *r.URL)
		if err != nil {
			return want, err
		}
		want.scope, want.URL, want.Origin = address.Origin(), address.URL(), address.Origin().Text
	default:
		return want, Fail(Invalid, `popup: want { kind: "custom-html", html } or { kind: "origin", url, messages? }`)
	}
	want.Scope = want.scope.Text
	return want, nil
}

// mayOpen asks for the user's will. What the revision does not declare is not asked.
func (s *Session) mayOpen(ctx context.Context, want wanted) error {
	declared, err := s.ports.Policy.Windows(s.needs().Popup)
	if err != nil {
		return err
	}
	decision, err := s.ports.Grants.Allowed(ctx, grant.Ask{Call: &s.asked, Tool: s.call.Revision.Name(), Revision: s.call.Revision.ID(), Node: s.call.Node,
		Capability: string(protocol.CapabilityPopup), Scope: want.scope.Text, Readable: want.scope.Readable, Needs: PopupNeeds(declared)})
	switch {
	case err != nil && ctx.Err() != nil:
		return popupEnded()
	case err != nil || decision.Allowed:
		return err
	}
	return Fail(string(decision.Reason), "popup: "+decision.Reason.Message())
}

// PopupNeeds gives declared windows as grants know them.
func PopupNeeds(windows []policy.Origin) []grant.Need {
	var list []grant.Need
	for _, w := range windows {
		list = append(list, grant.Need{Capability: string(protocol.CapabilityPopup), Scope: w.Text, Readable: w.Readable})
	}
	return list
}

// enter counts a window in, from before it opens until it has closed: one of a call, and so many of the engine.
func (s *Session) enter() (leave func(), err error) {
	p := s.Powers
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case s.window:
		return nil, Fail(TooMany, "popup: this call has a window open already; close it first")
	case p.windows >= s.ports.Limits.Popups:
		return nil, Fail(TooMany, fmt.Sprintf("popup: %d windows of tools are open already; close one first", p.windows))
	}
	s.window = true
	p.windows++
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		s.window = false
		p.windows--
	}, nil
}
