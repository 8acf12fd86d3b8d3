package console_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func TestAFirstVisitShowsReadyTools(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		require.Equal(t, []string{"add", "uppercase", "weather"}, s.names())
		require.Equal(t, "uppercase", s.Desk().Tool.Name)
		require.True(t, s.Desk().Tool.Active)
		require.Equal(t, "hello sandbox", s.Desk().Arguments.Fields[0].Value)
	})
}

func TestExamplesDoNotReplaceWhatThePersonInstalled(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		_, err := s.engine.Install(t.Context(), `{"name":"uppercase","description":"mine","code":"() => 1"}`, true)
		require.NoError(t, err)
		s.do(func() { s.Start("") })
		require.Equal(t, "mine", s.Desk().Tool.Description)
		require.Len(t, s.Desk().History, 2)
	})
}

func TestARunShowsOutcomeResultAndLogs(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.run = func(_ context.Context, _ string, onLog func(console.LogLine)) (console.Record, error) {
			onLog(console.LogLine{Level: "log", Text: "working"})
			return console.Record{Outcome: "ok", Result: `{"n":1}`, Task: "task:b3:1", Duration: 12 * time.Millisecond}, nil
		}
		s.do(func() { s.Desk().SetDisposable(true) })
		s.do(s.Run)
		run := s.Desk().Run
		require.False(t, run.Running)
		require.Equal(t, "ok", run.Record.Outcome)
		require.Equal(t, "{\n  \"n\": 1\n}", run.Result)
		require.Equal(t, []console.LogLine{{Level: "log", Text: "working"}}, run.Logs)
		require.Equal(t, "1 line", run.LogCount())
		require.Equal(t, []string{s.Desk().Tool.Revision + ` {"input":"hello sandbox"} true`}, s.engine.ran)
		require.Equal(t, []string{"uppercase is running", "uppercase: ok"}, s.announced)
		require.True(t, run.Disposable, "the choice stays for the next run")
	})
}

func TestARunIsPinnedToTheRevisionThatIsShown(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		shown := s.Desk().Tool.Revision
		_, err := s.engine.Install(t.Context(), `{"name":"uppercase","description":"other","code":"() => 1"}`, true)
		require.NoError(t, err)
		s.do(s.Run)
		require.Contains(t, s.engine.ran[0], shown)
	})
}

func TestAbortEndsTheRunOfTheShownToolOnly(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.run = func(ctx context.Context, _ string, _ func(console.LogLine)) (console.Record, error) {
			<-ctx.Done()
			return console.Record{Outcome: "aborted", Error: &console.Failure{Code: "aborted", Message: "the caller gave up"}}, nil
		}
		s.do(s.Abort) // nothing runs
		s.do(s.Run)
		s.do(s.Run) // a second press does nothing
		s.do(func() { s.Select("add") })
		s.do(s.Run)
		require.Len(t, s.engine.ran, 2)
		s.do(s.Abort)
		require.Equal(t, "aborted", s.Desk().Run.Record.Outcome)
		require.False(t, s.Running("add"))
		require.True(t, s.Running("uppercase"))
		s.do(func() { s.Select("uppercase") })
		s.begin(s.Abort)
		require.True(t, s.Desk().Run.Aborting)
		synctest.Wait()
		require.False(t, s.Desk().Run.Aborting)
	})
}

func TestAFloodOfLogLinesIsKeptAndDrawnInBounds(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.run = func(_ context.Context, _ string, onLog func(console.LogLine)) (console.Record, error) {
			for range 5000 {
				onLog(console.LogLine{Text: "x"})
			}
			onLog(console.LogLine{Text: "last"})
			return console.Record{Outcome: "ok"}, nil
		}
		before := s.screen.drawn
		s.do(s.Run)
		time.Sleep(time.Second)
		require.Less(t, s.screen.drawn-before, 10)
		run := s.Desk().Run
		require.Len(t, run.Logs, 1000)
		require.Equal(t, "last", run.Logs[999].Text)
		require.Equal(t, "5001 lines", run.LogCount())
	})
}

