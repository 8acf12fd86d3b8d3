package console_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/grant"
	"github.com/xyntopia/taskyon-sandbox/web/console"
)

func request() grant.Request {
	return grant.Request{
		Tool: "weather", Capability: "fetch", Scope: "https://xn--bcher-kva.example", Readable: "https://bücher.example", Class: grant.Read,
		Method: "GET", Leak: "it leaks", Need: grant.Need{Capability: "fetch", Scope: "https://xn--bcher-kva.example", Class: grant.Write},
		Declared: true, Asks: 1, Answers: []grant.Answer{grant.Once, grant.Session, grant.Always, grant.Deny},
	}
}

// asked lets a tool ask; what is answered comes out of said.
func asked(s *stage, ctx context.Context, r grant.Request) (said chan grant.Answer) {
	said = make(chan grant.Answer, 1)
	go func() {
		answer, _ := s.Decide(ctx, r)
		said <- answer
	}()
	synctest.Wait()
	s.Drawn(0)
	synctest.Wait()
	return said
}

// later is a time of an act that is late enough.
const later = time.Hour

func armed(s *stage) {
	time.Sleep(console.Arming)
	synctest.Wait()
	require.True(s.t, s.Question.Armed)
}

func TestAQuestionIsShownWithTheFocusOnDenyAndTakesAnAnswer(t *testing.T) {
	for _, answer := range []grant.Answer{grant.Once, grant.Session, grant.Always, grant.Deny} {
		t.Run(string(answer), func(t *testing.T) {
			onStage(t, func(t *testing.T, s *stage) {
				said := asked(s, t.Context(), request())
				require.NotNil(t, s.Question)
				require.Equal(t, console.DenyID, s.focus[len(s.focus)-1])
				require.Equal(t, 1, s.held)
				armed(s)
				s.do(func() { s.Reply(s.Question, answer, later) })
				require.Equal(t, answer, <-said)
				require.Nil(t, s.Question)
				require.Equal(t, 1, s.back, "the focus goes back to where it was")
			})
		})
	}
}

func TestAClickThatWasMeantForSomethingElseAnswersNothing(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		said := asked(s, t.Context(), request())
		q := s.Question
		s.do(func() { s.Reply(q, grant.Always, 10*time.Millisecond) })
		time.Sleep(console.Arming - time.Millisecond)
		synctest.Wait()
		s.do(func() { s.Reply(q, grant.Deny, console.Arming) })
		require.Same(t, q, s.Question, "too soon, even to say no")
		require.Empty(t, said)
		time.Sleep(console.Arming - time.Millisecond)
		synctest.Wait()
		require.False(t, q.Armed, "who clicks on and on answers nothing")
		time.Sleep(time.Millisecond)
		synctest.Wait()
		s.do(func() { s.Reply(q, grant.Once, later) })
		require.Equal(t, grant.Once, <-said)

		next := asked(s, t.Context(), request())
		armed(s)
		s.do(func() { s.Reply(q, grant.Always, later) })
		require.NotNil(t, s.Question, "an answer to the question before is none to this one")
		s.do(func() { s.Reply(s.Question, grant.Deny, later) })
		require.Equal(t, grant.Deny, <-next)
	})
}

func TestAQuestionThatIsNotDrawnYetTakesNoAnswer(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		go func() { _, _ = s.Decide(ctx, request()) }()
		time.Sleep(time.Minute) // a page that is slow
		synctest.Wait()
		require.False(t, s.Question.Armed)
		s.Drawn(0)
		armed(s)
	})
}

func TestAnActOfLongBeforeThatComesLateAnswersNothing(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		said := asked(s, t.Context(), request())
		armed(s)
		s.do(func() { s.Reply(s.Question, grant.Always, console.Arming-1) })
		require.NotNil(t, s.Question, "it was made before the question could be read")
		require.Empty(t, said)
		s.do(func() { s.Reply(s.Question, grant.Once, 2*console.Arming-1) })
		require.Equal(t, grant.Once, <-said)
	})
}

