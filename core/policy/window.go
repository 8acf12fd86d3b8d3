package policy

import (
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
)

// CustomHTML in a need lets a tool show a page of its own.
const CustomHTML = "custom-html"

// Destination is where a window may be led to: what Window has judged. Only Window makes one that holds anything.
type Destination struct {
	url    string
	origin Origin
}

// URL is the address, serialised, without fragment.
func (a Destination) URL() string { return a.url }

// Origin is what the grant is for.
func (a Destination) Origin() Origin { return a.origin }

// Window judges the address of a window for an exact revision, by all steps that a GET of it would take up to need. An error is a *Denial.
func (p *Policy) Window(revision canon.ToolID, url string) (Destination, error) {
	permit, d := p.judge(Asker{Revision: revision}, Request{URL: url})
	if d != nil {
		return Destination{}, &Denial{d.Reason, "popup: " + strings.TrimPrefix(d.Message, "fetch: ")}
	}
	return Destination{permit.url, permit.origin}, nil
}

// Windows reads the popup needs of a definition: CustomHTML, or an https origin that tools may reach at all, in any spelling, without a path; else the
// error is invalid_definition with its place. A need for any origin does not exist. The verdict does not depend on the host.
func (p *Policy) Windows(needs []string) ([]Origin, error) {
	anywhere := *p
	anywhere.self, anywhere.host = nil, Host{Resolves: true}
	var list []Origin
	for i, need := range needs {
		if need == CustomHTML {
			list = append(list, Origin{CustomHTML, CustomHTML})
			continue
		}
		path := canon.Index("$.needs.popup", i)
		u, d := anywhere.judgeURL(need)
		if d != nil {
			return nil, fault.At(fault.InvalidDefinition, path, "definition: %s: want %q or an https origin: %s", path, CustomHTML, strings.TrimPrefix(d.Message, "fetch: "))
		}
		if u.Href != u.Origin+"/" {
			return nil, fault.At(fault.InvalidDefinition, path, "definition: %s: %.100q is more than an origin; write %s", path, need, u.Origin)
		}
		list = append(list, originOf(u))
	}
	return list, nil
}
