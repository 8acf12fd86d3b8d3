package policy

import (
	"fmt"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// Reason says which step said no. The set is closed, see Reasons.
type Reason string

// The reasons, in the order of the steps.
const (
	NoRevision  Reason = "revision"
	RawForm     Reason = "raw_form"
	Parse       Reason = "parse"
	Scheme      Reason = "scheme"
	Credentials Reason = "credentials"
	Port        Reason = "port"
	HostName    Reason = "host_name"
	HostForm    Reason = "host_form"
	BadAddress  Reason = "address"
	Self        Reason = "self"
	Method      Reason = "method"
	Body        Reason = "body"
	NoNeed      Reason = "need"
	NoGrant     Reason = "grant"
	BadHeader   Reason = "header"
)

// Reasons returns all of them, in the order of the steps.
func Reasons() []Reason {
	return []Reason{NoRevision, RawForm, Parse, Scheme, Credentials, Port, HostName, HostForm, BadAddress, Self, Method, Body, NoNeed,
		NoGrant, BadHeader}
}

// Denial is a no. Message is for the tool's author and the user: lower case, subject first, ending in what to do. Its fault code is denied.
type Denial struct {
	Reason  Reason
	Message string
}

func (d *Denial) Error() string { return d.Message }

// Unwrap gives the fault, so that fault.CodeOf tells denied.
func (d *Denial) Unwrap() error { return fault.New(fault.Denied, "%s", d.Message) }

// deny makes a Denial. Text of a tool goes through %q and is cut by its caller's format.
func deny(reason Reason, format string, args ...any) *Denial {
	return &Denial{Reason: reason, Message: "fetch: " + fmt.Sprintf(format, args...)}
}
