package archive_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

// all gives every task, its lines only, parents first.
func (r *rig) all() string {
	var lines strings.Builder
	for _, root := range r.roots() {
		for _, line := range strings.SplitAfter(r.export(root, archive.Options{Descendants: true}), "\n") {
			if strings.HasPrefix(line, `{"kind":"task"`) {
				lines.WriteString(line)
			}
		}
	}
	return lines.String()
}

// said gives a report as lines.
func said(report *archive.Report) string {
	var lines strings.Builder
	for _, c := range report.Converted {
		fmt.Fprintf(&lines, "converted %v %s: %s\n", c.Place, c.Was, c.Text)
	}
	for _, r := range report.Refused {
		fmt.Fprintf(&lines, "refused %v %s: %s\n", r.Place, r.Code, r.Message)
	}
	return lines.String()
}

func oldDump(t *testing.T) string {
	text, err := os.ReadFile("testdata/old.json")
	require.NoError(t, err)
	return string(text)
}

// labelled gives the one task that has the label.
func (r *rig) labelled(label string) *task.Task {
	var got []*task.Task
	for waiting := r.roots(); len(waiting) > 0; waiting = waiting[1:] {
		made, err := r.Tasks.Get(r.t.Context(), waiting[0])
		require.NoError(r.t, err)
		children, err := r.Tasks.Children(r.t.Context(), made.ID)
		require.NoError(r.t, err)
		waiting = append(waiting, children...)
		for _, have := range made.Label {
			if have == label {
				got = append(got, made)
			}
		}
	}
	require.Len(r.t, got, 1, label)
	return got[0]
}

func TestAChatOf2024BecomesTheSameTasksForEver(t *testing.T) {
	r := open(t)
	report := r.take(oldDump(t))
	made := r.all()
	require.Equal(t, golden(t, "old.tasks.jsonl", made), made)
	require.Equal(t, golden(t, "old.report.txt", said(report)), said(report), "wording may change, tasks may not")
	require.Equal(t, archive.Count{New: 2}, report.Revisions)
	require.Equal(t, archive.Count{New: strings.Count(made, `{"kind":"task"`)}, report.Tasks)
	require.Equal(t, 1, r.store.imports)
	r.inert()

	again := r.take(oldDump(t))
	require.Equal(t, archive.Count{Known: 2}, again.Revisions)
	require.Equal(t, archive.Count{Known: report.Tasks.New}, again.Tasks)
	require.Equal(t, made, r.all())
	require.Equal(t, said(report), said(again))
	require.Equal(t, 1, r.store.imports)
}

func TestAnOldCallIsPinnedToTheToolOfItsFileAndItsResultFollowsIt(t *testing.T) {
	r := open(t)
	r.install(definition("sum", "(a) => 'another'"), true)
	r.take(oldDump(t))
	call, result := r.labelled("was:call"), r.labelled("was:result")
	revision, err := r.Registry.Revision(t.Context(), call.Content.FunctionCall.Tool)
	require.NoError(t, err)
	require.Equal(t, "adds", revision.Definition().Description, "not to the one that is active here")
	require.Equal(t, call.ID, result.Content.ToolResult.Call)
	require.Equal(t, map[string]any{"sum": 3.0, "$$t": nil}, result.Content.ToolResult.Result)
	failed := r.labelled("was:failed").Content.ToolResult
	require.Equal(t, task.ToolError, failed.Outcome)
	require.Equal(t, r.labelled("was:text call").ID, failed.Call, "the nearest call above")
	require.Equal(t, map[string]any{"__proto__": 1.0}, r.labelled("was:text call").Content.FunctionCall.Arguments)
}

func TestAnOldResultIsOfTheCallRightAboveItOrOfNone(t *testing.T) {
	const start = `[{"id":"a","role":"function","content":{"functionCall":{"name":"sum","arguments":{"n":1}}}},`
	for _, row := range []struct{ nodes, label string }{
		{`{"id":"b","parentID":"a","role":"function","content":{"functionCall":{"name":"gone"}}},{"id":"r","parentID":"b","role":"function","content":{"toolResult":{"result":1}}}]`, "was:r"},
		{`{"id":"r","parentID":"a","role":"function","content":{"functionCall":{"name":"sum"},"toolResult":{"result":1}}}]`, "result-of-no-call"},
		{`{"id":"r","parentID":"a","role":"function","content":{"toolResult":{"result":[` + strings.Repeat("0,", 1<<18) + `0]}}}]`, "was:r"},
	} {
		r := open(t)
		r.install(definition("sum", "1"), true)
		report := r.take(start + row.nodes)
		require.Empty(t, report.Refused)
		made := r.labelled(row.label)
		require.Contains(t, made.Label, "result-of-no-call")
		require.Equal(t, task.Assistant, made.Role)
	}
}

