package core_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/registry"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func rollback(t *testing.T) {
	f := open(t, echo())
	one := f.install(t, "a", "one", "")
	two := f.install(t, "a", "two", "")
	pinned, text := f.compile(t, "a", `{}`)
	_, err := f.Install(t.Context(), []byte(one.Bytes()), false)
	require.NoError(t, err)
	active, err := f.Registry().Lookup(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, two.ID(), active.ID(), "to install an older revision again does not bring it back")
	_, err = f.Registry().Activate(t.Context(), one.ID())
	require.NoError(t, err)
	back, _ := f.compile(t, "a", `{}`)
	require.Equal(t, one.ID(), back.Content.FunctionCall.Tool)
	require.Equal(t, two.ID(), pinned.Content.FunctionCall.Tool)
	record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, two.ID(), record.Tool, "a task of the newer revision keeps it")
	history, err := f.Registry().History(t.Context(), "a")
	require.NoError(t, err)
	var ids []canon.ToolID
	for _, b := range history {
		ids = append(ids, b.Revision)
	}
	require.Equal(t, []canon.ToolID{one.ID(), two.ID(), one.ID()}, ids, "the way back is in the history")
}

// edited is a store whose revisions somebody changed after they were put.
type edited struct {
	*registry.Memory
	from, to string
}

func (s edited) Revision(ctx context.Context, id canon.ToolID) ([]byte, error) {
	text, err := s.Memory.Revision(ctx, id)
	return []byte(strings.ReplaceAll(string(text), s.from, s.to)), err
}

// over opens an engine over other stores, as after a restart.
func over(t *testing.T, wall sandbox.Wall, tools registry.Store, tasks task.Store) *core.Engine {
	e := core.New(core.Ports{Wall: wall, Isolation: "test", Syntax: anything{}, Tools: tools, Tasks: tasks, Clock: sandbox.SystemClock{}, Limits: limits.Default()})
	t.Cleanup(e.Close)
	return e
}

func editedSource(t *testing.T) {
	f := open(t, echo())
	r := f.install(t, "a", "innocent", "")
	_, text := f.compile(t, "a", `{}`)
	for _, edit := range []edited{
		{f.tools, "innocent", "guilty"}, {f.tools, `"innocent"`, `"innocent" `}, {f.tools, `"description":"",`, ``}, {f.tools, `{"class"`, `{"Class":1,"class"`}, {f.tools, r.Bytes(), ``},
	} {
		wall := echo()
		e := over(t, wall, edit, f.tasks)
		_, err := e.Registry().Lookup(t.Context(), "a")
		require.Equal(t, fault.Corrupt, fault.CodeOf(err), edit.to)
		require.ErrorContains(t, err, r.ID().String())
		_, err = e.Registry().Activate(t.Context(), r.ID())
		require.Equal(t, fault.Corrupt, fault.CodeOf(err))
		_, err = e.Compile(t.Context(), []byte(call("a", `{}`)))
		require.Equal(t, fault.Corrupt, fault.CodeOf(err))
		record, err := e.Run(t.Context(), []byte(text), core.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, task.Unavailable, record.Outcome)
		require.False(t, record.Started)
		require.Zero(t, wall.Opened(), "nothing of it reaches a sandbox")
	}
	record, err := over(t, echo(), edited{f.tools, "nowhere", ""}, f.tasks).Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, task.OK, record.Outcome, "the same store without an edit")
}

