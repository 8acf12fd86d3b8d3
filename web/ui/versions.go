package ui

import (
	"strconv"

	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func (c *Versions) asks(action console.Action, t console.Tool) bool {
	return c.Desk.Versions.Asking == console.Asking{Action: action, Revision: t.Revision}
}

func (c *Versions) comparable(t console.Tool) bool { return !t.Active && c.Desk.ActiveRevision() != "" }

func blockedBecause(t console.Tool) string {
	if !t.Blocked || t.Reason == "" {
		return ""
	}
	return "Blocked: " + t.Reason
}

func (c *Comparison) heading() string {
	return "From the active " + console.Short(c.Comparison.Before) + " to " + console.Short(c.Comparison.After)
}

func sideID(side string, i int) string { return side + "-" + strconv.Itoa(i) }

func number(n int) string { return strconv.Itoa(n) }

func (c *Import) problem() *console.Failure { return c.Model.Import.Problem }
