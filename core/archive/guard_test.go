package archive_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func seal(t testing.TB, n task.Node) (*task.Task, string) {
	sealed, err := task.Seal(n)
	require.NoError(t, err)
	text, err := sealed.JSON()
	require.NoError(t, err)
	return sealed, `{"kind":"task","task":` + text + "}\n"
}

func message(text string) task.Node {
	return task.Node{Role: task.User, Content: task.Content{Message: text}}
}

func resultOf(call, parent canon.TaskID, result any) task.Node {
	return task.Node{Role: task.Function, Parent: parent, Content: task.Content{ToolResult: &task.ToolResult{Call: call, Outcome: task.OK, Result: result}}}
}

func callOf(tool canon.ToolID, parent canon.TaskID) task.Node {
	return task.Node{Role: task.Function, Parent: parent, Content: task.Content{FunctionCall: &task.FunctionCall{Name: "a", Arguments: map[string]any{}, Tool: tool}}}
}

func below(n task.Node, parent canon.TaskID) task.Node {
	n.Parent = parent
	return n
}

func TestARecordSaysOnlyWhatARunCouldHaveSaid(t *testing.T) {
	author := open(t)
	author.install(definition("a", "1"), true)
	call := author.call(canon.TaskID{}, "a")
	author.complete(call, nil)
	text := author.export(call.ID, archive.Options{})
	for _, row := range []struct{ from, to, refused string }{
		{`"startedAt":"2026-01-02T03:04:05.000Z"`, `"startedAt":"2026-01-02T03:04:05.123Z"`, ""},
		{`"startedAt":"2026-01-02T03:04:05.000Z"`, `"startedAt":"2026-01-02T03:04:05Z"`, "invalid_task"},
		{`"startedAt":"2026-01-02T03:04:05.000Z"`, `"startedAt":"2026-01-02T03:04:05.000+01:00"`, "invalid_task"},
		{`"startedAt":"2026-01-02T03:04:05.000Z"`, `"startedAt":"<b>"`, "invalid_task"},
		{`"startedAt":"2026-01-02T03:04:05.000Z"`, `"startedAt":""`, "invalid_task"},
		{`"durationMs":1.5`, `"durationMs":-1`, "invalid_task"},
		{`"durationMs":1.5`, `"durationMs":1e400`, "invalid_json"},
		{`"queuedMs":0`, `"queuedMs":-0.5`, "invalid_task"},
		{`"isolation":"browser"`, `"isolation":"host"`, ""},
		{`"isolation":"browser"`, `"isolation":""`, ""},
		{`"isolation":"browser"`, `"isolation":"vault"`, "invalid_task"},
		{`"outcome"`, `"logs":[{"level":"warn","text":"x"}],"dropped":3,"outcome"`, ""},
		{`"outcome"`, `"logs":[{"level":"warn","text":"x"}],"dropped":-3,"outcome"`, "invalid_task"},
		{`"outcome"`, `"logs":[{"level":"fatal","text":"x"}],"outcome"`, "invalid_task"},
		{`"outcome"`, `"logs":[{"level":"log","text":"` + strings.Repeat("x", 257<<10) + `"}],"outcome"`, "too_large"},
		{`"outcome"`, `"logs":[` + strings.Repeat(`{"level":"log","text":""},`, 1000) + `{"level":"log","text":""}],"outcome"`, "too_large"},
		{`"outcome":"ok"`, `"error":{"code":"tool_error","message":"","line":-1},"outcome":"tool_error"`, "invalid_task"},
	} {
		changed := strings.Replace(text, row.from, row.to, 1)
		require.NotEqual(t, text, changed, row.to)
		report := open(t).take(changed)
		if row.refused == "" {
			require.Empty(t, report.Refused, row.to)
			continue
		}
		require.Equal(t, []string{"4 " + row.refused}, told(report), "%.80s", row.to)
	}
}

