package sandbox_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// asking asks as often as its argument says, and returns when the test says so.
var asking = sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
	for i := range int(c.Args.(float64)) {
		p.Say(&protocol.Ask{Call: c.Call, Ask: i + 1, Capability: "fetch", Params: float64(i + 1)})
	}
})

func powered(n int, power func(context.Context, sandbox.Ask) sandbox.Answer) sandbox.Request {
	return with(func(q *sandbox.Request) { q.Args, q.Power = float64(n), power })
}

func answer(v protocol.Value) sandbox.Answer {
	return sandbox.Answer{Answer: protocol.Answer{Value: v}}
}

func last(p *sandboxtest.Place) protocol.Message {
	synctest.Wait()
	m, _ := p.Last()
	return m
}

func TestWhatAPowerSaysReachesTheTool(t *testing.T) {
	big := strings.Repeat("x", 600<<10)
	fail := func(code, message string) sandbox.Answer {
		return sandbox.Answer{Answer: protocol.Answer{Value: "both", Error: &protocol.Fault{Code: code, Message: message}}}
	}
	for _, row := range []struct {
		title string
		power func(context.Context, sandbox.Ask) sandbox.Answer
		want  protocol.Answer
	}{
		{"a value", func(_ context.Context, ask sandbox.Ask) sandbox.Answer {
			return answer([]any{ask.Params, string(ask.Capability)})
		},
			protocol.Answer{Value: []any{1.0, "fetch"}}},
		{"a large value", func(context.Context, sandbox.Ask) sandbox.Answer { return answer(big) }, protocol.Answer{Value: big}},
		{"nothing", func(context.Context, sandbox.Ask) sandbox.Answer { return sandbox.Answer{} }, protocol.Answer{}},
		{"an error, which wins over a value", func(context.Context, sandbox.Ask) sandbox.Answer { return fail("denied", "no") },
			protocol.Answer{Error: &protocol.Fault{Code: "denied", Message: "no"}}},
		{"an error that is too long, cut between characters", func(context.Context, sandbox.Ask) sandbox.Answer {
			return fail(strings.Repeat("c", 65), "m"+strings.Repeat("é", 3000))
		}, protocol.Answer{Error: &protocol.Fault{Code: strings.Repeat("c", 64), Message: "m" + strings.Repeat("é", 2047)}}},
		{"no JSON", func(context.Context, sandbox.Ask) sandbox.Answer { return answer(math.NaN()) },
			protocol.Answer{Error: &protocol.Fault{Code: "internal", Message: `message "answer": $.value: NaN has no JSON form`}}},
		{"no tagged form", func(context.Context, sandbox.Ask) sandbox.Answer { return answer(map[string]any{"$x": 1.0}) },
			protocol.Answer{Error: &protocol.Fault{Code: "internal", Message: `$: key "$x" is neither a tag nor doubled`}}},
		{"too much", func(context.Context, sandbox.Ask) sandbox.Answer { return answer(strings.Repeat("x", 35<<20)) },
			protocol.Answer{Error: &protocol.Fault{Code: "too_large", Message: `message "answer": 36700205 bytes, at most 35651584`}}},
		{"too many bodies", func(context.Context, sandbox.Ask) sandbox.Answer { return sandbox.Answer{Blobs: make([][]byte, 9)} },
			protocol.Answer{Error: &protocol.Fault{Code: "too_large", Message: `answer: 9 blobs of 0 bytes, at most 8 of 67108864`}}},
		{"a panic, without its text", func(context.Context, sandbox.Ask) sandbox.Answer { panic("secret") },
			protocol.Answer{Error: &protocol.Fault{Code: "internal", Message: "BUG: power fetch: panicked"}}},
		{"nobody there", nil,
			protocol.Answer{Error: &protocol.Fault{Code: "denied", Message: `tool "tool": fetch is not available to this call`}}},
	} {
		t.Run(row.title, func(t *testing.T) {
			play(t, asking, func(t *testing.T, r *rig) {
				results := r.begin(context.Background(), powered(1, row.power))
				row.want.Call, row.want.Ask = 1, 1
				require.Equal(t, &row.want, last(r.place(1)))
				r.place(1).Return(1, "on")
				require.Equal(t, "on", settled(t, results).Value, "the call went on")
				if strings.Contains(row.title, "panic") {
					require.ErrorContains(t, r.reported[0], "secret")
				}
			})
		})
	}
}