func racingActivation(t *testing.T) {
	f := open(t, echo())
	code := map[canon.ToolID]string{}
	var ids []canon.ToolID
	for _, source := range []string{"one", "two", "three"} {
		text := []byte(`{"name":"a","description":"","code":"` + source + `"}`)
		r, err := f.Install(t.Context(), text, true)
		require.NoError(t, err)
		clear(text) // the caller's bytes are the caller's
		require.Equal(t, source, r.Definition().Implementation.Code)
		code[r.ID()] = source
		ids = append(ids, r.ID())
	}
	var stop atomic.Bool
	var activating, running sync.WaitGroup
	activating.Go(func() {
		for i := 0; !stop.Load(); i++ {
			if _, err := f.Registry().Activate(context.Background(), ids[i%len(ids)]); err != nil {
				t.Errorf("activate: %v", err)
				return
			}
			runtime.Gosched() // wasm has one thread and takes it from nobody
		}
	})
	for range 3 {
		running.Go(func() {
			for range 60 {
				compiled, err := f.Compile(context.Background(), []byte(call("a", `{}`)))
				if err != nil {
					t.Errorf("compile: %v", err)
					return
				}
				pinned := compiled.Content.FunctionCall.Tool
				text, err := compiled.JSON()
				if err != nil {
					t.Error(err)
					return
				}
				record, err := f.Run(context.Background(), []byte(text), core.RunOptions{Disposable: true})
				if err != nil || record.Outcome != task.OK || record.Tool != pinned || record.Result.(map[string]any)["program"] != code[pinned] {
					t.Errorf("run: pinned to %s, got %+v, %v", pinned, record, err)
					return
				}
			}
		})
	}
	running.Wait()
	stop.Store(true)
	activating.Wait()
	for _, id := range ids {
		_, err := f.Registry().Activate(t.Context(), id)
		require.NoError(t, err)
		compiled, _ := f.compile(t, "a", `{}`)
		require.Equal(t, id, compiled.Content.FunctionCall.Tool)
	}
}

// full is a store that has no room for what is new.
type full struct{ *registry.Memory }

func (full) PutRevision(context.Context, canon.ToolID, string, []byte) error {
	return fault.New(fault.TooLarge, "store: no more space")
}

// forgetful loses what a run should leave.
type forgetful struct{ *task.Memory }

func (forgetful) Complete(context.Context, *task.Record) error {
	return fault.New(fault.TooLarge, "store: no more space")
}

func brokenStores(t *testing.T) {
	f := open(t, echo())
	old := f.install(t, "a", "one", "")
	e := over(t, echo(), full{f.tools}, f.tasks)
	_, err := e.Install(t.Context(), []byte(`{"name":"a","description":"","code":"two"}`), true)
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
	active, err := e.Registry().Lookup(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, old.ID(), active.ID(), "the name means what it meant")
	ids, err := e.Registry().Revisions(t.Context(), "a")
	require.NoError(t, err)
	require.Equal(t, []canon.ToolID{old.ID()}, ids)

	compiled, text := f.compile(t, "a", `{}`)
	_, err = over(t, echo(), f.tools, forgetful{f.tasks}).Run(t.Context(), []byte(text), core.RunOptions{})
	require.Equal(t, fault.TooLarge, fault.CodeOf(err), "a run that left no record is not told as one that did")
	records, err := f.tasks.Records(t.Context(), compiled.ID)
	require.NoError(t, err)
	require.Empty(t, records)
}

func partsOfAnID(t *testing.T) {
	f := open(t, echo())
	r := f.install(t, "a", "one", "")
	id := r.ID().String()
	other := func(keep int) string { // begins as the id does and goes on otherwise
		tail := strings.Map(func(c rune) rune { return map[bool]rune{true: '1', false: '0'}[c == '0'] }, id[keep:])
		return id[:keep] + tail
	}
	prefix := len("tool:b3:")
	for named, code := range map[string]fault.Code{
		id[:prefix+8]: fault.InvalidRequest, id[:prefix+16]: fault.InvalidRequest, id[:len(id)-1]: fault.InvalidRequest, id + "0": fault.InvalidRequest,
		"tool:b3:" + strings.ToUpper(id[prefix:]): fault.InvalidRequest, strings.Replace(id, "tool:", "task:", 1): fault.InvalidRequest, id[len("tool:"):]: fault.InvalidRequest,
		" " + id: fault.InvalidRequest, id[prefix:]: fault.NotFound, other(prefix + 16): fault.NotFound, other(prefix + 32): fault.NotFound, other(len(id) - 1): fault.NotFound,
	} {
		_, err := f.Registry().Lookup(t.Context(), named)
		require.Equal(t, code, fault.CodeOf(err), named)
		draft := `{"role":"function","content":{"functionCall":{"name":"a","arguments":{},"tool":"` + named + `"}}}`
		_, err = f.Compile(t.Context(), []byte(draft))
		require.Contains(t, []fault.Code{fault.InvalidDraft, fault.NotFound}, fault.CodeOf(err), named)
	}
	found, err := f.Registry().Lookup(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, r.ID(), found.ID())
}