func TestAToolResultIsOfACallAboveIt(t *testing.T) {
	tool, _ := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`))
	root, rootLine := seal(t, message("root"))
	call, callLine := seal(t, callOf(tool.ID(), root.ID))
	middle, middleLine := seal(t, below(message("middle"), call.ID))
	aside, asideLine := seal(t, below(message("aside"), root.ID))
	chat := rootLine + callLine + middleLine + asideLine
	_, good := seal(t, resultOf(call.ID, middle.ID, 1.0))
	_, direct := seal(t, resultOf(call.ID, call.ID, 1.0))
	_, ofAside := seal(t, resultOf(call.ID, aside.ID, 1.0))
	_, ofRoot := seal(t, resultOf(root.ID, middle.ID, 1.0))
	_, ofNobody := seal(t, resultOf(canon.SumTask([]byte("x")), middle.ID, 1.0))
	_, alone := seal(t, resultOf(call.ID, canon.TaskID{}, 1.0))
	_, malformed := seal(t, resultOf(call.ID, middle.ID, map[string]any{"$t": "bytes", "v": "?"}))

	report := open(t).take(head + chat + good + direct + ofAside + ofRoot + ofNobody + alone + malformed)
	want := []string{"8 invalid_task", "9 invalid_task", "10 invalid_task", "11 invalid_task", "12 invalid_value"}
	require.Equal(t, want, told(report))
	require.Contains(t, report.Refused[0].Message, "is no function call among the ancestors")

	reader := open(t)
	reader.take(head + chat)
	report = reader.take(head + good + direct + ofAside + ofRoot + ofNobody + alone + malformed)
	require.Equal(t, []string{"4 invalid_task", "5 invalid_task", "6 invalid_task", "7 invalid_task", "8 invalid_value"}, told(report), "and where the chat was here already")

	reader = open(t)
	reader.take(head + chat)
	hello, helloLine := seal(t, below(message("hello"), middle.ID))
	_, deep := seal(t, resultOf(call.ID, hello.ID, 1.0))
	wrong, wrongLine := seal(t, below(message("hello"), aside.ID))
	_, deepWrong := seal(t, resultOf(call.ID, wrong.ID, 1.0))
	require.Equal(t, []string{"5 invalid_task"}, told(reader.take(head+helloLine+deep+wrongLine+deepWrong)), "and partly here")
}

func TestALongChatOfResultsIsCheckedWithoutWalkingItForEach(t *testing.T) {
	const links = 4_000
	tool, _ := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`))
	call, callLine := seal(t, callOf(tool.ID(), canon.TaskID{}))
	first, second := new(strings.Builder), new(strings.Builder)
	fmt.Fprint(first, head, callLine)
	fmt.Fprint(second, head)
	at, chain := call.ID, []canon.TaskID{}
	for n := range links {
		next, line := seal(t, resultOf(call.ID, at, float64(n)))
		first.WriteString(line)
		at, chain = next.ID, append(chain, next.ID)
	}
	for _, parent := range chain {
		_, line := seal(t, resultOf(call.ID, parent, "another"))
		second.WriteString(line)
	}
	reader := open(t)
	require.Empty(t, reader.take(first.String()).Refused)
	reader.store.gets, reader.store.lineages = 0, 0
	report := reader.take(second.String())
	require.Empty(t, report.Refused)
	require.Equal(t, links, report.Tasks.New)
	require.LessOrEqual(t, reader.store.gets, 2*links+10)
	require.LessOrEqual(t, reader.store.lineages, 20)

	_, last := seal(t, resultOf(call.ID, at, "the last"))
	reader.store.gets, reader.store.lineages = 0, 0
	require.Empty(t, reader.take(head+last).Refused)
	require.Equal(t, 1, reader.store.lineages, "far up, all is read at once")
	require.LessOrEqual(t, reader.store.gets, 20)
}

func TestABindingFitsTheRevisionThatIsHereOrComesWithIt(t *testing.T) {
	tool, toolLine := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`))
	native, _ := revisionLine(t, full("n", `"class":"trusted-native","native":"n","version":"1"`))
	bind := func(name string, id canon.ToolID) string {
		_, line := seal(t, task.Node{Role: task.User, Content: task.Content{ToolDefinition: map[string]any{"name": name, "tool": id.String()}}})
		return line
	}
	require.Empty(t, told(open(t).take(head+bind("b", tool.ID()))), "where it is used it is checked again")
	require.Empty(t, told(open(t).take(head+toolLine+bind("a", tool.ID()))))
	require.Equal(t, []string{"3 denied"}, told(open(t).take(head+toolLine+bind("b", tool.ID()))))
	require.Equal(t, []string{"2 denied"}, told(open(t).take(head+bind("b", tool.ID())+toolLine)), "in whatever order")
	spelled := strings.Replace(toolLine, `"revision"`, `"rev\u0069sion"`, 1)
	require.Equal(t, []string{"2 denied"}, told(open(t).take(head+bind("b", tool.ID())+spelled)), "and spelling")
	reader := open(t)
	reader.take(head + toolLine)
	require.Equal(t, []string{"2 denied"}, told(reader.take(head+bind("b", tool.ID()))))
	_, err := reader.Registry.RegisterNative(t.Context(), []byte(native.Bytes()), nil, false)
	require.NoError(t, err)
	require.Equal(t, []string{"2 denied"}, told(reader.take(head+bind("n", native.ID()))))
}

func TestADefinitionInAChatIsWithinTheLimitOfDefinitions(t *testing.T) {
	revision, _ := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`))
	tree, err := canon.Decode([]byte(revision.Bytes()), 64)
	require.NoError(t, err)
	_, line := seal(t, task.Node{Role: task.User, Content: task.Content{ToolDefinition: tree.(map[string]any)}})
	reader := open(t)
	reader.Limits.DefinitionBytes = len(revision.Bytes())
	require.Empty(t, told(reader.take(head+line)))
	reader = open(t)
	reader.Limits.DefinitionBytes = len(revision.Bytes()) - 1
	require.Equal(t, []string{"2 too_large"}, told(reader.take(head+line)))
}

