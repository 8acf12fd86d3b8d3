package signature

import (
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
)

// ProviderCall is a tool call as a provider sends it. Arguments is JSON text, or what a model makes of it.
type ProviderCall struct {
	Name      string       `json:"name"`
	Arguments string       `json:"arguments"`
	Parent    canon.TaskID `json:"parent,omitempty"` // of the draft, if there is one
	ID        string       `json:"id,omitempty"`     // the provider's id of the call, kept as a label `call:<id>`
}

// Draft turns a provider's call of a tool of this request into the JSON text of a draft, in canonical bytes. Errors: not_found
// for a name that the request does not have, with the nearest one; invalid_arguments for what is not an object, whole;
// too_large. Whether the arguments fit the schema is decided when the draft is compiled.
func (s *Set) Draft(call ProviderCall, l limits.Limits) ([]byte, error) {
	one, known := s.shown[call.Name]
	if !known {
		if near := canon.Nearest(call.Name, s.order); near != "" {
			return nil, fault.New(fault.NotFound, "tool %.80q is not among the tools shown, did you mean %q?", call.Name, near)
		}
		if call.Parent.IsZero() {
			return nil, fault.New(fault.NotFound, "tool %.80q is not among the tools of a root; give the parent of the call if a chat defines it", call.Name)
		}
		return nil, fault.New(fault.NotFound, "tool %.80q is not among the tools of %s", call.Name, call.Parent)
	}
	if len(call.Arguments) > l.ArgumentsBytes {
		return nil, fault.New(fault.TooLarge, "arguments of %q: %d bytes, at most %d", one.tool, len(call.Arguments), l.ArgumentsBytes)
	}
	given, err := arguments(call.Arguments, l.Nesting)
	if err != nil {
		return nil, fault.Wrap(fault.InvalidArguments, err, "arguments of %q", one.tool)
	}
	own, err := way{one}.back([]any{one.source.root}, given, "$")
	if err != nil {
		return nil, fault.Wrap(fault.InvalidArguments, err, "arguments of %q", one.tool)
	}
	draft := map[string]any{"role": "function", "content": map[string]any{
		"functionCall": map[string]any{"name": one.tool, "arguments": own}}}
	if !call.Parent.IsZero() {
		draft["parent"] = call.Parent.String()
	}
	if call.ID != "" {
		draft["label"] = []any{"call:" + call.ID}
	}
	return canon.Encode(draft)
}
