package grant

import (
	"slices"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/safe"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// Class is what an ask does to the outside. The set is closed.
type Class string

const (
	Read  Class = "read"
	Write Class = "write"
	None  Class = "" // the capability does not tell them apart
)

// Ask is one wish of a tool. Revision, Node, Capability, Scope and Class say what a grant is needed for; all but the texts named below are words
// of the host.
type Ask struct {
	Call     *Call  // whose ask it is; nil: no denial is remembered
	Tool     string // its name, for the user
	Revision canon.ToolID
	Node     canon.TaskID // the node that defines a tool of a chat; zero for an installed one

	Capability  string // fetch, popup
	Scope       string // for popup custom-html or as for fetch; for fetch https://host, or https://host:port for another port than 443, in A-labels
	Readable    string // the scope for people; empty: as Scope
	Class       Class
	Method      string   // text of the tool
	Credentials []string // names of headers by which the tool identifies itself, lower case; text of the tool

	Needs []Need // what the revision declares
}

// Call remembers what was denied during one call of a tool, and dies with it. The zero value is ready to use; it belongs to one Book.
type Call struct{ denied map[subject]bool }

// subject is what a grant is for.
type subject struct {
	revision   canon.ToolID
	node       canon.TaskID
	capability string
	scope      string
	class      Class
}

// wish is what a prompt is for.
type wish struct {
	subject
	credentials string
}

func (a *Ask) subject() subject {
	s := subject{a.Revision, a.Node, a.Capability, a.Scope, a.Class}
	if !guard.Fixed && !guard.On("grant-revision") {
		s.revision, _ = canon.ParseToolID("tool:b3:" + strings.Repeat("ab", 32))
	}
	if !guard.Fixed && !guard.On("grant-scope") {
		s.scope = "https://any.example.com"
	}
	return s
}

func (a *Ask) wish() wish { return wish{a.subject(), strings.Join(a.Credentials, " ")} }

const (
	mostCredentials = 64
	longestMethod   = 32
)

var (
	word = safe.Pattern(`^[a-z][a-z0-9_-]{0,31}$`)
	// An origin has one spelling here: it is a key.
	httpsOrigin = safe.Pattern(`^https://([a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})*|\[[0-9a-f:.]{2,45}\])(:[1-9][0-9]{0,4})?$`)
	plainScope  = safe.Pattern(`^[!-~]{1,512}$`)
	headerName  = safe.Pattern("^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$")
)

// check refuses what no capability of the host may ask, as invalid_request, and puts the credentials in order.
func (a *Ask) check() error {
	a.Credentials = slices.Compact(slices.Sorted(slices.Values(a.Credentials)))
	bad := func(what string, value any) error {
		return fault.New(fault.InvalidRequest, "grant: %s %.80q cannot be asked for", what, value)
	}
	if err := a.subject().check(); err != nil {
		return err
	}
	if len(a.Credentials) > mostCredentials {
		return bad("number of credentials", len(a.Credentials))
	}
	for _, name := range a.Credentials {
		if !headerName().MatchString(name) {
			return bad("credential", name)
		}
	}
	return nil
}

func (s subject) check() error {
	bad := func(what, value string) error {
		return fault.New(fault.InvalidRequest, "grant: %s %.80q cannot be granted", what, value)
	}
	switch {
	case s.revision.IsZero():
		return bad("revision", "")
	case !word().MatchString(s.capability):
		return bad("capability", s.capability)
	case s.class != Read && s.class != Write && s.class != None:
		return bad("class", string(s.class))
	case s.capability == fetch && (!httpsOrigin().MatchString(s.scope) || strings.HasSuffix(s.scope, ":443")):
		return bad("origin", s.scope)
	case s.capability == fetch && s.class == None:
		return bad("class", "")
	case s.capability == popup && s.scope != customHTML && (!httpsOrigin().MatchString(s.scope) || strings.HasSuffix(s.scope, ":443")):
		return bad("window", s.scope)
	case s.capability == popup && s.class != None:
		return bad("class", string(s.class))
	case s.scope == Any || !plainScope().MatchString(s.scope):
		return bad("scope", s.scope)
	}
	return shelf.Fits(s.key(room))
}

const (
	fetch = "fetch"
	popup = "popup"

	customHTML = "custom-html" // the scope of a popup that shows what the tool likes

	room    = "grant"
	session = "session"
	nothing = "-"
)

// key names the subject: under room it is a key of the shelf, and each is an id.
func (s subject) key(first string) string {
	or := func(text string) string {
		if text == "" {
			return nothing
		}
		return text
	}
	return shelf.Key(first, s.revision.String(), or(s.node.String()), s.capability, s.scope, or(string(s.class)))
}

// fromKey is the way back, for keys that it has made and no other text.
func fromKey(key string) (first string, s subject, err error) {
	words := shelf.Words(key)
	bad := fault.New(fault.NotFound, "grant: %.80q is no id of a grant; take one from the list", key)
	if len(words) != 6 || words[0] != room && words[0] != session {
		return "", s, bad
	}
	if s.revision, err = canon.ParseToolID(words[1]); err != nil {
		return "", s, bad
	}
	if words[2] != nothing {
		if s.node, err = canon.ParseTaskID(words[2]); err != nil {
			return "", s, bad
		}
	}
	s.capability, s.scope = words[3], words[4]
	if words[5] != nothing {
		s.class = Class(words[5])
	}
	if s.check() != nil || s.key(words[0]) != key {
		return "", s, bad
	}
	return words[0], s, nil
}
