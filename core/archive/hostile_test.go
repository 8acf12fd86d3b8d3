package archive_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/archive"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

const head = `{"taskyon":"archive","version":1}` + "\n"

// told gives a report's refusals as `line code`.
func told(r *archive.Report) []string {
	var out []string
	for _, refusal := range r.Refused {
		out = append(out, fmt.Sprintf("%d %s", refusal.Line, refusal.Code))
	}
	return out
}

func taskLine(t *testing.T, n task.Node) (id, line string) {
	sealed, err := task.Seal(n)
	require.NoError(t, err)
	text, err := sealed.JSON()
	require.NoError(t, err)
	return sealed.ID.String(), `{"kind":"task","task":` + text + "}\n"
}

func revisionLine(t *testing.T, definition string) (*tool.Revision, string) {
	tree, err := canon.Decode([]byte(definition), 64)
	require.NoError(t, err)
	text, err := canon.Encode(tree)
	require.NoError(t, err)
	id := canon.SumTool(text)
	revision, _ := tool.Thaw(id, text, open(t).Limits) // nil when it is none
	return revision, `{"kind":"revision","id":"` + id.String() + `","definition":` + string(text) + "}\n"
}

func full(name, class string) string {
	return `{"name":"` + name + `","description":"",` + parameters + `,"implementation":{` + class + `}}`
}

