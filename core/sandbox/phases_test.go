package sandbox_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox/sandboxtest"
)

// gate is a wall whose Open takes its time.
type gate struct {
	sandbox.Wall
	open chan struct{} // nil: at once
	sink sandbox.Sink
}

func (g *gate) Open(ctx context.Context, sink sandbox.Sink) (sandbox.Link, error) {
	g.sink = sink
	if g.open != nil {
		<-g.open
	}
	return g.Wall.Open(ctx, sink)
}

// moment is a call at one phase of its life.
type moment struct {
	*rig
	gate    *gate
	cancel  context.CancelFunc
	results <-chan sandbox.Result
	proceed func() // lets what the phase holds up go on
}

// phases bring a call to each phase of its life.
var phases = []struct {
	name    string
	script  sandboxtest.Script
	started bool // the code may have begun to run
	places  int  // opened once the phase is over
	bring   func(*moment, sandbox.Request) sandbox.Request
}{
	{"code", mute, false, 0, func(m *moment, q sandbox.Request) sandbox.Request {
		code := make(chan struct{})
		m.proceed = func() { close(code) }
		q.Code = func(ctx context.Context) (sandbox.Code, error) {
			select {
			case <-code:
			case <-ctx.Done():
			}
			return sandbox.Code{Name: "tool"}, ctx.Err()
		}
		return q
	}},
	{"opening", mute, false, 1, func(m *moment, q sandbox.Request) sandbox.Request {
		m.gate.open = make(chan struct{})
		m.proceed = func() { close(m.gate.open) }
		return q
	}},
	{"starting", never, false, 1, func(m *moment, q sandbox.Request) sandbox.Request { return q }},
	{"running", mute, true, 1, func(m *moment, q sandbox.Request) sandbox.Request { return q }},
	{"waiting", sandboxtest.Tool(func(p *sandboxtest.Place, c *protocol.Call) {
		p.Say(&protocol.Ask{Call: c.Call, Ask: 1, Capability: "fetch"})
	}), true, 1, func(m *moment, q sandbox.Request) sandbox.Request {
		q.Power = func(ctx context.Context, _ sandbox.Ask) sandbox.Answer { <-ctx.Done(); return sandbox.Answer{} }
		return q
	}},
}

func TestACallCanBeEndedAtEveryPhase(t *testing.T) {
	for _, end := range []struct {
		name    string
		do      func(*moment)
		outcome sandbox.Outcome
		reason  string
	}{
		{"abort", func(m *moment) { m.cancel() }, sandbox.Aborted, `call of tool "t": was given up by its caller`},
		{"terminate", func(m *moment) { m.Terminate(request().Key) }, sandbox.Aborted, `sandbox for tool "t": was terminated`},
		{"clear", func(m *moment) { m.Clear() }, sandbox.Aborted, `sandbox for tool "t": was terminated`},
		{"close", func(m *moment) { m.Close(); m.Close() }, sandbox.Aborted, `sandboxes: were closed`},
		{"lost", func(m *moment) { m.gate.sink.Lost("exit 1"); m.gate.sink.Lost("again") }, sandbox.Crashed,
			`sandbox for tool "t": was lost: exit 1`},
		{"breach", func(m *moment) { m.gate.sink.Receive(protocol.Envelope{Text: "{}"}) }, sandbox.Crashed,
			`sandbox for tool "t": broke the protocol: message: no kind`},
		{"empty breach", func(m *moment) { m.gate.sink.Receive(protocol.Envelope{}) }, sandbox.Crashed, ""},
	} {
		for _, phase := range phases {
			for _, disposable := range []bool{false, true} {
				if phase.name == "code" && end.outcome == sandbox.Crashed {
					continue // there is no sink yet
				}
				t.Run(end.name+"/"+phase.name, func(t *testing.T) {
					atPhase(t, phase.script, disposable, phase.bring, func(m *moment) {
						unsettled(t, m.results)
						end.do(m)
						got := settled(t, m.results)
						require.Equal(t, end.outcome, got.Outcome)
						if end.reason != "" {
							require.Equal(t, end.reason, got.Message)
						}
						require.Equal(t, phase.started, got.Started)
						require.Empty(t, m.List(), "and its sandbox is gone")
						m.proceed()
						synctest.Wait()
						require.Equal(t, phase.places, m.wall.Opened())
						require.Zero(t, m.wall.Live())
						late := m.Late()
						for _, p := range m.wall.Places() {
							p.Say(&protocol.Ready{Version: 1})
							p.Say(&protocol.Log{Call: 1, Lines: []protocol.Line{{Level: "info"}}})
							p.Return(1, "late")
							p.Lose("late")
							require.Equal(t, late+3, m.Late(), "what comes later has no effect")
						}
					})
				})
			}
		}
	}
}

