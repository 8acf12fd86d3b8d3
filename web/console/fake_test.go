package console_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

// fakeEngine keeps tools as the real one does and runs what a test gives it.
type fakeEngine struct {
	history map[string][]console.Tool
	install func(definition string) error
	run     func(ctx context.Context, arguments string, onLog func(console.LogLine)) (console.Record, error)
	// settings judges values, imports takes a file in.
	settings func(values string) error
	imports  func(text string) (console.Report, error)
	pinned   map[string]bool
	fakeAuthority
	ran []string // revision, arguments and disposable of each run
}

func (f *fakeEngine) Install(_ context.Context, definition string, activate bool) (string, error) {
	if f.install != nil {
		if err := f.install(definition); err != nil {
			return "", err
		}
	}
	d, err := tool.Read([]byte(definition), limits.Default())
	if err != nil {
		return "", err
	}
	r, err := tool.Freeze(d)
	if err != nil {
		return "", err
	}
	added := console.Tool{Name: d.Name, Description: d.Description, Revision: r.ID().String(), Class: string(d.Implementation.Class),
		Language: string(d.Implementation.Language), Code: d.Implementation.Code, Parameters: d.Parameters, Definition: r.Bytes(), Settings: d.Settings}
	if !slices.ContainsFunc(f.history[d.Name], func(t console.Tool) bool { return t.Revision == added.Revision }) {
		f.history[d.Name] = append([]console.Tool{added}, f.history[d.Name]...)
	}
	if activate {
		return added.Revision, f.Activate(context.Background(), d.Name, added.Revision)
	}
	return added.Revision, nil
}

func (f *fakeEngine) Tools(context.Context) ([]console.Tool, error) {
	var tools []console.Tool
	for _, history := range f.history {
		active := max(0, slices.IndexFunc(history, func(t console.Tool) bool { return t.Active }))
		tools = append(tools, history[active])
	}
	return tools, nil
}

func (f *fakeEngine) History(_ context.Context, name string) ([]console.Tool, error) {
	return slices.Clone(f.history[name]), nil
}

func (f *fakeEngine) Activate(_ context.Context, name, revision string) error {
	for i := range f.history[name] {
		t := &f.history[name][i]
		if t.Active = t.Revision == revision; t.Active {
			t.Bound = time.Now()
		}
	}
	return nil
}

func (f *fakeEngine) Remove(ctx context.Context, name string) error { return f.Activate(ctx, name, "") }

// on acts on one revision.
func (f *fakeEngine) on(revision string, act func(t *console.Tool)) {
	for _, history := range f.history {
		for i := range history {
			if history[i].Revision == revision {
				act(&history[i])
			}
		}
	}
}

func (f *fakeEngine) Erase(_ context.Context, revision string) error {
	if f.pinned[revision] {
		return fault.New(fault.Conflict, "revision: a task is pinned to it; erase the task first")
	}
	for name, history := range f.history {
		f.history[name] = slices.DeleteFunc(history, func(t console.Tool) bool { return t.Revision == revision })
		if len(f.history[name]) == 0 {
			delete(f.history, name)
		}
	}
	return nil
}

func (f *fakeEngine) Block(_ context.Context, revision, reason string) error {
	f.on(revision, func(t *console.Tool) { t.Blocked, t.Reason = true, reason })
	return nil
}

func (f *fakeEngine) Unblock(_ context.Context, revision string) error {
	f.on(revision, func(t *console.Tool) { t.Blocked, t.Reason = false, "" })
	return nil
}

func (f *fakeEngine) Diff(_ context.Context, before, after string) ([]console.Change, error) {
	return []console.Change{{Path: "$.description", Kind: "changed", Before: before, After: after}}, nil
}

func (f *fakeEngine) SetSettings(_ context.Context, revision, values string) error {
	if f.settings != nil {
		if err := f.settings(values); err != nil {
			return err
		}
	}
	f.on(revision, func(t *console.Tool) { t.Current = values })
	return nil
}

func (f *fakeEngine) Export(_ context.Context, revision string) (string, error) {
	return "archive of " + revision, nil
}

func (f *fakeEngine) Import(ctx context.Context, text string) (console.Report, error) {
	return f.imports(text)
}

func (f *fakeEngine) Run(
	ctx context.Context, tool, arguments string, disposable bool, onLog func(console.LogLine),
) (console.Record, error) {
	f.ran = append(f.ran, fmt.Sprint(tool, " ", arguments, " ", disposable))
	return f.run(ctx, arguments, onLog)
}

// screen counts drawings.
type screen struct {
	sync.Mutex
	drawn int
}

func (s *screen) UnlockOnly() { s.Unlock() }

func (s *screen) UnlockRender() {
	s.drawn++
	s.Unlock()
}

// stage is a console with everything around it, in a bubble of fake time.
type stage struct {
	*console.Model
	t                        *testing.T
	engine                   *fakeEngine
	screen                   *screen
	copied, announced, focus []string
	revealed, visited, saved []string
	held, back               int
	field                    string // what stands in the field for a secret
	chosen                   func() (name, text string, err error)
}

// onStage starts a console and lets a test act on it.
func onStage(t *testing.T, act func(t *testing.T, s *stage)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := &stage{t: t, engine: &fakeEngine{history: map[string][]console.Tool{}}, screen: new(screen)}
		s.engine.run = func(context.Context, string, func(console.LogLine)) (console.Record, error) {
			return console.Record{Outcome: "ok", Result: `"HELLO"`, Task: "task:b3:1"}, nil
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		s.Model = console.New(ctx, s.engine, s.screen, console.Powers{
			Copy:     func(text string) { s.copied = append(s.copied, text) },
			Announce: func(text string) { s.announced = append(s.announced, text) },
			Focus:    func(id string) { s.focus = append(s.focus, id) },
			Reveal:   func(id string) { s.revealed = append(s.revealed, id) },
			Save:     func(name, text string) { s.saved = append(s.saved, name+": "+text) },
			Visit:    func(tool string) { s.visited = append(s.visited, tool) },
			Hold:     func() { s.held++ },
			GiveBack: func() { s.back++ },
			Take: func(string) string {
				value := s.field
				s.field = ""
				return value
			},
			Chosen: func(context.Context, string, int) (string, string, error) { return s.chosen() },
		})
		s.do(func() { s.Start("") })
		require.True(t, s.Ready, s.Trouble)
		act(t, s)
		time.Sleep(time.Minute) // let the timers of the page pass
	})
}

// do is one event of a person and all that follows from it.
func (s *stage) do(event func()) {
	s.t.Helper()
	s.begin(event)
	synctest.Wait()
}

// begin is one event, with nothing awaited.
func (s *stage) begin(event func()) {
	s.screen.Lock()
	defer s.screen.UnlockRender()
	s.Guard(event)
}

func (s *stage) names() (names []string) {
	for _, t := range s.Tools {
		names = append(names, t.Name)
	}
	return names
}
