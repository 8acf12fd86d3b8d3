package syntax

import (
	"fmt"

	"github.com/dop251/goja"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

// engine is one JavaScript runtime with the checker loaded. It is not safe for concurrent use.
type engine struct {
	vm   *goja.Runtime
	call func(map[string]string) (answer, error)
}

// answer is the checker's verdict as it comes out of the engine.
type answer struct {
	OK      bool   `json:"ok"`
	Form    string `json:"form"`
	Program string `json:"program"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
}

func start(program *goja.Program, frames int) (*engine, error) {
	vm := goja.New()
	vm.SetMaxCallStackSize(frames)
	vm.SetFieldNameMapper(goja.TagFieldNameMapper("json", true))
	e := &engine{vm: vm}
	value, err := vm.RunProgram(program)
	if err == nil {
		err = vm.ExportTo(value, &e.call)
	}
	if err != nil {
		return nil, fault.Wrap(fault.Internal, err, "syntax checker does not start")
	}
	return e, nil
}

// check turns a panic of the engine into an error: the source is a stranger's, and the parser of regular expressions is
// the engine's own.
func (e *engine) check(source string) (found answer, err error) {
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("panic: %v", cause)
		}
	}()
	return e.call(map[string]string{"source": source})
}

func (a answer) verdict() (tool.Verdict, error) {
	if a.OK {
		return tool.Verdict{Form: a.Form, Program: a.Program}, nil
	}
	return tool.Verdict{}, &fault.Error{Code: fault.Code(a.Code), Message: a.Message, Line: a.Line, Column: a.Column}
}