func TestBodiesTravelWithAsksAndAnswers(t *testing.T) {
	play(t, mute, func(t *testing.T, r *rig) {
		results := r.begin(context.Background(), powered(0, func(_ context.Context, ask sandbox.Ask) sandbox.Answer {
			return sandbox.Answer{Blobs: append(ask.Blobs, []byte("c"))}
		}))
		text := `{"kind":"ask","call":1,"ask":1,"capability":"fetch","params":null}`
		r.place(1).SayText(text, []byte("a"), []byte("b"))
		synctest.Wait()
		_, blobs := r.place(1).Last()
		require.Equal(t, [][]byte{[]byte("a"), []byte("b"), []byte("c")}, blobs)
		text = strings.Replace(text, `"ask":1`, `"ask":2`, 1)
		r.place(1).SayText("", []byte(text), []byte("d"))
		synctest.Wait()
		_, blobs = r.place(1).Last()
		require.Equal(t, [][]byte{[]byte("d"), []byte("c")}, blobs, "a text may travel as the first blob")
		r.place(1).SayText(strings.Replace(text, `"ask":2`, `"ask":3`, 1), make([]byte, 64<<20), []byte{1})
		require.Equal(t, sandbox.Crashed, settled(t, results).Outcome, "one byte over the limit")
	})
}

func TestTheOpenAsksOfACallAreBoundedAtTheEdgeAndOnePast(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		release := make(chan struct{})
		results := r.begin(context.Background(), powered(4, func(_ context.Context, ask sandbox.Ask) sandbox.Answer {
			<-release
			return answer(ask.Params)
		}))
		require.Equal(t, []string{"start", "call", "answer"}, r.place(1).Heard())
		require.Equal(t, &protocol.Answer{Call: 1, Ask: 4, Error: &protocol.Fault{Code: "denied",
			Message: `tool "tool": 3 asks are open, wait until one has settled`}}, last(r.place(1)))
		close(release)
		synctest.Wait()
		require.Len(t, r.place(1).Heard(), 6)
		r.place(1).Say(&protocol.Ask{Call: 1, Ask: 5, Capability: "fetch", Params: 5.0})
		require.Equal(t, &protocol.Answer{Call: 1, Ask: 5, Value: 5.0}, last(r.place(1)), "there is room again")
		r.place(1).Return(1, nil)
		require.Equal(t, sandbox.OK, settled(t, results).Outcome)
	}, func(l *limits.Limits) { l.Asks = 3 })
}

func TestAnAskEndsWhenItIsWithdrawnOrItsCallEnds(t *testing.T) {
	for name, end := range map[string]func(*rig, context.CancelFunc){
		"withdrawn": func(r *rig, _ context.CancelFunc) { r.place(1).Say(&protocol.AskCancel{Call: 1, Ask: 1}) },
		"result":    func(r *rig, _ context.CancelFunc) { r.place(1).Return(1, nil) },
		"abort":     func(_ *rig, cancel context.CancelFunc) { cancel() },
		"lost":      func(r *rig, _ context.CancelFunc) { r.place(1).Lose("gone") },
		"terminate": func(r *rig, _ context.CancelFunc) { r.Clear() },
		"close":     func(r *rig, _ context.CancelFunc) { r.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, asking, func(t *testing.T, r *rig) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				ended := 0
				results := r.begin(ctx, powered(1, func(ctx context.Context, _ sandbox.Ask) sandbox.Answer {
					<-ctx.Done()
					ended++
					return answer("late")
				}))
				require.Zero(t, ended)
				end(r, cancel)
				synctest.Wait()
				require.Equal(t, 1, ended)
				require.NotContains(t, r.place(1).Heard(), "answer", "and nobody is told")
				if name == "withdrawn" {
					r.place(1).Return(1, nil)
				}
				settled(t, results)
			})
		})
	}
}

// A power that does not look at its context: its answer comes when another call runs in the same sandbox.
func TestTheAnswerToOneCallNeverReachesAnother(t *testing.T) {
	play(t, asking, func(t *testing.T, r *rig) {
		release := make(chan struct{})
		slow := func(context.Context, sandbox.Ask) sandbox.Answer { <-release; return answer("of call 1") }
		first := r.begin(context.Background(), powered(1, slow))
		r.place(1).Return(1, nil)
		require.Equal(t, sandbox.OK, settled(t, first).Outcome)
		hold := make(chan struct{})
		held := func(context.Context, sandbox.Ask) sandbox.Answer { <-hold; return answer("of call 2") }
		second := r.begin(context.Background(), powered(1, held))
		close(release)
		synctest.Wait()
		require.Equal(t, []string{"start", "call", "call"}, r.place(1).Heard())
		r.place(1).Say(&protocol.Ask{Call: 1, Ask: 2, Capability: "fetch"})
		require.Equal(t, 1, r.Late(), "an ask of the ended call is dropped")
		close(hold)
		require.Equal(t, &protocol.Answer{Call: 2, Ask: 1, Value: "of call 2"}, last(r.place(1)))
		r.place(1).Return(2, nil)
		require.Equal(t, sandbox.OK, settled(t, second).Outcome)
	})
}
