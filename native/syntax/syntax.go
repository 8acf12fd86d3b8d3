// Package syntax judges JavaScript source outside a browser: the checker of package bootstrap (acorn and our rules) on
// goja. The same text runs in a page, so the verdict is the same there.
package syntax

import (
	"context"
	"errors"
	"time"
	"unicode/utf8"

	"github.com/dop251/goja"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/sandboxhost/bootstrap"
)

const (
	// maxTime bounds one check. A megabyte of dense code takes a fraction of it.
	maxTime = 60 * time.Second

	// maxFrames bounds the JavaScript stack. The checker's own bound on nesting needs a quarter of it.
	maxFrames = 8000
)

// Checker implements tool.Syntax. It may be used by several goroutines at once; checks run one after the other.
type Checker struct {
	program *goja.Program
	turn    chan struct{} // holds one token; who has it owns engine and closed
	engine  *engine       // nil after a check that was cut off; the next one starts another
	closed  bool
	time    time.Duration
	frames  int
}

// New starts a checker. Close ends it.
func New() (*Checker, error) {
	program, err := goja.Compile("checker.js", "(function(){"+bootstrap.Checker()+"\n})()", false)
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "syntax checker does not compile")
	}
	c := &Checker{program: program, turn: make(chan struct{}, 1), time: maxTime, frames: maxFrames}
	if c.engine, err = start(program, c.frames); err != nil {
		return nil, err
	}
	c.turn <- struct{}{}
	return c, nil
}

// Close ends the checker after a running check; a later Check is refused with closed.
func (c *Checker) Close() {
	<-c.turn
	c.closed, c.engine = true, nil
	c.turn <- struct{}{}
}

// Check implements tool.Syntax. Beside invalid_code it fails with aborted when ctx is cancelled, timeout when ctx or the
// bound on one check ran out, closed after Close, and internal.
func (c *Checker) Check(ctx context.Context, source string) (tool.Verdict, error) {
	if !utf8.ValidString(source) {
		return tool.Verdict{}, fault.New(fault.InvalidCode, "tool code is not UTF-8 text; save it as UTF-8")
	}
	ctx, cancel := context.WithTimeout(ctx, c.time)
	defer cancel()
	select {
	case <-c.turn:
		defer func() { c.turn <- struct{}{} }()
	case <-ctx.Done():
		return tool.Verdict{}, cutOff(ctx)
	}
	if ctx.Err() != nil {
		return tool.Verdict{}, cutOff(ctx)
	}
	if c.closed {
		return tool.Verdict{}, fault.New(fault.Closed, "syntax checker is closed")
	}
	return c.ask(ctx, source)
}

// ask runs with the turn held. An engine that did not come to its own end is thrown away.
func (c *Checker) ask(ctx context.Context, source string) (tool.Verdict, error) {
	if c.engine == nil {
		started, err := start(c.program, c.frames)
		if err != nil {
			return tool.Verdict{}, err
		}
		c.engine = started
	}
	running := c.engine
	c.engine = nil
	stop := context.AfterFunc(ctx, func() { running.vm.Interrupt(ctx.Err()) })
	answer, err := running.check(source)
	inTime := stop()
	if err == nil {
		if inTime {
			c.engine = running
		}
		return answer.verdict()
	}
	var overflow *goja.StackOverflowError
	switch {
	case errors.As(err, &overflow):
		return tool.Verdict{}, fault.New(fault.InvalidCode, "tool code is nested too deeply; split it into smaller functions or shorter expressions")
	case !inTime:
		return tool.Verdict{}, cutOff(ctx)
	default:
		return tool.Verdict{}, fault.Wrap(fault.Internal, err, "syntax checker failed")
	}
}

func cutOff(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return fault.New(fault.Aborted, "syntax check was cancelled")
	}
	return fault.New(fault.Timeout, "syntax check ran out of time; give shorter code")
}
