package task_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/task/tasktest"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

func TestMemoryKeepsTheStoreContract(t *testing.T) {
	tasktest.Store(t, func(*testing.T) task.Store { return new(task.Memory) })
	tasktest.Shared(t, func(*testing.T) (a, b task.Store) { s := new(task.Memory); return s, s })
}

type tools = tasktest.Tools

func revision(t *testing.T, name, code string) *tool.Revision {
	d, err := tool.Read([]byte(`{"name":"`+name+`","description":"","code":"`+code+`",
		"parameters":{"type":"object","properties":{"n":{"type":"number"}},"additionalProperties":false}}`), limits.Default())
	require.NoError(t, err)
	r, err := tool.Freeze(d)
	require.NoError(t, err)
	return r
}

func compile(t *testing.T, l tools, draft []byte) (*task.Task, error) {
	return task.Compiler{Tools: l, Scopes: task.NewScopes(new(task.Memory)), Limits: limits.Default()}.Compile(t.Context(), draft)
}

func draft(call string) []byte {
	return []byte(`{"role":"function","content":{"functionCall":` + call + `}}`)
}

func TestADraftIsPinnedBeforeItIsHashed(t *testing.T) {
	one, two := revision(t, "a", "1"), revision(t, "a", "2")
	pinned := func(l tools) *task.Task {
		compiled, err := compile(t, l, draft(`{"name":"a","arguments":{"n":1}}`))
		require.NoError(t, err)
		return compiled
	}
	first, second := pinned(tools{one, two}), pinned(tools{two, one})
	require.Equal(t, one.ID(), first.Content.FunctionCall.Tool)
	require.Equal(t, two.ID(), second.Content.FunctionCall.Tool)
	require.NotEqual(t, first.ID, second.ID, "the pin is part of the hash")
	require.Equal(t, canon.SumTask([]byte(first.Bytes())), first.ID)
	require.NotContains(t, first.Bytes(), first.ID.String(), "the id is not")
	again, err := compile(t, tools{two, one}, draft(`{"name":"a","arguments":{"n":1},"tool":"`+one.ID().String()+`"}`))
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID, "a draft that names a revision keeps it")
}

func TestATaskHasOneSpelling(t *testing.T) {
	for spelling, path := range map[string]string{
		`{"role":"user","label":[],"content":{"message":"x"}}`:                                               "$.label",
		`{"role":"user","parent":"","content":{"message":"x"}}`:                                              "$.parent",
		`{"role":"user","content":{"message":"x","toolDefinition":{}}}`:                                      "$.content.toolDefinition",
		`{"role":"user","content":{"message":"","file":{"name":"a"}}}`:                                       "$.content.message",
		`{"role":"user","content":{"file":{"name":"a","size":0}}}`:                                           "$.content.file.size",
		`{"role":"user","content":{"file":{"name":"a","mediaType":""}}}`:                                     "$.content.file.mediaType",
		`{"role":"assistant","content":{"chatCompletion":{"model":"a","options":null}}}`:                     "$.content.chatCompletion.options",
		`{"role":"function","content":{"functionCall":{"name":"a","arguments":{},"settings":"","tool":""}}}`: "$.content.functionCall.settings",
	} {
		tree, err := canon.Decode([]byte(spelling), 64)
		require.NoError(t, err)
		bytes, err := canon.Encode(tree)
		require.NoError(t, err)
		tree.(map[string]any)["id"] = canon.SumTask(bytes).String()
		text, err := canon.Encode(tree)
		require.NoError(t, err)
		_, err = task.Read(text, limits.Default())
		require.Equal(t, fault.InvalidTask, fault.CodeOf(err), spelling)
		require.Contains(t, []string{path, "$.content.functionCall.tool"}, fault.From(err).Path, spelling)
	}
}

func TestATaskThatTravelledIsTheSameOrRefused(t *testing.T) {
	compiled, err := compile(t, tools{revision(t, "a", "1")}, draft(`{"name":"a","arguments":{"n":1}}`))
	require.NoError(t, err)
	text, err := compiled.JSON()
	require.NoError(t, err)
	back, err := task.Read([]byte(text), limits.Default())
	require.NoError(t, err)
	require.Equal(t, compiled, back)
	for _, edit := range []string{
		strings.Replace(text, `"n":1`, `"n":2`, 1),
		strings.Replace(text, `"name":"a"`, `"name":"b"`, 1),
		strings.Replace(text, compiled.ID.String(), "task:b3:"+strings.Repeat("0", 64), 1),
		strings.Replace(text, compiled.ID.String(), "", 1),
		strings.Replace(text, `"role":"function"`, `"role":"function","more":1`, 1),
	} {
		require.NotEqual(t, text, edit)
		_, err := task.Read([]byte(edit), limits.Default())
		require.Equal(t, fault.InvalidTask, fault.CodeOf(err), edit)
	}
}

// An id is the hash of the canonical bytes, not of some text that means the same.
func TestATaskHasOneIDHoweverItIsSpelled(t *testing.T) {
	compiled, err := compile(t, tools{revision(t, "a", "1")}, draft(`{"name":"a","arguments":{"n":1}}`))
	require.NoError(t, err)
	for _, spelled := range []string{strings.Replace(compiled.Bytes(), `"n":1`, `"n": 1`, 1), strings.Replace(compiled.Bytes(), `"a"`, `"\u0061"`, 1)} {
		require.NotEqual(t, compiled.Bytes(), spelled)
		forged := `{"id":"` + canon.SumTask([]byte(spelled)).String() + `",` + spelled[1:]
		_, err := task.Read([]byte(forged), limits.Default())
		require.Equal(t, fault.InvalidTask, fault.CodeOf(err), forged)
		honest, err := task.Read([]byte(`{"id":"`+compiled.ID.String()+`",`+spelled[1:]), limits.Default())
		require.NoError(t, err)
		require.Equal(t, compiled.ID, honest.ID)
	}
}