func TestAnOldCallMeansTheActiveToolWhereItsFileHasNone(t *testing.T) {
	const dump = `[{"id":"c","role":"function","content":{"functionCall":{"name":"sum","arguments":{"n":1}}}}]`
	r := open(t)
	require.Contains(t, said(r.take(dump)), "no tool of that name")
	require.Equal(t, []string{"was:c", "call-not-pinned"}, r.labelled("was:c").Label)
	require.Equal(t, `{"functionCall":{"arguments":{"n":1},"name":"sum"}}`, r.labelled("was:c").Content.Message)

	r = open(t)
	old, active := r.install(definition("sum", "1"), true), r.install(definition("sum", "2"), true)
	require.Empty(t, said(r.take(dump)))
	require.Equal(t, active.ID(), r.labelled("was:c").Content.FunctionCall.Tool)
	require.NotEqual(t, old.ID(), active.ID())

	require.Contains(t, said(r.take(strings.Replace(dump, `{"n":1}`, `{"n":"1"}`, 1))), "$.n")
	id := strings.Replace(strings.Replace(dump, `"sum"`, `"`+old.ID().String()+`"`, 1), `"c"`, `"by id"`, 1)
	require.Contains(t, said(r.take(id)), "no tool of that name", "an id is no name")
}

func TestACallOfABlockedToolComesInAndTheToolStaysOut(t *testing.T) {
	const tools = `{"id":"t","role":"system","label":["function"],"content":{"message":{"name":"x","description":"","code":"1"}}}`
	const dump = `[` + tools + `,{"id":"c","parentID":"t","role":"function","content":{"functionCall":{"name":"x"}}}]`
	free := open(t)
	free.take(dump)
	pinned := free.labelled("was:c").Content.FunctionCall.Tool
	r := open(t)
	require.NoError(t, r.Registry.Block(t.Context(), pinned, ""))
	report := r.take(dump)
	require.Len(t, report.Refused, 1)
	require.Equal(t, fault.Denied, report.Refused[0].Code)
	require.Equal(t, archive.Place{Item: 1}, report.Refused[0].Place)
	require.Equal(t, pinned, r.labelled("was:c").Content.FunctionCall.Tool)
	require.Zero(t, report.Revisions.New)
	broken := r.take(strings.Replace(dump, `"code":"1"`, `"code":"broken"`, 1))
	require.Equal(t, fault.InvalidCode, broken.Refused[0].Code)
	require.Len(t, broken.Converted, 1, "its call is a message")
}

