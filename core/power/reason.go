package power

import (
	"errors"
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/policy"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/secret"
)

// Why a request that was allowed failed, or was not made. With policy.Reasons these are all that a tool sees of fetch.
const (
	TooMany         = "too_many"         // requests of one call
	RedirectBlocked = "redirect_blocked" // the answer leads elsewhere
	Network         = "network"          // there was no answer, or it broke off
	TimedOut        = "timeout"          // not whole within the time of one request
	TooLarge        = "too_large"        // more than one response may hold
	Aborted         = "aborted"          // the call has ended, or gave the request up
	Invalid         = "invalid_request"  // the ask has no form
)

// failure is an error with its reason.
type failure struct{ reason, message string }

func (f *failure) Error() string { return f.message }

// Fail makes the error of a sender: its reason, and a sentence in which nothing of an answer stands.
func Fail(reason, message string) error { return &failure{reason, message} }

// refuse tells an error to the tool and to the record. What policy said no to was denied, all else has failed.
func refuse(ask sandbox.Ask, err error) sandbox.Answer {
	reason, denied := reasonOf(err)
	ask.Note(func(r *sandbox.AskRecord) {
		r.Reason, r.Decision = reason, sandbox.AskFailed
		if denied {
			r.Decision = sandbox.AskDenied
		}
	})
	return sandbox.Answer{Answer: protocol.Answer{Error: &protocol.Fault{Code: reason, Message: err.Error()}}}
}

// denials are the reasons for which the user's will is a no.
var denials = []grant.Reason{grant.Undeclared, grant.NotGranted, grant.TooManyPrompts}

func reasonOf(err error) (reason string, denied bool) {
	var denial *policy.Denial
	if errors.As(err, &denial) {
		return string(denial.Reason), true
	}
	var failed *failure
	if errors.As(err, &failed) {
		return failed.reason, slices.Contains(denials, grant.Reason(failed.reason))
	}
	var refusal *secret.Refusal
	if errors.As(err, &refusal) {
		return string(refusal.Reason), refusal.Reason != secret.Missing
	}
	code := fault.CodeOf(err)
	return string(code), code == fault.Denied
}