func TestAnImportTakesNoMoreTasksThanItsLimit(t *testing.T) {
	_, one := seal(t, message("one"))
	_, two := seal(t, message("two"))
	old := `[{"id":"a","role":"user","content":{"uploadedFiles":["x","y"]}}]`
	nodes := `[{"content":"x"},{"content":"y"},{"content":"z"}]`
	for _, text := range []string{head + one + two, head + one + one, head + one + `{"kind":"task"}` + "\n", old} {
		reader := open(t)
		reader.Limits.ArchiveTasks = 2
		_, err := reader.Import(t.Context(), []byte(text))
		require.NoError(t, err)
	}
	for _, text := range []string{head + one + two + one, strings.Replace(old, `"x",`, `"x","z",`, 1), nodes, strings.ReplaceAll(strings.Trim(nodes, "[]"), "},", "}\n")} {
		reader := open(t)
		reader.Limits.ArchiveTasks = 2
		_, err := reader.Import(t.Context(), []byte(text))
		require.Equal(t, fault.TooLarge, fault.CodeOf(err), text)
		require.ErrorContains(t, err, "archiveTasks")
		require.Empty(t, reader.roots())
	}
	author := open(t)
	root, last := author.story()
	author.Limits.ArchiveTasks = 9
	require.NotEmpty(t, author.export(last.ID, archive.Options{}))
	err := author.Chat(t.Context(), root.ID, archive.Options{Descendants: true}, new(strings.Builder))
	require.Equal(t, fault.TooLarge, fault.CodeOf(err), "nor does an export write more")
	l, err := limits.With(map[string]any{"archiveTasks": 7.0})
	require.NoError(t, err)
	require.Equal(t, 7, l.ArchiveTasks)
	require.Equal(t, 200_000, limits.Default().ArchiveTasks)
}

// allocated counts the bytes that were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

func TestATextOfTooManyValuesIsNotDecoded(t *testing.T) {
	for _, text := range []string{
		`["a"` + strings.Repeat(`,"a"`, 1<<20) + `]`, // more items than tasks
		`[{"content":[{"a":1}` + strings.Repeat(`,{"a":1}`, 1<<20) + `]}]`,
		`[{"content":[1` + strings.Repeat(`,1`, 7<<20) + `]}]`,
		"{}\n\"\\\n[1" + strings.Repeat(`,"a"`, 7<<20) + "]", // a broken line hides nothing of the next
	} {
		before := allocated()
		_, err := open(t).Import(t.Context(), []byte(text))
		require.Equal(t, fault.TooLarge, fault.CodeOf(err), "%.30s", text)
		require.ErrorContains(t, err, "archiveTasks")
		require.Less(t, allocated()-before, uint64(512<<20))
	}
	reader := open(t)
	reader.Limits.ArchiveTasks = 2
	require.Empty(t, said(reader.take(`[{"role":"user","content":{"message":"`+strings.Repeat(`[{,\"`, 1000)+`"}}]`)), "what stands in a string is one value")
}

func TestAnOldNodeBecomesNoMoreThan256Files(t *testing.T) {
	files := func(n int) string {
		return `[{"id":"a","role":"user","label":[` + strings.Repeat(`"same",`, 20_000) + `"same"],"content":{"uploadedFiles":[` + strings.Repeat(`"x",`, n-1) + `"x"]}}]`
	}
	report := open(t).take(files(256))
	require.Empty(t, said(report))
	require.Equal(t, 256, report.Tasks.New)
	report = open(t).take(files(5000))
	require.Equal(t, "converted item 1 a: more than 256 files; the rest was left out\n", said(report))
	require.Equal(t, 256, report.Tasks.New)
}

