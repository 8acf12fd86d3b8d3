package secret

import (
	"fmt"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Reason says why a request with a placeholder may not be sent. The set is closed, see Reasons.
type Reason string

const (
	Misplaced  Reason = "secret_misplaced"  // a placeholder stands where its secret may not go
	Missing    Reason = "secret_missing"    // no value has been set
	Unsendable Reason = "secret_unsendable" // a header cannot carry the value as it is
)

// Reasons returns all of them.
func Reasons() []Reason { return []Reason{Misplaced, Missing, Unsendable} }

// Refusal is a no: the request is not sent. Message is for the tool's author and the user. Its fault code is denied.
type Refusal struct {
	Reason  Reason
	Message string
}

func (r *Refusal) Error() string { return r.Message }

// Unwrap gives the fault, so that fault.CodeOf tells denied.
func (r *Refusal) Unwrap() error { return fault.New(fault.Denied, "%s", r.Message) }

func refuse(reason Reason, format string, args ...any) *Refusal {
	return &Refusal{reason, fmt.Sprintf(format, args...)}
}
