package power

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// Sender sends what a permit allows: with no credentials of the user, no referrer, nothing from a cache, and following no redirect.
// Errors are made by Fail, with Network, RedirectBlocked or TimedOut. The context ends the request and its body.
type Sender interface {
	Send(ctx context.Context, r Request) (*Response, error)
}

// Request is one request as it is sent.
type Request struct {
	policy.Permit
	Body []byte // nil: none
}

// Response is what came, before anything is hidden from the tool.
type Response struct {
	Status     int
	StatusText string
	Headers    []policy.Header // in order
	Body       sandbox.Body    // decoded; nil: none
}