func TestTheWordsOfAConversionStandBehindTheOldIDAndMakeRoom(t *testing.T) {
	labels := `"l0"`
	for n := 1; n < 15; n++ {
		labels += fmt.Sprintf(`,"l%d"`, n)
	}
	r := open(t)
	r.take(`[{"id":"c","role":"function","label":[` + labels + `],"content":{"functionCall":{"name":"gone"}}},{"role":"function","label":["only"],"content":{"functionCall":{"name":"other"}}}]`)
	label := r.labelled("was:c").Label
	require.Equal(t, []string{"was:c", "call-not-pinned", "l0"}, label[:3])
	require.Len(t, label, 16)
	require.Equal(t, []string{"call-not-pinned", "only"}, r.labelled("only").Label)
}

func TestANameThatMeansNothingIsAskedForOnce(t *testing.T) {
	r := open(t)
	r.install(definition("sum", "1"), true)
	r.tools.asked, r.tools.listed = 0, 0
	r.take(`[` + strings.Repeat(`{"content":{"functionCall":{"name":"gone"}}},{"content":{"functionCall":{"name":"sum"}}},{"content":{"functionCall":{"name":"no name"}}},`, 50) + `{"content":"x"}]`)
	require.Equal(t, []int{2, 0}, []int{r.tools.asked, r.tools.listed}, "and no suggestion is looked for")
}

func TestWhatAStoreCannotDoIsNoFaultOfTheFile(t *testing.T) {
	author := open(t)
	root, _ := author.story()
	text := author.export(root.ID, archive.Options{Descendants: true})
	child, childLine := seal(t, below(message("x"), canon.SumTask([]byte("parent"))))
	require.NotNil(t, child)
	tool, toolLine := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`))
	_, boundLine := seal(t, task.Node{Role: task.User, Content: task.Content{ToolDefinition: map[string]any{"name": "a", "tool": tool.ID().String()}}})
	old := `[{"content":{"functionCall":{"name":"sum"}}}]`
	for _, code := range []fault.Code{fault.Unavailable, fault.TooLarge, fault.Closed, fault.Aborted} {
		down := fault.New(code, "store: is down")
		for name, row := range map[string]struct {
			text string
			fail func(r *rig)
		}{
			"reading a block":     {head + toolLine, func(r *rig) { r.tools.blocks = down }},
			"reading a bound one": {head + boundLine, func(r *rig) { r.tools.reads = down }},
			"reading a revision":  {head + toolLine, func(r *rig) { r.tools.reads = down }},
			"keeping a revision":  {text, func(r *rig) { r.tools.writes = down }},
			"reading a name":      {old, func(r *rig) { r.tools.active = down }},
			"reading a task":      {head + childLine, func(r *rig) { r.store.failsToGet = down }},
			"keeping tasks":       {text, func(r *rig) { r.store.fails = down }},
			"keeping a record":    {text, func(r *rig) { r.store.failsToComplete = down }},
		} {
			reader := open(t)
			row.fail(reader)
			report, err := reader.Import(t.Context(), []byte(row.text))
			require.Nil(t, report, "%s: %s", name, code)
			require.ErrorContains(t, err, "store: is down", name)
			require.Equal(t, code, fault.CodeOf(err), name)
		}
	}
}

// impatient gives up after so many looks.
type impatient struct {
	context.Context
	left int
}

func (c *impatient) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

func TestAnAbortEndsAnImportWhereverItIs(t *testing.T) {
	author := open(t)
	root, _ := author.story()
	lines := "{\"content\":\"x\"}\n" + strings.Repeat("{\"content\":\"x\"}\n", 20)
	for _, text := range []string{author.export(root.ID, archive.Options{Descendants: true}), oldDump(t), lines, `[{"content":{"uploadedFiles":["a","b","c","d"]}}]`} {
		looks := 0
		for ; ; looks++ {
			_, err := open(t).Import(&impatient{t.Context(), looks}, []byte(text))
			if err == nil {
				break
			}
			require.ErrorIs(t, err, context.Canceled, "after %d looks", looks)
		}
		require.Greater(t, looks, 6)
	}
	looks := 0
	for ; ; looks++ {
		if _, err := open(t).Import(&impatient{t.Context(), looks}, []byte(author.export(root.ID, archive.Options{Descendants: true}))); err == nil {
			break
		}
	}
	require.GreaterOrEqual(t, looks, 2*14+2, "each line is looked at twice, each record once more")
}
