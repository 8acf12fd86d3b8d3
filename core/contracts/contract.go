package contracts

import (
	"encoding/json"
	"slices"
)

// Group and Version name the suite: a result says which list of promises it speaks of.
const (
	Group   = "tool_security_contracts"
	Version = 3
)

// Host is where contracts run.
type Host string

// The browsers. Command line hosts follow when there are any.
const (
	Chromium Host = "chromium"
	Firefox  Host = "firefox"
	WebKit   Host = "webkit"
)

// Hosts are all of them.
func Hosts() []Host { return []Host{Chromium, Firefox, WebKit} }

// Result is what became of a contract on a host.
type Result string

// Only Pass counts as passed.
const (
	Pass          Result = "pass"
	Fail          Result = "fail"
	NotApplicable Result = "not applicable" // the promise is not made on this host or in this kind, or is about nothing that it has
	NotObservable Result = "not observable" // the host does not let us see whether the promise is kept
)

// Contract is one promise about what tool code can do.
type Contract struct {
	ID    string `json:"id"`
	Title string `json:"title"` // the promise, to a user
	Guard string `json:"guard"` // a name in Guards; empty only where Unguarded says why
	// GuardOn names another guard for hosts where that one keeps the promise.
	GuardOn map[Host]string `json:"guardOn,omitempty"`
	// Unguarded is the reason why no single guard can be turned off to break the promise.
	Unguarded string `json:"unguarded,omitempty"`
	Tools     []Tool `json:"tools,omitempty"`
	Steps     []Step `json:"steps"`

	Limits map[string]int `json:"limits,omitempty"` // of the engine, by the names of limits.With
	// Drill is code for the frame's own window, where no tool ever runs: the body of an async function of `to`. It plays the
	// frame that an attacker has taken, which only a test build can show, and gives what the step with Drill compares.
	Drill  string `json:"drill,omitempty"`
	CalmMs int    `json:"calmMs,omitempty"` // the page never stands still longer

	// Hears are the lines (patterns) that the canary is to hear, each at least once; without them it hears nothing.
	Hears []string `json:"hears,omitempty"`

	Served *Served `json:"served,omitempty"`
	// Framed is set by All: hosts where time is short judge these alone in further kinds.
	Framed bool `json:"framed"`

	Except map[Place]Exception `json:"except,omitempty"`
	// Bare are places where the engine opens a connection ahead of the policy's verdict, and sends nothing on it: that alone does not
	// break the promise there. The reason says how it comes about.
	Bare map[Place]string `json:"bare,omitempty"`
}

// Exception says why a contract is not judged in a place.
type Exception struct {
	Result Result `json:"result"` // NotApplicable or NotObservable
	Reason string `json:"reason"`
}

// Tool is a tool as an author gives it.
type Tool struct {
	Code string          `json:"code"`
	More json.RawMessage `json:"more,omitempty"` // further fields of the definition
	// Refused is a pattern that the error of its installation must match; without it the installation succeeds.
	Refused json.RawMessage `json:"refused,omitempty"`
	PadKiB  int             `json:"padKiB,omitempty"` // of comment behind the code
}

// Step is one thing that is done, after those before it. Every step gives a value which Expect describes:
// a call its record, a drill what it returned, a probe what the page saw.
type Step struct {
	Tool       int             `json:"tool"`
	Args       json.RawMessage `json:"args,omitempty"` // the addresses of the canary are added: url, udp, port, name
	Partition  string          `json:"partition,omitempty"`
	Disposable bool            `json:"disposable,omitempty"`
	AbortMs    int             `json:"abortMs,omitempty"`    // the caller gives up after
	Permission string          `json:"permission,omitempty"` // what the user says; `session` unless given, `late`: a yes when the call has ended
	Beside     bool            `json:"beside,omitempty"`     // runs beside the next step, not before it
	WithinMs   int             `json:"withinMs,omitempty"`

	Drill bool   `json:"drill,omitempty"`
	Probe string `json:"probe,omitempty"` // a name that the page knows; with Drill it says in which window the drill is done

	// Expect is a pattern: objects match in the fields they name, `$` fields are operators (e2e/contracts/page/match.ts).
	Expect json.RawMessage `json:"expect"`
}

// Absent is a row of the threat catalogue that is not checked here, with its reason.
type Absent struct {
	ID     string `json:"id"`
	Reason string `json:"reason"` // always a matter of not being applicable in a browser today
}

// Suite is everything that a host needs.
type Suite struct {
	Group     string     `json:"group"`
	Version   int        `json:"version"`
	Guards    []Guard    `json:"guards"`
	Contracts []Contract `json:"contracts"`
	Absent    []Absent   `json:"absent"`
}

// All returns the whole suite in the order of ids.
func All() Suite {
	s := Suite{Group: Group, Version: Version, Guards: Guards(), Absent: absent()}
	for _, group := range groups() {
		s.Contracts = append(s.Contracts, group...)
	}
	slices.SortStableFunc(s.Contracts, func(a, b Contract) int { return order(a.ID) - order(b.ID) })
	named := map[string]Guard{}
	for _, g := range s.Guards {
		named[g.Name] = g
	}
	for i, c := range s.Contracts {
		if c.Steps == nil {
			s.Contracts[i].Steps = []Step{}
		}
		s.Contracts[i].Framed = framed(c, named)
	}
	return s
}
