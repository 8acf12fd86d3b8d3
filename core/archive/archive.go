package archive

import (
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// Archive exports from a pair of stores and imports into them. It is safe for concurrent use when its stores are.
type Archive struct {
	Registry *registry.Registry
	Tools    registry.Store // what Registry stands on
	Tasks    task.Store
	Limits   limits.Limits
}

// Options are the caller's wishes for an export.
type Options struct {
	Descendants bool // a chat with everything below the task, not only what led to it
}

// format and version are the header's. A reader of one version refuses a newer one.
const (
	format  = "archive"
	version = 1
)

type header struct {
	Taskyon string `json:"taskyon"`
	Version int    `json:"version"`
}

// kind says what a line holds. The set is closed.
type kind string

const (
	revisionKind kind = "revision"
	taskKind     kind = "task"
	recordKind   kind = "record"
)

type revisionLine struct {
	Kind       kind         `json:"kind"`
	ID         canon.ToolID `json:"id"`
	Definition canon.Raw    `json:"definition"`
}

type taskLine struct {
	Kind kind      `json:"kind"`
	Task canon.Raw `json:"task"`
}

type recordLine struct {
	Kind   kind      `json:"kind"`
	Record canon.Raw `json:"record"`
}
