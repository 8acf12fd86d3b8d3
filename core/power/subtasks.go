package power

import (
	"context"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/guard"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// What a tool may make: calls, and words that are marked as an assistant's. A tool does not speak as the user or the system, brings no
// code of its own into a chat, and answers no call but its own.

type subtasksParams struct {
	Drafts []any `json:"drafts"`
}

// createSubtasks compiles drafts below the calling task and gives them hashed. They are kept if the call ends well.
func (s *Session) createSubtasks(ctx context.Context, ask sandbox.Ask) (protocol.Value, error) {
	if !s.needs().Subtasks {
		return nil, fault.New(fault.Denied, "subtasks: the tool does not declare them; its author adds \"subtasks\": true to needs")
	}
	if s.ports.Compiler == nil {
		return nil, unavailable("subtasks")
	}
	var params subtasksParams
	if err := canon.Bind(protocol.ToJSON(ask.Params), &params, fault.InvalidDraft); err != nil {
		return nil, err
	}
	if err := s.deepEnough(ctx); err != nil {
		return nil, err
	}
	if err := s.room(len(params.Drafts)); err != nil { // before the work of compiling them
		return nil, err
	}
	made := make([]*task.Task, len(params.Drafts))
	trees := make([]any, len(params.Drafts))
	bytes := 0
	for i, draft := range params.Drafts {
		var err error
		if made[i], trees[i], err = s.compile(ctx, draft); err != nil {
			return nil, fault.Wrap(fault.InvalidDraft, err, "subtasks: draft %d", i)
		}
		bytes += len(made[i].Bytes())
	}
	return trees, s.keep(made, bytes)
}

// deepEnough bounds how many calls stand above one another: each may make more below itself.
func (s *Session) deepEnough(ctx context.Context) error {
	s.deep.Lock()
	defer s.deep.Unlock()
	if s.depth == 0 { // which a long chat makes costly, and nothing changes
		var err error
		if s.depth, err = s.ports.Depth(ctx, s.call.Task); err != nil {
			s.depth = 0
			return err
		}
	}
	if s.depth >= s.ports.Limits.SubtaskDepth {
		return fault.New(fault.TooLarge, "subtasks: %d calls stand above one another here, at most %d may", s.depth, s.ports.Limits.SubtaskDepth)
	}
	return nil
}

func (s *Session) compile(ctx context.Context, draft any) (*task.Task, any, error) {
	node, ok := draft.(map[string]any)
	if !ok {
		return nil, nil, fault.New(fault.InvalidDraft, "want an object")
	}
	if parent, named := node["parent"]; named && parent != s.call.Task.ID.String() {
		return nil, nil, fault.At(fault.InvalidDraft, "$.parent", "$.parent: stands below the calling task; leave it out")
	}
	own := map[string]any{"parent": s.call.Task.ID.String()}
	for key, value := range node {
		own[key] = value
	}
	text, err := canon.Encode(own)
	if err != nil {
		return nil, nil, err
	}
	t, err := s.ports.Compiler.Compile(ctx, text)
	if err != nil {
		return nil, nil, err
	}
	if err := makeable(t); err != nil {
		return nil, nil, err
	}
	json, err := t.JSON()
	if err != nil {
		return nil, nil, err
	}
	tree, err := canon.Decode([]byte(json), s.ports.Limits.Nesting+8)
	return t, protocol.FromJSON(tree), err
}

func makeable(t *task.Task) error {
	switch c := t.Content; {
	case c.FunctionCall != nil:
	case c.Message != "" && t.Role == task.Assistant, c.ChatCompletion != nil && t.Role == task.Assistant:
	default:
		return fault.New(fault.InvalidDraft, "a tool makes function calls, and messages and chat completions of role assistant, nothing else")
	}
	return nil
}

// keep takes tasks into the call's account, all or none.
func (s *Session) keep(made []*task.Task, bytes int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.fewer(len(made)); err != nil {
		return err
	}
	if most := s.ports.Limits.SubtaskBytes; s.bytes+bytes > most {
		return fault.New(fault.TooLarge, "subtasks: a call makes at most %d bytes of them", most)
	}
	s.subtasks, s.bytes = append(s.subtasks, made...), s.bytes+bytes
	return nil
}

func (s *Session) room(more int) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fewer(more)
}

func (s *Session) fewer(more int) error {
	if most := s.ports.Limits.Subtasks; len(s.subtasks)+more > most && (guard.Fixed || guard.On("subtask-count")) {
		return fault.New(fault.TooLarge, "subtasks: a call makes at most %d", most)
	}
	return nil
}

// Subtasks are those that the call has made, in order, each once.
func (s *Session) Subtasks() []*task.Task {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []*task.Task
	seen := map[canon.TaskID]bool{}
	for _, t := range s.subtasks {
		if !seen[t.ID] {
			seen[t.ID] = true
			list = append(list, t)
		}
	}
	return list
}

type resolveParams struct {
	Name string `json:"name"`
}

// resolve tells what a call of a name would be pinned to where the calling task stands, and nothing else of registry and settings.
func (s *Session) resolve(ctx context.Context, ask sandbox.Ask) (protocol.Value, error) {
	if s.ports.Compiler == nil {
		return nil, unavailable("resolve")
	}
	var params resolveParams
	if err := canon.Bind(ask.Params, &params, fault.InvalidRequest); err != nil {
		return nil, err
	}
	id, settings, err := s.ports.Compiler.Invocation(ctx, s.call.Task.ID, params.Name)
	if err != nil {
		return nil, err
	}
	found := map[string]any{"tool": id.String()}
	if !settings.IsZero() {
		found["settings"] = settings.String()
	}
	return found, nil
}
