package ui

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/core/safe"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func (c *Permissions) p() *console.Permissions { return &c.Desk.Permissions }

func (c *Permissions) problem() *console.Failure { return c.p().Problem }

// mostStored is how many stored values are listed.
const mostStored = 50

func storedShown(p *console.Permissions) []console.Stored {
	return p.Stored[:min(len(p.Stored), mostStored)]
}

func storedCount(p *console.Permissions) string {
	if len(p.Stored) == 1 {
		return "1 value, " + console.Size(p.Bytes)
	}
	return fmt.Sprintf("%d values, %s", len(p.Stored), console.Size(p.Bytes))
}

func lifetime(g grant.Grant) string {
	if g.Lifetime == grant.Session {
		return "this session"
	}
	return "always"
}

func grantText(g grant.Grant) string {
	switch {
	case g.Capability != "fetch":
		return g.Capability
	case g.Class == grant.Write:
		return "write to"
	}
	return "read from"
}

// along says which headers, by which the tool identifies itself, a grant covers; "" for none.
func along(g grant.Grant) string {
	if len(g.Credentials) == 0 {
		return ""
	}
	return "with " + safe.Text(strings.Join(g.Credentials, ", "), 200)
}

func permissionCount(n int) string {
	if n == 1 {
		return "1 permission"
	}
	return strconv.Itoa(n) + " permissions"
}

func (c *Secrets) lasting() string {
	switch {
	case c.Permissions.Unsealed != "":
		return c.Permissions.Unsealed
	case c.Permissions.Lasting:
		return "kept in this browser, sealed"
	}
	return "kept until this page is closed"
}

func secretText(s console.Secret) string {
	if s.At.IsZero() {
		return "not set"
	}
	return "set " + s.At.Local().Format("2006-01-02 15:04") + " for " + strings.Join(s.Origins, " ")
}

func setOrReplace(s console.Secret) string {
	if s.At.IsZero() {
		return "Set"
	}
	return "Replace"
}

func (c *Plan) heading() string {
	return "From " + console.Short(c.Plan.From.String()) + " to this version"
}

// planPart is one kind of what a plan changes or leaves.
type planPart struct {
	title string
	lines []planLine
}

type planLine struct{ what, scope, said string }

// parts are all that a person should see before a plan is carried out. A kind without lines is left out, but not what is carried.
func (c *Plan) parts() (parts []planPart) {
	add := func(title string, lines []planLine) {
		if len(lines) > 0 {
			parts = append(parts, planPart{title, lines})
		}
	}
	grants := func(list []grant.Grant) (lines []planLine) {
		for _, g := range list {
			lines = append(lines, planLine{grantText(g), g.Scope, strings.Join(strings.Fields(lifetime(g)+" "+along(g)), " ")})
		}
		return lines
	}
	needs := func(list []grant.Need) (lines []planLine) {
		for _, n := range list {
			lines = append(lines, needLine(n))
		}
		return lines
	}
	if len(c.Plan.Carry) == 0 {
		parts = append(parts, planPart{title: "Nothing is left to carry over."})
	}
	add("This version will have", grants(c.Plan.Carry))
	add("Stays behind, since this version does not declare it", grants(c.Plan.Leave))
	add("New in what this version declares; it is not allowed by this", needs(c.Plan.Added))
	add("No longer declared", needs(c.Plan.Removed))
	var changed []planLine
	for _, n := range c.Plan.Changed {
		line := needLine(n.After)
		line.said = n.Before.Reason + " → " + n.After.Reason
		changed = append(changed, line)
	}
	add("Declared for another reason", changed)
	return parts
}

func needLine(n grant.Need) planLine {
	f := grant.Forecast{Need: n}
	return planLine{console.ForecastText(f), console.ForecastScope(f), n.Reason}
}

func decisionText(decision string) string {
	if decision == "" {
		return "all"
	}
	return decision
}

// choose takes a decision by its number.
func (c *Audit) choose(index string) {
	if n, err := strconv.Atoi(index); err == nil && n < len(console.Decisions) {
		c.Model.ChooseDecision(console.Decisions[n])
	}
}
