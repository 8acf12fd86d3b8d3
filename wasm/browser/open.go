//go:build js && wasm

package browser

import (
	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost"
)

// Options are what a page chooses when it opens an engine.
type Options struct {
	Store  string         // memory, and the default
	Limits *limits.Limits // nil: the documented ones
}

// Open makes an engine in this page. The caller closes it.
func Open(o Options) (*core.Engine, error) {
	if o.Store != "" && o.Store != "memory" {
		return nil, fault.At(fault.InvalidRequest, "$.store", "options: $.store: %q is not offered here; use \"memory\"", o.Store)
	}
	l := limits.Default()
	if o.Limits != nil {
		l = *o.Limits
	}
	wall, err := sandboxhost.New()
	if err != nil {
		return nil, err
	}
	syntax := newChecker(wall, l)
	return core.New(core.Ports{
		Wall:      wall,
		Isolation: "browser",
		Syntax:    syntax,
		Tools:     new(registry.Memory),
		Tasks:     new(task.Memory),
		Clock:     sandbox.SystemClock{},
		Limits:    l,
		OnClose:   syntax.Close,
	}), nil
}
