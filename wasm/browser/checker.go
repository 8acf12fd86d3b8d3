//go:build js && wasm

package browser

import (
	"context"
	"time"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost/bootstrap"
)

// checker is tool.Syntax in a page: the parser runs in a sandbox of its own, as hostile text is what it reads.
type checker struct{ sandboxes *sandbox.Manager }

// checkTime bounds one verdict; the parser needs milliseconds for a usual tool.
const checkTime = 10 * time.Second

// newChecker has no warm sandboxes: there is one program, and its sandbox is kept.
func newChecker(wall sandbox.Wall, l limits.Limits) *checker {
	l.Warm = 0
	return &checker{sandbox.New(wall, sandbox.Options{Limits: l, Clock: sandbox.SystemClock{}})}
}

// Check implements tool.Syntax.
func (c *checker) Check(ctx context.Context, source string) (tool.Verdict, error) {
	result := c.sandboxes.Run(ctx, sandbox.Request{
		Key:  sandbox.Key{Revision: "checker"},
		Name: "checker",
		Code: func(context.Context) (sandbox.Code, error) {
			return sandbox.Code{Name: "checker", Language: string(tool.JavaScript), Program: bootstrap.Checker()}, nil
		},
		Args:    map[string]any{"source": source},
		Timeout: checkTime,
		Wall:    checkTime,
	})
	if result.Outcome == sandbox.Aborted {
		return tool.Verdict{}, fault.New(fault.Aborted, "syntax check: the caller gave up")
	}
	if result.Outcome != sandbox.OK {
		return tool.Verdict{}, fault.New(fault.Unavailable, "syntax check: %s: %s", result.Outcome, result.Reason())
	}
	var answer struct {
		OK      bool   `json:"ok"`
		Form    string `json:"form,omitempty"`
		Program string `json:"program,omitempty"`
		Code    string `json:"code,omitempty"`
		Message string `json:"message,omitempty"`
		Line    int    `json:"line,omitempty"`
		Column  int    `json:"column,omitempty"`
	}
	if err := canon.Bind(result.Value, &answer, fault.Internal); err != nil {
		return tool.Verdict{}, fault.Wrap(fault.Internal, err, "syntax check")
	}
	if !answer.OK {
		return tool.Verdict{}, &fault.Error{Code: fault.InvalidCode, Message: answer.Message, Line: answer.Line, Column: answer.Column}
	}
	return tool.Verdict{Form: answer.Form, Program: answer.Program}, nil
}

// Close ends the parser's sandbox.
func (c *checker) Close() { c.sandboxes.Close() }
