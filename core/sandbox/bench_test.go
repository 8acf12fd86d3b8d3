package sandbox_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
)

// instant answers within Send, which no real wall may do; what is measured is the manager and the codec alone.
type instant struct{ sink sandbox.Sink }

func (w *instant) Open(_ context.Context, sink sandbox.Sink) (sandbox.Link, error) {
	return &instant{sink}, nil
}

func (w *instant) Send(e protocol.Envelope) error {
	// {"args":{"a":1},"call":7,"context":…
	if e.Text[2] != 'a' {
		w.sink.Receive(protocol.Envelope{Text: `{"kind":"ready","version":1}`})
		return nil
	}
	const before = len(`{"args":{"a":1},"call":`)
	end := before
	for e.Text[end] != ',' {
		end++
	}
	w.sink.Receive(protocol.Envelope{Text: `{"kind":"result","call":` + e.Text[before:end] + `,"value":3}`})
	return nil
}

func (w *instant) Close() {}

func BenchmarkWarmCall(b *testing.B) {
	m := sandbox.New(&instant{}, sandbox.Options{Limits: limits.Default()})
	defer m.Close()
	q := args(map[string]any{"a": 1.0})
	q.Context = protocol.Context{Task: "task:b3:0", Tool: "tool:b3:0"}
	require.Equal(b, sandbox.OK, m.Run(context.Background(), q).Outcome)
	b.ReportAllocs()
	for b.Loop() {
		if got := m.Run(context.Background(), q); got.Outcome != sandbox.OK {
			b.Fatal(got.Message)
		}
	}
}
