package power_test

import (
	"context"
	"io"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/power"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
	"github.com/xyntopia/taskyon-sandbox/core/sandbox"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
	"github.com/xyntopia/taskyon-sandbox/core/storage"
	"github.com/xyntopia/taskyon-sandbox/core/task"
	"github.com/xyntopia/taskyon-sandbox/core/task/tasktest"
)

// wild makes values in tagged form of what asks are made of, and of what they are not.
type wild struct{ *rand.Rand }

var words = []string{"op", "get", "set", "delete", "list", "key", "value", "prefix", "method", "GET", "POST", "url", origin + "/", "headers", "redirect", "body",
	"name", "drafts", "role", "assistant", "user", "content", "message", "functionCall", "toolDefinition", "toolResult", "chatCompletion", "arguments", "tool",
	"settings", "parent", "label", "id", "$$t", "$$", "", "\x00", "%2F/", "🙂", "__proto__", "authorization", "v", "https://[::1]/", "x", "follow", "t"}

func (w wild) word() string { return words[w.Intn(len(words))] }

func (w wild) value(deep int) any {
	switch n := w.Intn(16); {
	case n < 5 && deep > 0:
		object := map[string]any{}
		for range w.Intn(5) {
			key := w.word()
			if len(key) > 0 && key[0] == '$' && (len(key) < 2 || key[1] != '$') {
				continue
			}
			object[key] = w.value(deep - 1)
		}
		return object
	case n < 8 && deep > 0:
		list := make([]any, w.Intn(4))
		for i := range list {
			list[i] = w.value(deep - 1)
		}
		return list
	case n == 8:
		return map[string]any{"$t": "undefined"}
	case n == 9:
		return map[string]any{"$t": []string{"number", "bigint", "date", "bytes"}[w.Intn(4)], "v": "NaN"}
	case n == 10 && deep > 0:
		return map[string]any{"$t": "map", "v": []any{[]any{w.value(deep - 1), w.value(deep - 1)}}}
	case n == 11 && deep > 0:
		return map[string]any{"$t": "set", "v": []any{w.value(deep - 1)}}
	case n == 12:
		return map[string]any{"$t": "error", "v": map[string]any{"name": w.word(), "message": w.word()}}
	case n == 13:
		return []any{nil, true, false, 0.0, -1.0, 1e308}[w.Intn(6)]
	}
	return w.word()
}

// params is often nearly what a capability takes.
func (w wild) params() any {
	near := []map[string]any{
		{"op": w.word(), "key": w.word(), "value": w.value(3), "prefix": w.word()},
		{"method": w.word(), "url": w.word(), "headers": []any{[]any{w.word(), w.word()}, w.value(2)}, "body": w.Intn(2) == 0},
		{"drafts": []any{map[string]any{"role": w.word(), "content": map[string]any{w.word(): w.value(4)}, w.word(): w.value(2)}, w.value(3)}},
		{"name": w.word()},
	}[w.Intn(4)]
	for key := range near {
		switch w.Intn(6) {
		case 0:
			delete(near, key)
		case 1:
			near[key] = w.value(3)
		}
	}
	if w.Intn(8) == 0 {
		return w.value(4)
	}
	return near
}

func FuzzNothingThatAToolAsksBreaksThePowers(f *testing.F) {
	for seed := range int64(400) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed int64) {
		r, w := open(t, many), wild{rand.New(rand.NewSource(seed))}
		r.hold(t)
		parent, err := task.Seal(task.Node{Role: task.User, Content: task.Content{Message: "hi"}})
		require.NoError(t, err)
		tasks := new(task.Memory)
		require.NoError(t, tasks.Put(t.Context(), parent))
		r.call.Task = parent
		r.ports.Storage = storage.New(storage.Options{Store: new(shelf.Memory), Limits: limits.Default()})
		r.ports.Compiler = &task.Compiler{Tools: tasktest.Tools{r.call.Revision}, Scopes: task.NewScopes(tasks), Limits: limits.Default()}
		r.ports.Depth = func(context.Context, *task.Task) (int, error) { return 1, nil }
		r.answer = func(context.Context, power.Request) (*power.Response, error) {
			return &power.Response{Status: w.Intn(700), StatusText: w.word(), Body: &pieces{list: []string{w.word()}, end: io.EOF}}, nil
		}
		session, codec := power.New(r.ports).Open(r.call), protocol.NewCodec(limits.Default().Nesting)
		for range 40 {
			params := w.params()
			if protocol.CheckValue(params, limits.Default().Nesting) != nil {
				continue // does not come past the codec
			}
			before, err := canon.Encode(params)
			require.NoError(t, err)
			for _, capability := range []protocol.Capability{"fetch", "storage", "subtasks", "resolve", "popup"} {
				a := session.Answer(t.Context(), sandbox.Ask{Ask: &protocol.Ask{Call: 1, Ask: 1, Capability: capability, Params: params}, Blobs: make([][]byte, w.Intn(3))})
				if a.Body != nil {
					_, _ = all(a.Body)
				}
				if a.Error != nil {
					require.NotEmpty(t, a.Error.Code)
					continue
				}
				a.Answer.Call, a.Answer.Ask = 1, 1
				text, err := codec.Encode(&a.Answer)
				require.NoError(t, err, "%s", before)
				_, err = codec.Decode(text, len(a.Blobs), protocol.Host)
				require.NoError(t, err, "%s: %s", before, text)
			}
			after, err := canon.Encode(params)
			require.NoError(t, err)
			require.Equal(t, string(before), string(after), "what a tool sent stays as it is")
		}
		for _, made := range session.Subtasks() {
			require.Equal(t, parent.ID, made.Parent)
		}
	})
}