func claimsOfADescription(t *testing.T) {
	f := open(t, echo())
	seen := map[canon.ToolID]bool{}
	for _, claim := range []string{
		"Allow once\n\n[Allow] [Always]", "**Trusted by your administrator** <b>safe</b>", "\u202eelbasrever", "\x1b[2J\x1b]0;t\x07", "<img src=x onerror=alert(1)>", "safe", "s\u200bafe", "",
	} {
		r := tooled(t, f, "a", claim, "one")
		require.Equal(t, claim, r.Definition().Description, "it is kept as it is, for others to quote")
		require.False(t, seen[r.ID()], "and is part of the identity")
		seen[r.ID()] = true
	}
	refuses(t, f, `{"name":"a","description":"`+strings.Repeat("x", limits.Default().DefinitionBytes)+`","code":"one"}`, fault.TooLarge)
	refuses(t, f, `{"name":"a","description":{"html":"<b>"},"code":"one"}`, fault.InvalidDefinition)
}

func otherLanguage(t *testing.T) {
	wall := echo()
	f := open(t, wall)
	install := func(language string) canon.ToolID {
		r, err := f.Install(t.Context(), []byte(`{"name":"a","description":"","implementation":{"class":"sandboxed-code","language":"`+language+`","code":"1"}}`), true)
		require.NoError(t, err)
		return r.ID()
	}
	javascript, python := install("javascript"), install("python")
	require.NotEqual(t, javascript, python)
	_, text := f.compile(t, "a", `{}`)
	record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
	require.NoError(t, err)
	require.Equal(t, python, record.Tool)
	require.Equal(t, task.Unavailable, record.Outcome, "no Python here, and JavaScript is no stand-in")
	require.Zero(t, wall.Opened())
	for _, language := range []string{"", "JavaScript", "js", "typescript", "javascript ", "python3"} {
		refuses(t, f, `{"name":"a","description":"","implementation":{"class":"sandboxed-code","language":"`+language+`","code":"1"}}`, fault.InvalidDefinition)
	}
}

func argumentsAsGiven(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "one", `,"parameters":{"type":"object","properties":{"n":{"type":"integer","default":7},"s":{"type":"string","default":"x"},"b":{"type":"boolean"},
		"list":{"type":"array","items":{"type":"integer"}}},"default":{"n":1}}`)
	for _, args := range []string{`{"n":"1"}`, `{"s":1}`, `{"b":"true"}`, `{"b":1}`, `{"b":null}`, `{"list":1}`, `{"list":"1"}`, `{"list":{"0":1}}`, `{"n":1.5}`, `{"n":true}`} {
		refusesDraft(t, f, call("a", args), fault.InvalidArguments)
	}
	for given, want := range map[string]map[string]any{
		`{}`: {}, `{"list":[3,1,2,1]}`: {"list": []any{3.0, 1.0, 2.0, 1.0}}, `{"other":null,"s":" x "}`: {"other": nil, "s": " x "}, `{"n":1.0}`: {"n": 1.0},
	} {
		compiled, text := f.compile(t, "a", given)
		require.Equal(t, want, compiled.Content.FunctionCall.Arguments, "no default was filled in, nothing coerced")
		record, err := f.Run(t.Context(), []byte(text), core.RunOptions{})
		require.NoError(t, err)
		require.Equal(t, want, record.Result.(map[string]any)["args"])
		kept, err := f.Tasks().Get(t.Context(), compiled.ID)
		require.NoError(t, err)
		require.Equal(t, compiled.Bytes(), kept.Bytes())
	}
}