func TestOnlyWhatIsOfferedCanBeAnswered(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		r := request()
		r.Answers = []grant.Answer{grant.Once, grant.Session, grant.Deny}
		said := asked(s, t.Context(), r)
		armed(s)
		require.Equal(t, []grant.Answer{grant.Once, grant.Session}, s.Question.Allowing())
		s.do(func() { s.Reply(s.Question, grant.Always, later) })
		s.do(func() { s.Reply(s.Question, "", later) })
		require.NotNil(t, s.Question)
		s.do(func() { s.Reply(s.Question, grant.Session, later) })
		require.Equal(t, grant.Session, <-said)
	})
}

func TestAWithdrawnQuestionVanishesAndIsDenied(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		ctx, cancel := context.WithCancel(t.Context())
		said := asked(s, ctx, request())
		q := s.Question
		armed(s)
		cancel()
		synctest.Wait()
		require.Nil(t, s.Question)
		require.Equal(t, grant.Deny, <-said)
		require.Contains(t, s.announced, "the question of weather was withdrawn")
		s.do(func() { s.Reply(q, grant.Always, later) })
		require.Nil(t, s.Question)
	})
}

func TestAQuestionSaysHowManyMoreWait(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.engine.waiting = 1
		asked(s, t.Context(), request())
		require.Equal(t, "1 more waits", s.Question.Following())
		drawn := s.screen.drawn
		s.engine.waiting = 3
		time.Sleep(2 * time.Second)
		synctest.Wait()
		require.Equal(t, "3 more wait", s.Question.Following())
		require.Equal(t, drawn+2, s.screen.drawn, "once when it was armed, once for the number")
		s.engine.waiting = 0
		time.Sleep(time.Second)
		synctest.Wait()
		require.Empty(t, s.Question.Following())
	})
}

func TestAQuestionSaysItInWords(t *testing.T) {
	q := console.Question{Request: request()}
	require.Equal(t, "read: fetch data from this site", q.Wants())
	require.Equal(t, "https://bücher.example", q.Alike())
	require.Equal(t, "this site by name, to write", q.Declares())
	require.Empty(t, q.Counts())
	q.Asks, q.Class, q.Declared, q.Readable = 3, grant.Write, false, q.Scope
	require.Contains(t, q.Wants(), "write: ")
	require.Equal(t, "any site: its definition does not name this one", q.Declares())
	require.Equal(t, "2 other requests of the same kind wait for this answer.", q.Counts())
	require.Empty(t, q.Alike(), "what is the same is not said twice")
}

func TestARunThatEndsDoesNotTakeTheFocusFromAQuestion(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		asked(s, t.Context(), request())
		s.do(s.Run)
		require.Equal(t, "ok", s.Desk().Run.Record.Outcome)
		require.Empty(t, s.revealed)
		require.Equal(t, console.DenyID, s.focus[len(s.focus)-1])
	})
}

func TestTheForecastIsThatOfTheTextInTheForm(t *testing.T) {
	onStage(t, func(t *testing.T, s *stage) {
		s.do(s.ShowInstall)
		require.True(t, s.Foreseen.Known)
		require.Empty(t, s.Foreseen.List)
		s.do(s.Form.ShowRaw)
		s.do(func() {
			s.Form.Definition = `{"name":"n","description":"","code":"() => 1","needs":{"storage":true,"fetch":[{"origin":"https://a.example","access":"write"}]}}`
		})
		var asks, free []string
		for _, group := range console.Asks(s.Foreseen.List) {
			for _, f := range group.List {
				asks = append(asks, console.ForecastText(f)+" "+console.ForecastScope(f))
				require.Equal(t, f.Leak, group.Leak)
			}
		}
		for _, f := range console.Free(s.Foreseen.List) {
			free = append(free, console.ForecastText(f))
		}
		require.Equal(t, []string{"Read from https://a.example", "Write to https://a.example"}, asks, "a need to write lets it read too")
		require.Equal(t, []string{"Store values of its own in this browser"}, free)
		s.do(func() { s.Form.Definition += "x" })
		require.False(t, s.Foreseen.Known, "the forecast of an older text is not shown beside this one")
		require.Empty(t, s.Foreseen.List)
	})
}