func TestTheRecordsLogReplacesWhatWasStreamed(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.run = func(_ context.Context, _ string, onLog func(console.LogLine)) (console.Record, error) {
			onLog(console.LogLine{Text: "streamed"})
			return console.Record{Outcome: "ok", Logs: []console.LogLine{{Text: "kept"}}, Dropped: 3}, nil
		}
		s.do(s.Run)
		require.Equal(t, []console.LogLine{{Text: "kept"}}, s.Desk().Run.Logs)
		require.Equal(t, "1 line, and 3 more that were not kept", s.Desk().Run.LogCount())
	})
}

func TestLinesThatComeAfterTheRunAreIgnored(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		var late func(console.LogLine)
		s.engine.run = func(_ context.Context, _ string, onLog func(console.LogLine)) (console.Record, error) {
			late = onLog
			return console.Record{Outcome: "ok"}, nil
		}
		s.do(s.Run)
		late(console.LogLine{Text: "late"})
		require.Empty(t, s.Desk().Run.Logs)
	})
}

func TestAnArgumentErrorIsShownAtItsField(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.run = func(context.Context, string, func(console.LogLine)) (console.Record, error) {
			return console.Record{}, fault.At(fault.InvalidArguments, "$.input", "arguments of \"uppercase\": $.input: too short")
		}
		s.do(s.Run)
		require.Equal(t, "invalid_arguments", s.Desk().Run.Record.Outcome)
		require.Contains(t, s.Desk().Arguments.Fields[0].Problem, "too short")
		require.Equal(t, []string{"argument-0"}, s.focus)
		s.do(func() { s.Desk().Arguments.SetField(0, "longer") })
		require.Empty(t, s.Desk().Arguments.Fields[0].Problem)
	})
}

func TestAMistypedNumberNeverReachesTheEngine(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.Select("add"); s.Desk().Arguments.SetField(1, "forty") })
		s.do(s.Run)
		require.Empty(t, s.engine.ran)
		require.Equal(t, "b is not a number; write it like 12 or -0.5", s.Desk().Arguments.Fields[1].Problem)
		require.Equal(t, "$.b", s.Desk().Run.Record.Error.Path)
		s.do(func() { s.Desk().Arguments.SetField(1, "40") })
		s.do(s.Run)
		require.Len(t, s.engine.ran, 1)
	})
}

func TestAPanicInAHandlerBecomesAVisibleFault(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { panic("handler") })
		require.Equal(t, "console: internal fault: handler", s.Trouble)
		s.do(s.Dismiss)
		require.Empty(t, s.Trouble)
		s.do(s.Run)
		require.Equal(t, "ok", s.Desk().Run.Record.Outcome, "the console goes on")
	})
}

func TestAPanicInTheEngineEndsItsRunAndNothingElse(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.run = func(context.Context, string, func(console.LogLine)) (console.Record, error) { panic("engine") }
		s.do(s.Run)
		require.Equal(t, "engine: internal fault: engine", s.Trouble)
		require.Equal(t, "internal", s.Desk().Run.Record.Outcome)
		require.False(t, s.Desk().Run.Running)
		s.engine.install = func(string) error { panic("install") }
		s.do(s.InstallTool)
		require.Equal(t, "engine: internal fault: install", s.Trouble)
		require.False(t, s.Form.Busy)
	})
}

func TestAnEngineThatCannotListSaysSo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := console.New(t.Context(), brokenEngine{}, new(screen), console.Powers{})
		m.Start("")
		synctest.Wait()
		require.False(t, m.Ready)
		require.Equal(t, "store is gone", m.Trouble)
	})
}

type brokenEngine struct{ console.Engine }

func (brokenEngine) Tools(context.Context) ([]console.Tool, error) {
	return nil, errors.New("store is gone")
}

func TestCopyingSaysSoForAMoment(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(func() { s.CopyText("tool:b3:1") })
		require.Equal(t, []string{"tool:b3:1"}, s.copied)
		require.Equal(t, "tool:b3:1", s.Copied)
		time.Sleep(3 * time.Second)
		require.Empty(t, s.Copied)
	})
}
