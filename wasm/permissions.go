//go:build js && wasm

package main

import (
	"context"
	"sync"

	"github.com/hack-pad/safejs"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
)

// permissions are the questions to the user that are open, by number. The loader is told of a question and of its end, and answers by
// its number; what comes for a number that is not open any more has no effect. Without a listener every answer is no.
type permissions struct {
	mu       sync.Mutex
	listener safejs.Value
	last     int
	open     map[int]chan grant.Answer
}

func newPermissions() *permissions {
	return &permissions{listener: safejs.Undefined(), open: map[int]chan grant.Answer{}}
}

// questionView is a question as the loader is told it.
type questionView struct {
	Question int           `json:"question"`
	Request  grant.Request `json:"request"`
}

type questionEnd struct {
	Question int `json:"question"`
}

// Decide implements grant.Decider.
func (p *permissions) Decide(ctx context.Context, r grant.Request) (grant.Answer, error) {
	p.mu.Lock()
	listener := p.listener
	p.last++
	number, answered := p.last, make(chan grant.Answer, 1)
	p.open[number] = answered
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, number)
	}()
	if listener.Type() != safejs.TypeFunction {
		warn("a tool asks for a permission, and the page has given no onPermission: the answer is no")
		return grant.Deny, nil
	}
	tell := request{listener: listener}
	tell.tell("question", questionView{number, r})
	select {
	case answer := <-answered:
		return answer, nil
	case <-ctx.Done():
		tell.tell("withdrawn", questionEnd{number})
		return grant.Deny, ctx.Err()
	}
}

// listenPermissions makes the caller's listener the one that is told of questions.
func listenPermissions(_ context.Context, r request) (string, error) {
	if r.listener.Type() != safejs.TypeFunction {
		return "", fault.New(fault.InvalidRequest, "permissions: want a listener")
	}
	r.api.permissions.mu.Lock()
	defer r.api.permissions.mu.Unlock()
	r.api.permissions.listener = r.listener
	return "null", nil
}

func answerPermission(_ context.Context, r request) (string, error) {
	in, err := decode[struct {
		Question int          `json:"question"`
		Answer   grant.Answer `json:"answer"`
	}](r.text)
	if err != nil {
		return "", err
	}
	r.api.permissions.mu.Lock()
	defer r.api.permissions.mu.Unlock()
	select {
	case r.api.permissions.open[in.Question] <- in.Answer:
	default: // is not open, or was answered before
	}
	return "null", nil
}

// warn tells whoever writes the page.
func warn(text string) {
	if console, err := safejs.Global().Get("console"); err == nil {
		_, _ = console.Call("warn", "taskyon: "+text)
	}
}
