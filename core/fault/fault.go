// Package fault is the one error type that crosses rooms and walls.
//
// A code is what callers branch on, the message is what a person reads: lower case, subject first, ending in what to do
// next where a person can do something. Facts (path, line, column) are fields, never only prose.
package fault

import (
	"errors"
	"fmt"
)

// Code is one of a closed set. The same words are the code of a TaskyonError in TypeScript.
type Code string

const (
	InvalidJSON       Code = "invalid_json"       // the text is not strict JSON
	InvalidDefinition Code = "invalid_definition" // a definition breaks its closed type
	InvalidSchema     Code = "invalid_schema"     // a parameter or result schema is not JSON Schema 2020-12
	InvalidCode       Code = "invalid_code"       // tool code does not parse or has no accepted form
	InvalidDraft      Code = "invalid_draft"      // a draft breaks its closed type
	InvalidTask       Code = "invalid_task"       // a task's id or pins are not what its bytes say
	InvalidArguments  Code = "invalid_arguments"  // arguments break the tool's schema
	InvalidSettings   Code = "invalid_settings"   // settings break the tool's settings schema, or are of another revision
	InvalidRequest    Code = "invalid_request"    // a call of the page API has the wrong shape
	InvalidMessage    Code = "invalid_message"    // a protocol message breaks its row, size or turn
	InvalidValue      Code = "invalid_value"      // a value cannot travel, or its tagged form is malformed
	NotFound          Code = "not_found"          // no tool, revision or task has that name
	TooLarge          Code = "too_large"          // a size limit was passed
	Conflict          Code = "conflict"           // the store holds something else under that id
	Corrupt           Code = "corrupt"            // stored bytes do not hash to their id
	Unavailable       Code = "unavailable"        // this host cannot run it
	Timeout           Code = "timeout"            // a clock ran out before anything could answer
	Aborted           Code = "aborted"            // the caller gave up
	Denied            Code = "denied"             // policy said no
	Closed            Code = "closed"             // the engine was closed
	Internal          Code = "internal"           // our own mistake
)

// Error is a coded error. Path is a JSON path such as `$.parameters.type`; Line and Column count from 1, 0 means unknown.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Path    string `json:"path,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	cause   error
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the cause given to Wrap, if any.
func (e *Error) Unwrap() error { return e.cause }

// Is compares by code, so that errors.Is(err, fault.New(code, "")) works.
func (e *Error) Is(target error) bool {
	var other *Error
	return errors.As(target, &other) && other.Code == e.Code
}

// New makes an error from a code and a formatted message.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// At is New with the JSON path that the error is about.
func At(code Code, path, format string, args ...any) *Error {
	return &Error{Code: code, Path: path, Message: fmt.Sprintf(format, args...)}
}

// Wrap gives err a subject in front. Code and position of a coded cause are kept; any other cause gets the code given.
func Wrap(code Code, err error, format string, args ...any) *Error {
	wrapped := &Error{Code: code, Message: fmt.Sprintf(format, args...) + ": " + err.Error(), cause: err}
	var inner *Error
	if errors.As(err, &inner) {
		wrapped.Code, wrapped.Path, wrapped.Line, wrapped.Column = inner.Code, inner.Path, inner.Line, inner.Column
	}
	return wrapped
}

// From returns err as an *Error; an uncoded error is our own mistake and becomes internal. From(nil) is nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var coded *Error
	if errors.As(err, &coded) {
		if coded == err {
			return coded
		}
		return &Error{Code: coded.Code, Message: err.Error(), Path: coded.Path, Line: coded.Line, Column: coded.Column, cause: err}
	}
	return &Error{Code: Internal, Message: err.Error(), cause: err}
}

// CodeOf returns the code of err, Internal for an uncoded error and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	return From(err).Code
}