func TestAChangedLineIsRefusedWithWhatDependsOnItAndAllElseComesIn(t *testing.T) {
	author := open(t)
	root, _ := author.story()
	text := author.export(root.ID, archive.Options{Descendants: true})
	for _, row := range []struct {
		from, to string
		refused  []string
	}{
		{`"code":"(a) => a.n"`, `"code":"(a) => a.m"`, []string{"3 corrupt"}},
		{`"name":"a.txt"`, `"name":"b.txt"`, []string{"7 invalid_task", "8 not_found", "9 not_found", "10 not_found", "11 not_found", "12 not_found", "13 not_found", "14 not_found", "15 not_found"}},
		{`"message":"thanks"`, `"message":"thank you"`, []string{"12 invalid_task"}},
		{`"message":"thanks"`, `"message":"thanks","more":1`, []string{"12 invalid_task"}},
		{`"result":{"$t":"bytes","v":"AP8="}`, `"result":{"$t":"bytes","v":"AP8"}`, []string{"14 invalid_value"}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"outcome":"fine","queuedMs":0,"result":null`, []string{"15 invalid_task"}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"outcome":"timeout","queuedMs":0,"result":null`, []string{"15 invalid_task"}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"error":{"code":"timeout","message":""},"outcome":"timeout","queuedMs":0,"result":1`, []string{"15 invalid_task"}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"error":{"code":"crashed","message":""},"outcome":"timeout","queuedMs":0,"result":null`, []string{"15 invalid_task"}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"error":{"code":"fine","message":""},"outcome":"fine","queuedMs":0,"result":null`, []string{"15 invalid_task"}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"error":{"code":"tool_error","message":"","value":{"$t":1}},"outcome":"tool_error","queuedMs":0,"result":null`, []string{"15 invalid_value"}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"error":{"code":"tool_error","message":"","value":{"$$t":1}},"outcome":"tool_error","queuedMs":0,"result":null`, []string{}},
		{`"outcome":"ok","queuedMs":0,"result":null`, `"__proto__":{},"outcome":"ok","queuedMs":0,"result":null`, []string{"15 invalid_task"}},
		{`{"kind":"record"`, `{"__proto__":{"kind":"task"},"kind":"record"`, []string{"14 invalid_request"}},
		{`{"kind":"record"`, `{"kind":"records"`, []string{"14 invalid_request"}},
		{`{"kind":"record"`, `{"kind":"record","kind":"record"`, []string{"14 invalid_json"}},
		{`{"kind":"record"`, `{"kind":"record`, []string{"14 invalid_json"}},
	} {
		changed := strings.Replace(text, row.from, row.to, 1)
		require.NotEqual(t, text, changed, row.from)
		reader := open(t)
		report := reader.take(changed)
		require.ElementsMatch(t, row.refused, told(report), "%s: %+v", row.to, report.Refused)
		require.Equal(t, 14-len(row.refused), report.Revisions.New+report.Tasks.New+report.Records.New, row.to)
		reader.inert()
	}
	report := open(t).take(strings.Replace(text, `"name":"a.txt"`, `"name":"b.txt"`, 1))
	require.Contains(t, report.Refused[1].Message, "was refused on line 7")
	require.Contains(t, report.Refused[8].Message, "was refused on line ")
}

func TestARecordNamesNoTaskAsMadeByItsCallThatStandsElsewhere(t *testing.T) {
	author, reader := open(t), open(t)
	mine := reader.message(canon.TaskID{}, "of another chat")
	root, _ := author.story()
	call := author.call(root.ID, "sum")
	child := author.message(call.ID, "made")
	author.complete(call, nil)
	text := author.export(root.ID, archive.Options{Descendants: true})
	from := `"task":"` + call.ID.String() + `"`
	at := strings.LastIndex(text, from)
	require.Positive(t, at)
	naming := func(ids ...string) string {
		return text[:at] + `"subtasks":["` + strings.Join(ids, `","`) + `"],` + text[at:]
	}
	absent := canon.SumTask([]byte("erased")).String()
	require.Empty(t, open(t).take(naming(child.ID.String(), absent)).Refused, "one that was erased is named still")
	for title, id := range map[string]string{"of the file": root.ID.String(), "that was here": mine.ID.String(), "itself": call.ID.String()} {
		where := open(t)
		if title == "that was here" {
			where = reader
		}
		report := where.take(naming(child.ID.String(), id))
		require.Len(t, report.Refused, 1, title)
		require.Equal(t, fault.InvalidTask, report.Refused[0].Code, title)
	}
	report := open(t).take(naming(child.ID.String(), child.ID.String()))
	require.Len(t, report.Refused, 1, "twice")
}

func TestAnyStrictSpellingOfAnItemIsTheSameItem(t *testing.T) {
	author, reader := open(t), open(t)
	root, _ := author.story()
	text := author.export(root.ID, archive.Options{Descendants: true})
	spelled := "\uFEFF\r\n" + strings.ReplaceAll(text, "\n", "\r\n\r\n  \n")
	spelled = strings.ReplaceAll(strings.ReplaceAll(spelled, `{"kind":"task",`, "{ \"k\\u0069nd\" : \"task\" ,\t"), `"thanks"`, `"th\u0061nks"`)
	report := reader.take(spelled)
	require.Empty(t, report.Refused)
	require.Equal(t, text, reader.export(root.ID, archive.Options{Descendants: true}))
	report = open(t).take(head + "\uFEFF{}\n")
	require.Equal(t, []string{"2 invalid_json"}, told(report), "a byte-order mark stands at the start or nowhere")
}

func TestAFileWithoutTheHeaderOfThisVersionIsRefusedWhole(t *testing.T) {
	author := open(t)
	root, _ := author.story()
	body := strings.TrimPrefix(author.export(root.ID, archive.Options{Descendants: true}), head)
	one := strings.SplitAfter(body, "\n")[0]
	for _, row := range []struct {
		text string
		code fault.Code
		says string
	}{
		{"", fault.InvalidRequest, "empty"},
		{"\uFEFF \r\n\n", fault.InvalidRequest, "empty"},
		{body, fault.InvalidRequest, "header"},
		{one, fault.InvalidRequest, "header"},
		{strings.Replace(head, "1", "2", 1) + body, fault.Unavailable, "version 2"},
		{strings.Replace(head, "1", `2,"more":[]`, 1) + body, fault.Unavailable, "version 2"},
		{strings.Replace(head, "1", "0", 1) + body, fault.InvalidRequest, "header"},
		{strings.Replace(head, "1", `"1"`, 1) + body, fault.InvalidRequest, "header"},
		{strings.Replace(head, "1", `1,"__proto__":{}`, 1) + body, fault.InvalidRequest, "header"},
		{strings.Replace(head, "archive", "backup", 1) + body, fault.InvalidRequest, "header"},
		{"5", fault.InvalidRequest, "neither"},
		{`{"a":[]}`, fault.InvalidRequest, "neither"},
		{`"` + head, fault.InvalidJSON, "line 1"},
		{"{\n\"a\": 1,\n}", fault.InvalidJSON, "line 3"},
		{strings.Repeat("[", 1_000_000), fault.InvalidJSON, "nested too deep"},
		{strings.Repeat(`{"a":`, 100_000), fault.InvalidJSON, "nested too deep"},
		{"\xff", fault.InvalidJSON, "UTF-8"},
	} {
		reader := open(t)
		_, err := reader.Import(t.Context(), []byte(row.text))
		require.Equal(t, row.code, fault.CodeOf(err), "%.60s: %v", row.text, err)
		require.ErrorContains(t, err, row.says)
		require.Empty(t, reader.roots())
	}
}

func TestDeepAndLongLinesAreRefusedAndTheRestComesIn(t *testing.T) {
	_, message := taskLine(t, task.Node{Role: task.User, Content: task.Content{Message: "hello"}})
	deep := strings.Repeat("[", 1_000_000)
	reader := open(t)
	report := reader.take(head + deep + "\n" + `{"kind":"record","record":` + deep + "\n" + strings.Repeat(`{"":`, 1_000_000) + "\n" + message)
	require.Equal(t, []string{"2 invalid_json", "3 invalid_json", "4 invalid_json"}, told(report))
	require.Equal(t, 1, report.Tasks.New)

	reader = open(t)
	reader.Limits.ArgumentsBytes, reader.Limits.ResultBytes, reader.Limits.DefinitionBytes = 1<<10, 1<<10, 1<<10
	_, big := revisionLine(t, definition("big", strings.Repeat("x", 2<<10)))
	_, long := taskLine(t, task.Node{Role: task.User, Content: task.Content{Message: strings.Repeat("x", 1<<20+1<<10)}})
	report = reader.take(head + big + long + `{"kind":"record","record":"` + strings.Repeat("x", 3<<20) + "\"}\n" + message)
	require.Equal(t, []string{"2 too_large", "3 too_large", "4 too_large"}, told(report))
	require.Equal(t, 1, report.Tasks.New)
}

func TestAReportListsAHundredRefusalsAndCountsTheRest(t *testing.T) {
	report := open(t).take(head + strings.Repeat("{}\n", archive.MostListed+7))
	require.Len(t, report.Refused, archive.MostListed)
	require.Equal(t, 7, report.RefusedMore)
	report = open(t).take(head + strings.Repeat("{}\n", archive.MostListed))
	require.Zero(t, report.RefusedMore)
	reader := open(t)
	revision, line := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`))
	require.NoError(t, reader.Registry.Block(t.Context(), revision.ID(), strings.Repeat("é", 512)))
	require.LessOrEqual(t, len(reader.take(head + line).Refused[0].Message), 1000)
	require.Less(t, len(open(t).take(head + `{"kind":"` + strings.Repeat("é", 1<<20) + "\"}\n").Refused[0].Message), 1000)
	report = open(t).take("[" + strings.Repeat(`{"parentID":"lost","content":"x"},`, archive.MostListed+7) + `{"content":"x"}]`)
	require.Len(t, report.Converted, archive.MostListed)
	require.Equal(t, archive.MostListed+8+7, report.ConvertedMore, "each is an orphan, and nobody says it")
	text, err := canon.Marshal(open(t).take(head + "{}\n"))
	require.NoError(t, err)
	require.Equal(t, `{"converted":[],"records":{"known":0,"new":0},"refused":[{"code":"invalid_request","line":2,"message":"line: $.kind: \"\" is not revision, task or record","path":"$.kind"}],"revisions":{"known":0,"new":0},"tasks":{"known":0,"new":0}}`, string(text))
}

func TestParentsComeBeforeTheirChildrenOrAreHere(t *testing.T) {
	parent, err := task.Seal(task.Node{Role: task.User, Content: task.Content{Message: "parent"}})
	require.NoError(t, err)
	_, first := taskLine(t, parent.Node)
	_, second := taskLine(t, task.Node{Role: task.User, Parent: parent.ID, Content: task.Content{Message: "child"}})
	require.Equal(t, []string{"2 not_found"}, told(open(t).take(head+second+first)))
	require.Empty(t, told(open(t).take(head+first+second)))
	reader := open(t)
	require.NoError(t, reader.Tasks.Put(t.Context(), parent))
	report := reader.take(head + second)
	require.Empty(t, report.Refused)
	require.Equal(t, archive.Count{New: 1}, report.Tasks)
}

func TestNoRecordComesInUnderAnotherRevisionThanItsTasks(t *testing.T) {
	author := open(t)
	one, two := author.install(definition("a", "1"), true), author.install(definition("a", "2"), false)
	call := author.call(canon.TaskID{}, "a")
	author.complete(call, nil)
	hello := author.message(call.ID, "hello")
	text := author.export(hello.ID, archive.Options{})
	other := strings.Replace(text, `"tool":"`+one.ID().String()+`"}}`+"\n", `"tool":"`+two.ID().String()+`"}}`+"\n", 1)
	require.NotEqual(t, text, other)
	report := open(t).take(other)
	require.Equal(t, []string{"5 conflict"}, told(report))
	require.Equal(t, 2, report.Tasks.New)
	message := strings.Replace(text, `"task":"`+call.ID.String(), `"task":"`+hello.ID.String(), 1)
	require.Equal(t, []string{"5 invalid_task"}, told(open(t).take(message)), "a record is of a call")
	nobody := strings.Replace(text, `"task":"`+call.ID.String(), `"task":"`+canon.SumTask([]byte("x")).String(), 1)
	require.Equal(t, []string{"5 not_found"}, told(open(t).take(nobody)))
}

func TestWhatRanHereIsToldByWhatRanHereAlone(t *testing.T) {
	author, reader := open(t), open(t)
	author.install(definition("a", "1"), true)
	call := author.call(canon.TaskID{}, "a")
	author.complete(call, "one")
	reader.take(author.export(call.ID, archive.Options{}))
	own := reader.records(call.ID)
	author.complete(call, "forged")
	for range 2 {
		report := reader.take(author.export(call.ID, archive.Options{}))
		require.Equal(t, archive.Count{Known: 1}, report.Records)
		require.Equal(t, []string{"5 conflict"}, told(report))
		require.Contains(t, report.Refused[0].Message, "records of a task that was here already are its own history")
		require.Equal(t, own, reader.records(call.ID))
	}
	idle := open(t)
	require.NoError(t, idle.Tasks.Put(t.Context(), call))
	require.Equal(t, []string{"4 conflict", "5 conflict"}, told(idle.take(author.export(call.ID, archive.Options{}))))
	require.Empty(t, idle.records(call.ID), "also where it never ran")
}

func TestABlockStaysWhateverAFileBrings(t *testing.T) {
	author, reader := open(t), open(t)
	root, _ := author.story()
	text := author.export(root.ID, archive.Options{Descendants: true})
	sum, _ := author.Registry.Lookup(t.Context(), "sum")
	require.NoError(t, reader.Registry.Block(t.Context(), sum.ID(), "steals"))
	report := reader.take(text)
	require.Equal(t, []string{"3 denied"}, told(report))
	require.Contains(t, report.Refused[0].Message, "steals")
	require.Equal(t, 10, report.Tasks.New, "its tasks come in")
	_, err := reader.Registry.Revision(t.Context(), sum.ID())
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.Equal(t, fault.Denied, fault.CodeOf(reader.Registry.Permit(t.Context(), sum.ID())))
	require.Equal(t, []string{"3 denied"}, told(reader.take(text)))
	require.NoError(t, author.Registry.Block(t.Context(), sum.ID(), ""))
	report = author.take(text)
	require.Equal(t, []string{"3 denied"}, told(report), "also where it is installed")
	require.Equal(t, archive.Count{Known: 1}, report.Revisions)
}

func TestCodeThatTheParserRefusesStaysOutWhereverItStands(t *testing.T) {
	_, broken := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"broken"`))
	_, mute := revisionLine(t, full("a", `"class":"sandboxed-code","language":"javascript","code":"mute"`))
	tree, err := canon.Decode([]byte(full("a", `"class":"sandboxed-code","language":"javascript","code":"broken"`)), 64)
	require.NoError(t, err)
	id, lexical := taskLine(t, task.Node{Role: task.User, Content: task.Content{ToolDefinition: tree.(map[string]any)}})
	parent, err := canon.ParseTaskID(id)
	require.NoError(t, err)
	_, below := taskLine(t, task.Node{Role: task.User, Parent: parent, Content: task.Content{Message: "hello"}})
	reader := open(t)
	require.Equal(t, []string{"2 invalid_code", "3 unavailable", "4 invalid_code", "5 not_found"}, told(reader.take(head+broken+mute+lexical+below)))
	installed, err := reader.Registry.Installed(t.Context())
	require.NoError(t, err)
	require.Empty(t, installed)
}

func TestADefinitionInAnotherSpellingIsRefusedUnderTheHashOfThatSpelling(t *testing.T) {
	_, short := revisionLine(t, definition("a", "1"))
	_, empty := revisionLine(t, strings.Replace(full("a", `"class":"sandboxed-code","language":"javascript","code":"1"`), `"description"`, `"needs":{},"description"`, 1))
	require.Equal(t, []string{"2 corrupt", "3 corrupt"}, told(open(t).take(head+short+empty)))
}

// A file could give a function of the host a looser schema than the host's own.
func TestAFileBringsNoRevisionThatRunsOutsideASandbox(t *testing.T) {
	text := full("files", `"class":"trusted-native","native":"files.read","version":"1"`)
	native, nativeLine := revisionLine(t, text)
	_, service := revisionLine(t, full("crm", `"class":"external-service","service":"crm","operation":"lookup"`))
	report := open(t).take(head + nativeLine + service)
	require.Equal(t, []string{"2 denied", "3 denied"}, told(report))
	require.Contains(t, report.Refused[0].Message, "register")
	host := open(t)
	registered, err := host.Registry.RegisterNative(t.Context(), []byte(text), registry.Native(nil), false)
	require.NoError(t, err)
	require.Equal(t, native.ID(), registered.ID())
	require.Equal(t, archive.Count{Known: 1}, host.take(head+nativeLine).Revisions)
}