// Positive control for the above: without an end, what each phase holds up goes on, and the call is served.
func TestACallThatIsLeftAloneIsServedFromEveryPhase(t *testing.T) {
	for _, phase := range phases {
		t.Run(phase.name, func(t *testing.T) {
			atPhase(t, phase.script, false, phase.bring, func(m *moment) {
				m.proceed()
				synctest.Wait()
				p := m.place(1)
				if phase.name == "starting" {
					p.Say(&protocol.Ready{Version: 1})
					synctest.Wait()
				}
				p.Return(1, "served")
				got := settled(t, m.results)
				require.Equal(t, "served", got.Value, got.Message)
				require.Equal(t, sandbox.Idle, m.phase())
			})
		})
	}
}

func TestRetiringAtEveryPhaseLetsTheCallEndFirst(t *testing.T) {
	for _, phase := range phases {
		t.Run(phase.name, func(t *testing.T) {
			atPhase(t, phase.script, false, phase.bring, func(m *moment) {
				m.Retire(request().Key.Revision)
				unsettled(t, m.results)
				m.proceed()
				synctest.Wait()
				p := m.place(1)
				if phase.name == "starting" {
					p.Say(&protocol.Ready{Version: 1})
					synctest.Wait()
				}
				p.Return(1, "served")
				require.Equal(t, "served", settled(t, m.results).Value)
				require.True(t, p.Closed())
			})
		})
	}
}

// An aborted call gives its place in line to the next; the sandbox that starts serves that one.
func TestAbortingTheFirstOfTwoCallsBeforeTheStartKeepsTheStart(t *testing.T) {
	for _, phase := range phases[:3] {
		t.Run(phase.name, func(t *testing.T) {
			atPhase(t, phase.script, false, phase.bring, func(m *moment) {
				second := m.begin(context.Background(), request())
				m.cancel()
				require.Equal(t, sandbox.Aborted, settled(t, m.results).Outcome)
				m.proceed()
				synctest.Wait()
				if phase.name == "starting" {
					m.place(1).Say(&protocol.Ready{Version: 1})
					synctest.Wait()
				}
				m.place(1).Return(1, "served")
				require.Equal(t, "served", settled(t, second).Value)
				require.Equal(t, 1, m.wall.Opened())
			})
		})
	}
}

func TestAnIdleSandboxThatIsLostOrSpeaksIsReplaced(t *testing.T) {
	for name, end := range map[string]func(*sandboxtest.Place){
		"lost":         func(p *sandboxtest.Place) { p.Lose("the frame was loaded again") },
		"ready twice":  func(p *sandboxtest.Place) { p.Say(&protocol.Ready{Version: 1}) },
		"garbage":      func(p *sandboxtest.Place) { p.SayText("\x00") },
		"flooded":      func(p *sandboxtest.Place) { p.Say(&protocol.Flooded{Reason: "messages"}) },
		"crashed":      func(p *sandboxtest.Place) { p.Say(&protocol.Crashed{Reason: protocol.CrashError}) },
		"late timeout": func(p *sandboxtest.Place) { p.Say(&protocol.Crashed{Call: 1, Reason: protocol.CrashTimeout}) },
	} {
		t.Run(name, func(t *testing.T) {
			play(t, echo, func(t *testing.T, r *rig) {
				require.Equal(t, sandbox.OK, r.run(request()).Outcome)
				end(r.place(1))
				require.Empty(t, r.List())
				require.True(t, r.place(1).Closed())
				require.Equal(t, sandbox.OK, r.run(request()).Outcome)
				require.Equal(t, 2, r.wall.Opened())
			})
		})
	}
}

func TestACallerWhoGaveUpBeforehandStartsNothing(t *testing.T) {
	play(t, echo, func(t *testing.T, r *rig) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		require.Equal(t, sandbox.Aborted, r.Run(ctx, request()).Outcome)
		require.Zero(t, r.wall.Opened())
		ctx, cancel = context.WithTimeout(context.Background(), time.Hour)
		defer cancel()
		require.Equal(t, sandbox.OK, r.Run(ctx, request()).Outcome)
		r.Close()
		require.Equal(t, sandbox.Unavailable, r.run(request()).Outcome)
	})
}

func atPhase(t *testing.T, script sandboxtest.Script, disposable bool, bring func(*moment, sandbox.Request) sandbox.Request,
	test func(*moment)) {
	synctest.Test(t, func(t *testing.T) {
		m := &moment{rig: &rig{wall: sandboxtest.New(script)}, proceed: func() {}}
		m.gate = &gate{Wall: m.wall}
		m.Manager = sandbox.New(m.gate, sandbox.Options{Limits: limits.Default()})
		defer m.Close()
		q := bring(m, request())
		q.Disposable, q.Name = disposable, "t"
		var ctx context.Context
		ctx, m.cancel = context.WithCancel(context.Background())
		defer m.cancel()
		m.results = m.begin(ctx, q)
		test(m)
		m.Close()
		synctest.Wait()
		require.Zero(t, m.wall.Live())
		require.NoError(t, m.wall.Breaches())
	})
}
