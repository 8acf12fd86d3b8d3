package policy

import (
	"slices"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// AnyOrigin in a need lets the user be asked about origins that the tool does not name.
const AnyOrigin = "*"

// Needs are the declared fetch needs of one revision, in the spelling of origins. The zero value declares nothing.
type Needs struct {
	origins map[string]Class // by Origin.Text; write includes read
	any     Class            // empty: none
	rows    []Row
}

// Row is one declared need in the spelling of origins; Text is AnyOrigin where it names none.
type Row struct {
	Origin Origin
	Class  Class
}

// Rows are the needs in their order.
func (n Needs) Rows() []Row { return slices.Clone(n.rows) }

// Needs reads the rows of a definition, once per revision. A row names an https origin that tools may reach at all, in any spelling, without a path; else the
// error is invalid_definition with its place. The verdict does not depend on the host.
func (p *Policy) Needs(rows []tool.FetchNeed) (Needs, error) {
	anywhere := *p
	anywhere.self, anywhere.host = nil, Host{Resolves: true}
	needs := Needs{origins: make(map[string]Class, len(rows))}
	for i, row := range rows {
		path := canon.Index("$.needs.fetch", i) + ".origin"
		access := Class(row.Access)
		if access != Read && access != Write {
			return Needs{}, fault.At(fault.InvalidDefinition, path, "definition: %s: access %.20q is not read or write", path, row.Access)
		}
		if row.Origin == AnyOrigin {
			needs.any = wider(needs.any, access)
			needs.rows = append(needs.rows, Row{Origin{Text: AnyOrigin, Readable: AnyOrigin}, access})
			continue
		}
		u, d := anywhere.judgeURL(row.Origin)
		if d != nil {
			return Needs{}, fault.At(fault.InvalidDefinition, path, "definition: %s: %s", path, d.Message)
		}
		if u.Href != u.Origin+"/" {
			return Needs{}, fault.At(fault.InvalidDefinition, path, "definition: %s: %.100q is more than an origin; write %s", path, row.Origin, u.Origin)
		}
		needs.origins[u.Origin] = wider(needs.origins[u.Origin], access)
		needs.rows = append(needs.rows, Row{originOf(u), access})
	}
	return needs, nil
}

func wider(a, b Class) Class {
	if a == Write || b == Write {
		return Write
	}
	return Read
}

// covers says whether a class is declared for an origin, and whether the origin is declared by name.
func (n Needs) covers(origin string, c Class) (covered, named bool) {
	access, named := n.origins[origin]
	if named && (access == Write || access == c) {
		return true, true
	}
	return n.any == Write || n.any == c, false
}

// declared is the step need.
func declared(n Needs, origin Origin, c Class) (named bool, d *Denial) {
	covered, named := n.covers(origin.Text, c)
	if !covered && (guard.Fixed || guard.On("policy-need")) {
		return false, deny(NoNeed, "the tool does not declare that it may %s %s; its author adds {\"origin\": %q, \"access\": %q} to needs.fetch",
			c, origin.Text, origin.Text, c)
	}
	return named, nil
}
