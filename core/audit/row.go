// Package audit keeps what tools have asked of the world: one row per ask, whatever became of it.
//
// A row holds codes, origins, numbers and ids. It holds no text of a tool, no path, no header and no body, so no secret can be in it: what is
// no code is written as other, of a URL only the origin stays, and a name stays only if the host has answered for it. What an application
// calls its partitions is made fit to be shown. A row has at most RowBytes.
//
// Rows of one call are appended together, or none of them. Several engines may append to one shelf at once: each row has a key of its own, in
// order of time. The oldest go when there are more than limits.AuditRows; see Log.
package audit

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/safe"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// RowBytes bounds a row as it is kept.
const RowBytes = 2048

// Call is a call that has ended, with its asks in order.
type Call struct {
	Task      canon.TaskID
	Tool      canon.ToolID
	Partition string
	Asks      []Ask
}

// Ask is what became of one ask.
type Ask struct {
	Capability string  `json:"capability"`
	Decision   string  `json:"decision"`         // allowed, denied, failed, withdrawn or open
	Reason     string  `json:"reason,omitempty"` // code of a denial or failure
	Scope      string  `json:"scope,omitempty"`  // what it was about: an origin, never more of a URL
	Class      string  `json:"class,omitempty"`  // read or write
	Sent       bool    `json:"sent"`             // something has left for the outside
	BytesOut   int     `json:"bytesOut"`
	BytesIn    int     `json:"bytesIn"`
	DurationMs float64 `json:"durationMs"`
}

// Row is one ask in the log.
type Row struct {
	At        string       `json:"at"` // when its call ended: RFC 3339, UTC
	Task      canon.TaskID `json:"task,omitempty"`
	Tool      canon.ToolID `json:"tool,omitempty"` // the revision
	Partition string       `json:"partition,omitempty"`
	Ask
}

// Unreadable is the decision of a row that is in the log and cannot be read. It has a time and nothing else.
const Unreadable = "unreadable"

const (
	longestPartition = 128
	longestScope     = 320 // an origin, with the longest host there is
	longestDuration  = 1e12
	most             = 1 << 53
)

var (
	code   = safe.Pattern(`^[a-z][a-z0-9_-]{0,63}$`)
	name   = safe.Pattern(`^[A-Za-z0-9_-]{1,64}$`)
	origin = safe.Pattern(`^[a-z]{2,16}://(?:[^/?#\\@]*@)?([A-Za-z0-9._:\[\]-]+)`)
)

// scope is what of a scope is no text of a tool.
func scope(a Ask) string {
	if found := origin().FindStringSubmatch(a.Scope); found != nil {
		kept := a.Scope[:strings.Index(a.Scope, "://")] + "://" + found[1]
		return kept[:min(len(kept), longestScope)]
	}
	if a.Scope == "custom-html" || a.Decision == "allowed" && a.Capability != "storage" && name().MatchString(a.Scope) {
		return a.Scope
	}
	return ""
}

// row makes a row of an ask, bounded and fit to be shown.
func (c *Call) row(at time.Time, a Ask) Row {
	a.Scope = scope(a)
	for _, word := range []*string{&a.Capability, &a.Decision, &a.Reason, &a.Class} {
		if *word != "" && !code().MatchString(*word) {
			*word = "other"
		}
	}
	a.BytesOut, a.BytesIn = count(a.BytesOut), count(a.BytesIn)
	if !(a.DurationMs >= 0) { // NaN too
		a.DurationMs = 0
	}
	a.DurationMs = min(a.DurationMs, longestDuration)
	return Row{At: stamp(at), Task: c.Task, Tool: c.Tool, Partition: safe.Text(c.Partition, longestPartition), Ask: a}
}

func count(n int) int { return int(min(max(int64(n), 0), most-1)) }

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z07:00") }

const (
	room    = "audit"
	digits  = 15 // of milliseconds since 1970, enough for 30,000 years
	nesting = 8
)

// moment is the word of a key that stands for a time, so that keys are in order of time.
func moment(at time.Time) string {
	return fmt.Sprintf("%0*d", digits, min(max(at.UnixMilli(), 0), 1e15-1))
}

// key is of the n-th row that one writer appends.
func key(at time.Time, writer string, n int) string {
	return shelf.Key(room, moment(at), writer, fmt.Sprintf("%012d", n))
}

// timeOf is the time in a key.
func timeOf(key string) time.Time {
	words := shelf.Words(key)
	if len(words) < 2 {
		return time.Time{}
	}
	ms, _ := strconv.ParseInt(words[1], 10, 64)
	return time.UnixMilli(ms)
}

func (r Row) bytes() ([]byte, error) {
	text, err := canon.Marshal(r)
	if err == nil && len(text) > RowBytes {
		err = fault.New(fault.Internal, "BUG: a row of %d bytes, at most %d", len(text), RowBytes)
	}
	return text, err
}

func read(kept shelf.Row) Row {
	var r Row
	if canon.Unmarshal(kept.Value, &r, nesting, fault.Corrupt) != nil {
		return Row{At: stamp(timeOf(kept.Key)), Ask: Ask{Decision: Unreadable}}
	}
	return r
}