func TestDefinitionsComeInAloneAndInListsAndAreNotActivated(t *testing.T) {
	short := definition("a", "1")
	long := full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`)
	for _, text := range []string{short, long, "\uFEFF" + short + "\r\n", "[" + short + "]", `{"tools":[` + short + `]}`, short + "\n\n" + long + "\n", `{"tasks":{"x":` + short + `}}`} {
		r := open(t)
		report := r.take(text)
		require.Empty(t, said(report), text)
		require.Equal(t, 1, report.Revisions.New, text)
		r.inert()
	}
	report := open(t).take(`[` + short + `,` + definition("b", "broken") + `,{"name":"c","code":"1"},5,{},` + full("n", `"class":"trusted-native","native":"x","version":"1"`) + `]`)
	require.Equal(t, 1, report.Revisions.New)
	var got []string
	for _, refusal := range report.Refused {
		got = append(got, fmt.Sprintf("%v %s", refusal.Place, refusal.Code))
	}
	require.Equal(t, []string{"item 2 invalid_code", "item 3 invalid_definition", "item 4 invalid_request", "item 5 invalid_request", "item 6 denied"}, got)
	require.Empty(t, said(open(t).take("[]")))
	require.Empty(t, said(open(t).take(`{"tasks":[]}`)))
	require.Equal(t, fault.InvalidDefinition, open(t).take(strings.Replace(short, `"code"`, `"__proto__":{},"code"`, 1)).Refused[0].Code)
}

func TestOldNodesComeOneALineOrUnderTheirIDs(t *testing.T) {
	const a, b = `{"id":"a","role":"user","content":{"message":"one"}}`, `{"id":"b","role":"user","parentID":"a","content":"two"}`
	want := open(t)
	want.take("[" + b + "," + a + "]")
	require.Equal(t, 2, strings.Count(want.all(), "\n"))
	for _, text := range []string{b + "\n" + a, "\uFEFF" + a + "\r\n\r\n" + b + "\r\n", `{"nodes":[` + a + `,` + b + `]}`, `{"a":` + strings.Replace(a, `"id":"a",`, "", 1) + `,"b":` + b + `}`} {
		r := open(t)
		require.Empty(t, said(r.take(text)))
		require.Equal(t, want.all(), r.all(), text)
	}
	r := open(t)
	report := r.take(a + "\n" + strings.Repeat("[", 1_000_000) + "\n5\n{\"x\":1}\n" + b)
	require.Equal(t, []string{"2 invalid_json", "3 invalid_request", "4 invalid_request"}, told(report))
	require.Equal(t, want.all(), r.all())
}

func TestWhatIsBelowANodeThatCannotComeInIsRefusedToo(t *testing.T) {
	r := open(t)
	r.Limits.ArgumentsBytes = 1
	report := r.take(`[{"id":"a","role":"user","content":{"message":"` + strings.Repeat("x", 2<<20) + `"}},
		{"id":"b","parentID":"a","role":"user","content":{"message":"y"}},{"id":"c","parentID":"b","role":"user","content":{"message":"z"}},
		{"id":"d","role":"user","content":{"message":"else"}}]`)
	require.Equal(t, "refused item 1 too_large", said(report)[:len("refused item 1 too_large")])
	require.Len(t, report.Refused, 3)
	require.Equal(t, 1, report.Tasks.New)
}

func TestLabelsStayWithinWhatANodeHolds(t *testing.T) {
	long, many := strings.Repeat("é", 200), ""
	for i := range 20 {
		many += fmt.Sprintf(`"l%d",`, i)
	}
	r := open(t)
	report := r.take(`[{"id":"` + long + `","role":"user","label":[` + many + `"` + long + `"],"content":{"message":"x"}},{"id":"y","role":"user","label":"one","content":{"message":"x"}}]`)
	require.Len(t, report.Converted, 2)
	kept := r.labelled("l0")
	require.Len(t, kept.Label, 16)
	require.Equal(t, "was:"+strings.Repeat("é", 126), kept.Label[0])
	require.Equal(t, []string{"was:y", "one"}, r.labelled("was:y").Label)
}

func TestALongOldChatIsReadInOneGo(t *testing.T) {
	const nodes = 20_000
	var dump strings.Builder
	for i := range nodes {
		fmt.Fprintf(&dump, `{"id":"%d","parentID":"%d","role":"user","content":{"message":"x"}}`+"\n", i, i+1)
	}
	report := open(t).take(dump.String())
	require.Equal(t, nodes, report.Tasks.New)
	require.Len(t, report.Converted, 1, "the first one's parent is not there")
}

// Whatever the bytes, an import ends in a report or a coded error, says nothing active, and does nothing the second time.
func FuzzImport(f *testing.F) {
	for _, name := range []string{"chat.jsonl", "old.json"} {
		text, err := os.ReadFile("testdata/" + name)
		require.NoError(f, err)
		f.Add(text)
	}
	for _, seed := range []string{"", head, "\uFEFF" + head + "{}\r\n\n", `[{"content":null},{"content":{}},{"content":[]},{"id":1,"parentID":1,"content":"x"}]`,
		`{"content":{"toolResult":null,"functionCall":5}}`, `{"content":{"toolResult":5,"functionCall":{"name":1},"message":{"a":1},"uploadedFiles":{"b":1}},"label":5}`,
		definition("a", "1"), `{"tasks":{"a":{"content":1}},"tools":{"a":` + definition("a", "1") + `}}`, `{"id":"a","parentID":"a","content":1}` + "\n5"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		r := open(t)
		report, err := r.Import(t.Context(), text)
		if err != nil {
			require.NotEqual(t, fault.Internal, fault.CodeOf(err), "%v", err)
			require.Nil(t, report)
			require.Empty(t, r.roots())
			return
		}
		_, err = canon.Marshal(report)
		require.NoError(t, err)
		r.inert()
		before := r.all()
		again := r.take(string(text))
		require.Equal(t, []int{0, 0, 0}, []int{again.Revisions.New, again.Tasks.New, again.Records.New})
		require.Equal(t, report.Refused, again.Refused)
		require.Equal(t, before, r.all())
		for _, root := range r.roots() {
			moved := open(t).take(r.export(root, archive.Options{Descendants: true}))
			require.Empty(t, moved.Refused)
		}
	})
}