func TestWhatModelsSendAsArgumentsIsUnderstoodOrRefusedByName(t *testing.T) {
	l := tools{revision(t, "a", "1")}
	for _, row := range []struct{ call, code, says string }{
		{`{"name":"a"}`, "", ""},
		{`{"name":"a","arguments":""}`, "", ""},
		{`{"name":"a","arguments":null}`, "", ""},
		{`{"name":"a","arguments":{}}`, "", ""},
		{`{"name":"a","arguments":"{}"}`, "", ""},
		{`{"name":"a","arguments":"{\"n\":1"}`, "invalid_arguments", "incomplete"},
		{`{"name":"a","arguments":"{\"n\":1}<|call|>"}`, "invalid_arguments", "incomplete"},
		{`{"name":"a","arguments":[]}`, "invalid_arguments", "want an object"},
		{`{"name":"a","arguments":"5"}`, "invalid_arguments", "want an object"},
		{`{"name":"a","arguments":{"n":"one"}}`, "invalid_arguments", "$.n"},
		{`{"name":"a","arguments":{"m":1}}`, "invalid_arguments", "m"},
		{`{"name":"b"}`, "not_found", "b"},
		{`{"name":"a","tool":"tool:b3:` + strings.Repeat("1", 64) + `"}`, "not_found", ""},
		{`{"name":"a","tool":"tool:b3:12"}`, "invalid_draft", "$.content.functionCall.tool"},
		{`{"name":"a","toolx":"1"}`, "invalid_draft", "toolx"},
	} {
		compiled, err := compile(t, l, draft(row.call))
		require.Equal(t, row.code, string(fault.CodeOf(err)), "%s: %v", row.call, err)
		if err != nil {
			require.ErrorContains(t, err, row.says)
			continue
		}
		require.Equal(t, map[string]any{}, compiled.Content.FunctionCall.Arguments, row.call)
	}
}

func TestARevisionUnderAnotherNameIsNoPin(t *testing.T) {
	other := revision(t, "other", "1")
	_, err := compile(t, tools{other}, draft(`{"name":"a","tool":"`+other.ID().String()+`"}`))
	require.Equal(t, fault.InvalidDraft, fault.CodeOf(err))
}

func TestANodeHasOneKindOfContentAndARoleThatFits(t *testing.T) {
	for _, text := range []string{
		`{"role":"user","content":{}}`, `{"role":"user","content":{"message":""}}`, `{"role":"function","content":{"message":"x"}}`,
		`{"role":"user","content":{"functionCall":{"name":"a"}}}`, `{"role":"function","content":{"message":"x","functionCall":{"name":"a"}}}`,
		`{"content":{"message":"x"}}`, `{"role":"user","parent":null,"content":{"message":"x"}}`, `[]`,
	} {
		_, err := compile(t, tools{}, []byte(text))
		require.Equal(t, fault.InvalidDraft, fault.CodeOf(err), text)
	}
}

func TestARecordIsWrittenCanonically(t *testing.T) {
	call := tasktest.Call(t, canon.TaskID{}, "r")
	record := &task.Record{Task: call.ID, Tool: call.Content.FunctionCall.Tool, Outcome: task.OK, Result: map[string]any{"b": nil, "a": 1.0}}
	text, err := record.JSON()
	require.NoError(t, err)
	require.Equal(t, `{"durationMs":0,"isolation":"","outcome":"ok","queuedMs":0,"result":{"a":1,"b":null},"started":false,"startedAt":"","task":"`+
		call.ID.String()+`","tool":"`+record.Tool.String()+`"}`, text)
}

func TestMemoryKeepsTheLatestRecordsAndForgetsTheOldestWhenTheyWeighTooMuch(t *testing.T) {
	store, ctx := new(task.Memory), t.Context()
	calls := []*task.Task{tasktest.Call(t, canon.TaskID{}, "1"), tasktest.Call(t, canon.TaskID{}, "2")}
	complete := func(i int, bytes int) {
		require.NoError(t, store.Put(ctx, calls[i]))
		require.NoError(t, store.Complete(ctx, &task.Record{Task: calls[i].ID, Tool: calls[i].Content.FunctionCall.Tool, Outcome: task.OK,
			Result: []any{map[string]any{"text": strings.Repeat("x", bytes)}}}))
	}
	count := func(i int) int {
		records, err := store.Records(ctx, calls[i].ID)
		require.NoError(t, err)
		return len(records)
	}
	complete(0, 30<<20)
	complete(1, 30<<20)
	require.Equal(t, []int{1, 1}, []int{count(0), count(1)})
	complete(1, 30<<20)
	require.Equal(t, []int{0, 2}, []int{count(0), count(1)}, "the oldest went")
	complete(0, 100<<20)
	require.Equal(t, []int{1, 0}, []int{count(0), count(1)}, "the newest stays, however much it weighs")
	require.NoError(t, store.Erase(ctx, calls[0].ID))
	complete(1, 30<<20)
	complete(0, 30<<20)
	require.Equal(t, []int{1, 1}, []int{count(0), count(1)}, "what was erased weighs nothing")
}
