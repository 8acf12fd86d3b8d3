package grant

import (
	"cmp"
	"slices"
	"sort"

	"github.com/xyntopia/taskyon-sandbox/core/safe"
)

// Any as the scope of a need lets the user be asked about scopes that the tool does not name.
const Any = "*"

const longestReason = 400

// Need is one thing that a revision declares, in the spelling of asks: a scope in another spelling matches nothing. A need to write
// lets the tool ask to read too; each asks the user by itself.
type Need struct {
	Capability string `json:"capability"`
	Scope      string `json:"scope"` // or Any
	Readable   string `json:"readable,omitempty"`
	Class      Class  `json:"class,omitempty"`
	Reason     string `json:"reason,omitempty"` // of the tool's author, who may say anything
}

// shown makes the need fit for the user's eyes.
func (n Need) shown() Need {
	n.Capability, n.Scope, n.Class = safe.Text(n.Capability, 32), safe.Text(n.Scope, longestScope), Class(safe.Text(string(n.Class), 8))
	n.Readable, n.Reason = readable(n.Scope, n.Readable), safe.Text(n.Reason, longestReason)
	return n
}

const longestScope = 512

// readable is the readable form of a scope, the scope itself where that is not fit to be shown.
func readable(scope, text string) string {
	if text == "" || safe.Text(text, longestScope) != text {
		return scope
	}
	return text
}

func (n Need) covers(capability string, class Class) bool {
	return n.Capability == capability && (n.Class == class || n.Class == Write && class == Read)
}

// declared finds the need behind a subject: the row that names it before Any, its own class before a wider one.
func declared(needs []Need, s subject) (need Need, named, found bool) {
	rank := 0
	for _, n := range needs {
		if !n.covers(s.capability, s.class) || n.Scope != s.scope && n.Scope != Any {
			continue
		}
		r := 1
		if n.Class == s.class {
			r++
		}
		if n.Scope == s.scope {
			r += 2
		}
		if r > rank {
			need, rank = n, r
		}
	}
	return need, rank > 2, rank > 0
}

// Forecast is one thing that a tool will ask for, or may do without asking.
type Forecast struct {
	Need
	Asks bool   `json:"asks"`           // the user decides at its first use
	Leak string `json:"leak,omitempty"` // what a yes lets out, in our words
}

// Foresee lists all that these needs lead to, once each, what asks first: for the user who is about to install a revision. Its
// texts are fit to be shown.
func Foresee(needs []Need) []Forecast {
	list := []Forecast{}
	add := func(n Need) {
		same := func(f Forecast) bool { return f.Capability == n.Capability && f.Scope == n.Scope && f.Class == n.Class }
		if at := slices.IndexFunc(list, same); at < 0 {
			f := Forecast{Need: n, Asks: asks(n.Capability)}
			if f.Asks {
				f.Leak = leak(n.Capability, n.Scope, n.Class)
			}
			list = append(list, f)
		} else if list[at].Reason == "" {
			list[at].Reason = n.Reason
		}
	}
	for _, n := range needs {
		n = n.shown()
		add(n)
		if n.Class == Write {
			n.Class = Read
			add(n)
		}
	}
	sort.Slice(list, func(i, j int) bool {
		a, b := list[i], list[j]
		if a.Asks != b.Asks {
			return a.Asks
		}
		return cmp.Or(cmp.Compare(a.Capability, b.Capability), cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Class, b.Class)) < 0
	})
	return list
}

// asks tells whether a capability asks the user at all. The others do nothing beyond this machine.
func asks(capability string) bool { return capability == fetch || capability == popup }