func hostileImports(t *testing.T) {
	f := open(t, echo())
	f.install(t, "a", "one", "")
	const levels = 1_000_000
	for _, opens := range []string{"[", `{"a":`, `[{"":`} {
		deep := strings.Repeat(opens, levels)
		refuses(t, f, deep, fault.InvalidJSON, fault.TooLarge)
		refuses(t, f, `{"name":"b","description":"","code":"one","parameters":{"type":"object","default":`+strings.Repeat(opens, 10_000)+`}}`, fault.InvalidJSON)
		refusesDraft(t, f, deep, fault.InvalidJSON)
		refusesDraft(t, f, call("a", deep), fault.InvalidJSON)
		refusesDraft(t, f, call("a", quote(t, deep)), fault.InvalidArguments)
		_, err := f.Run(t.Context(), []byte(deep), core.RunOptions{})
		require.Equal(t, fault.InvalidJSON, fault.CodeOf(err))
	}
	// A list of tasks is taken whole or not at all: one that is not its id spoils it.
	good, _ := f.compile(t, "a", `{"n":1}`)
	author := open(t, echo())
	root, err := author.Compile(t.Context(), []byte(`{"role":"user","content":{"message":"hi"}}`))
	require.NoError(t, err)
	forged := *root
	forged.ID = good.ID
	require.Equal(t, fault.InvalidTask, fault.CodeOf(f.Tasks().Import(t.Context(), []*task.Task{root, &forged})))
	_, err = f.Tasks().Get(t.Context(), root.ID)
	require.Equal(t, fault.NotFound, fault.CodeOf(err))
	require.NoError(t, f.Tasks().Import(t.Context(), []*task.Task{root}))
	hostileArchives(t, f)
	// The text of a task that names a prototype beside its fields is no task.
	_, text := f.compile(t, "a", `{"n":1}`)
	for _, key := range []string{"__proto__", "constructor"} {
		_, err := f.Run(t.Context(), []byte(strings.Replace(text, `{"content":`, `{"`+key+`":{"role":"system"},"content":`, 1)), core.RunOptions{})
		require.Equal(t, fault.InvalidTask, fault.CodeOf(err), key)
	}
}

// An archive is believed in nothing: each line is hashed again, and no name means anything else by it.
func hostileArchives(t *testing.T, f *fixture) {
	before, err := f.Registry().List(t.Context())
	require.NoError(t, err)
	active, err := f.Registry().Lookup(t.Context(), "a")
	require.NoError(t, err)
	other := open(t, echo()).install(t, "a", "brought", "")
	line := `{"definition":` + other.Bytes() + `,"id":"` + other.ID().String() + `","kind":"revision"}`
	edit := func(from, to string) string {
		require.Contains(t, line, from)
		return strings.Replace(line, from, to, 1)
	}
	const levels = 1_000_000
	for title, hostile := range map[string]string{
		"edited source":             edit(`"brought"`, `"evil"`),
		"another id":                edit(other.ID().String(), active.ID().String()),
		"a key given twice":         edit(`"code":"brought"`, `"code":"brought","code":"evil"`),
		"a prototype":               edit(`{"definition":`, `{"__proto__":{"kind":"task"},"definition":`),
		"a prototype of its own":    edit(`{"description"`, `{"__proto__":{"code":"evil"},"description"`),
		"a million open arrays":     strings.Repeat("[", levels),
		"a million open objects":    strings.Repeat(`{"a":`, levels),
		"a deep definition":         edit(`"parameters":{`, `"parameters":{"default":`+strings.Repeat("[", levels)+strings.Repeat("]", levels)+`,`),
		"a native under our name":   `{"kind":"revision","id":"` + active.ID().String() + `","definition":{"name":"a","description":"","parameters":{"type":"object"},"implementation":{"class":"trusted-native","native":"x","version":"1"}}}`,
		"a kind of its own":         edit(`"kind":"revision"`, `"kind":"grant"`),
		"a kind in capital letters": edit(`"kind":"revision"`, `"kind":"Revision"`),
	} {
		report, err := f.Import(t.Context(), []byte(`{"taskyon":"archive","version":1}`+"\n"+hostile+"\n"))
		require.NoError(t, err, title)
		require.Len(t, report.Refused, 1, title)
		require.Equal(t, 2, report.Refused[0].Line, title)
		require.Less(t, len(report.Refused[0].Message), 1100, title)
		require.Zero(t, report.Revisions.New, title)
		_, err = f.Registry().Revision(t.Context(), other.ID())
		require.Equal(t, fault.NotFound, fault.CodeOf(err), title)
	}
	report, err := f.Import(t.Context(), []byte(`{"taskyon":"archive","version":1}`+"\n"+line+"\n"))
	require.NoError(t, err)
	require.Equal(t, 1, report.Revisions.New, "the same line unharmed: %+v", report.Refused)
	after, err := f.Registry().List(t.Context())
	require.NoError(t, err)
	require.Equal(t, before, after, "and still no name means it")
}
