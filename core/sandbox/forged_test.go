package sandbox_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// second is a sandbox that has served one call and runs another.
func second(t *testing.T, test func(t *testing.T, r *rig, results <-chan sandbox.Result)) {
	t.Helper()
	play(t, mute, func(t *testing.T, r *rig) {
		first := r.begin(context.Background(), request())
		r.place(1).Return(1, nil)
		require.Equal(t, sandbox.OK, settled(t, first).Outcome)
		test(t, r, r.begin(context.Background(), with(func(q *sandbox.Request) {
			q.Power = func(context.Context, sandbox.Ask) sandbox.Answer { return answer("granted") }
		})))
	})
}

func TestAToolThatForgesMessagesOnlyFalsifiesItsOwnCall(t *testing.T) {
	forms := []string{
		`{"kind":"result","call":%s,"value":"forged"}`,
		`{"kind":"failure","call":%s,"code":"tool_error","error":{"name":"E","message":"forged"}}`,
		`{"kind":"log","call":%s,"lines":[{"level":"info","text":"forged"}]}`,
		`{"kind":"progress","call":%s,"text":"forged"}`,
		`{"kind":"ask","call":%s,"ask":1,"capability":"fetch","params":{}}`,
	}
	for _, form := range forms {
		kind := strings.Split(form, `"`)[3]
		t.Run(kind+" of an ended call is dropped", func(t *testing.T) {
			second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
				r.place(1).SayText(fmt.Sprintf(form, "1"))
				unsettled(t, results)
				require.Equal(t, 1, r.Late())
				r.place(1).Return(2, "real")
				got := settled(t, results)
				require.Equal(t, "real", got.Value)
				require.Empty(t, got.Logs)
				require.Equal(t, []string{"start", "call", "call"}, r.place(1).Heard())
			})
		})
		for _, id := range []string{"0", "3", "100", "-1", "1.5", `"2"`, "null", "{}", "[]", "true", "9007199254740993", "1e400", "NaN"} {
			t.Run(kind+" of call "+id+" is a breach", func(t *testing.T) {
				second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
					r.place(1).SayText(fmt.Sprintf(form, id))
					got := settled(t, results)
					require.Equal(t, sandbox.Crashed, got.Outcome)
					require.Contains(t, got.Message, "broke the protocol")
					require.Nil(t, got.Value)
					require.True(t, r.place(1).Closed())
				})
			})
		}
	}
	// What a tool says of its own call counts: that is the worst it can do, and the control of the above.
	second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
		for _, form := range append(forms[2:], forms[0]) {
			r.place(1).SayText(fmt.Sprintf(form, "2"))
			synctest.Wait()
		}
		got := settled(t, results)
		require.Equal(t, "forged", got.Value)
		require.Len(t, got.Logs, 1)
		require.Contains(t, r.place(1).Heard(), "answer")
	})
}

func TestResultsForAllIdsSettleNothingButTheRunningCall(t *testing.T) {
	second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
		for id := range 101 {
			r.place(1).SayText(fmt.Sprintf(`{"kind":"result","call":%d,"value":%d}`, id, id))
		}
		require.Equal(t, sandbox.Crashed, settled(t, results).Outcome, "0 is a breach, and the end")
		require.Equal(t, 100, r.Late())
	})
	second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
		for id := range 2 {
			r.place(1).SayText(fmt.Sprintf(`{"kind":"result","call":%d,"value":%d}`, id+1, id+1))
		}
		require.Equal(t, 2.0, settled(t, results).Value)
	})
}

func TestTheFirstEndOfACallWins(t *testing.T) {
	result, failure := &protocol.Result{Call: 1, Value: "a"}, &protocol.Failure{Call: 1, Code: protocol.ToolError}
	for _, pair := range [][2]protocol.Message{{result, result}, {result, failure}, {failure, result}, {failure, failure}} {
		script := sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
			if c.Call == 1 {
				p.Say(pair[0])
				p.Say(pair[1])
				return
			}
			p.Return(c.Call, "next")
		})
		play(t, script, func(t *testing.T, r *rig) {
			require.Equal(t, pair[0] == result, r.run(request()).Outcome == sandbox.OK)
			require.Equal(t, "next", r.run(request()).Value, "and the sandbox is as it was")
			require.Equal(t, 1, r.Late())
		})
	}
}

func TestAMalformedMessageEndsTheSandboxAndNothingElse(t *testing.T) {
	for _, text := range []string{
		"", " ", "null", "{}", "[]", "7", "not json", "\xff", "\x00", `{"kind":"wish","call":2}`, `{"kind":"constructor"}`,
		`{"kind":"result","call":2}`, `{"kind":"result","call":2,"value":1,"tool":"tool:b3:1"}`, `{"kind":"result","call":2,"value":1}x`,
		`{"kind":"result","call":2,"value":1,"value":2}`, `{"kind":"Result","call":2,"value":1}`, `{"kind":"result","Call":2,"value":1}`,
		`{"kind":"result","call":2,"value":{"$t":"wish"}}`,
		`{"kind":"result","call":2,"value":` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`,
		`{"kind":"result","call":2,"value":"` + strings.Repeat("x", 35<<20) + `"}`,
		`{"kind":"ask","call":2,"ask":2,"capability":"fetch","params":1}`, `{"kind":"ask","call":2,"ask":1,"capability":"eval","params":1}`,
		`{"kind":"ask_cancel","call":2,"ask":1}`, `{"kind":"credit","call":2,"ask":1,"bytes":1}`, `{"kind":"pong","seq":1}`,
		`{"kind":"ready","version":1}`, `{"kind":"log","call":2,"lines":null}`, `{"kind":"log","call":2,"lines":[{"level":"loud","text":""}]}`,
		// the words of the host
		`{"kind":"start","name":"t","language":"javascript","program":"","limits":{}}`, `{"kind":"answer","call":2,"ask":1,"value":1}`,
		`{"kind":"call","call":3,"args":{},"timeoutMs":1,"wallMs":1,"context":{"task":"","tool":""}}`, `{"kind":"cancel","call":2}`,
		`{"kind":"chunk","call":2,"ask":1,"seq":0,"last":true}`, `{"kind":"ping","seq":1}`,
	} {
		second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
			other := r.begin(context.Background(), with(func(q *sandbox.Request) { q.Key.Partition = "other" }))
			r.place(1).SayText(text)
			got := settled(t, results)
			require.Equal(t, sandbox.Crashed, got.Outcome, text[:min(len(text), 80)])
			require.Less(t, len(got.Message), 500)
			require.True(t, r.place(1).Closed())
			unsettled(t, other)
			r.place(2).Return(1, "other")
			require.Equal(t, "other", settled(t, other).Value)
		})
	}
}

func TestABodyWhereNoneBelongsIsABreach(t *testing.T) {
	second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
		r.place(1).SayText(`{"kind":"result","call":2,"value":1}`, []byte("x"))
		require.Equal(t, sandbox.Crashed, settled(t, results).Outcome)
	})
	second(t, func(t *testing.T, r *rig, results <-chan sandbox.Result) {
		r.place(1).SayText("", []byte(`{"kind":"result","call":2,"value":1}`))
		require.Equal(t, 1.0, settled(t, results).Value, "a text may travel as a blob")
	})
}
