package protocol_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

func TestEveryRowDecodesWhatItEncodes(t *testing.T) {
	codec := protocol.NewCodec(64)
	budget := protocol.Budget{Nesting: 1, ResultBytes: 2, InlineTextBytes: 3, LogLines: 4, LogBytes: 5, MessagesPerWindow: 6, BytesPerWindow: 7, WindowMs: 8, BodyBytes: 9}
	examples := []protocol.Message{
		&protocol.Start{Name: "t", Language: "javascript", Program: "return 1", Limits: budget, Assets: []protocol.Asset{{Name: "a", Size: 1}}},
		&protocol.Call{Call: 1, Args: map[string]any{"a": nil}, TimeoutMs: 1, WallMs: 2, Context: protocol.Context{Task: "k", Tool: "t"}},
		&protocol.Answer{Call: 1, Ask: 1, Error: &protocol.Fault{Code: "denied", Message: "no"}},
		&protocol.Chunk{Call: 1, Ask: 1, Seq: 0, Last: true}, &protocol.Cancel{Call: 1}, &protocol.Ping{Seq: 1},
		&protocol.Ready{Version: 1}, &protocol.Ask{Call: 1, Ask: 1, Capability: protocol.CapabilityFetch, Params: "x"},
		&protocol.AskCancel{Call: 1, Ask: 1}, &protocol.Credit{Call: 1, Ask: 1, Bytes: 9},
		&protocol.Log{Call: 1, Lines: []protocol.Line{{Level: "log", Text: "a"}}, Dropped: 2},
		&protocol.Progress{Call: 1, Fraction: 0.5, Text: "half"}, &protocol.Result{Call: 1, Value: nil},
		&protocol.Failure{Call: 1, Code: protocol.ToolError, Error: protocol.Thrown{Name: "E", Message: "m", Line: 1, Column: 2, Value: 1.0}},
		&protocol.Pong{Seq: 1}, &protocol.Flooded{Call: 0, Reason: "bytes", Count: 3}, &protocol.Crashed{Call: 1, Reason: protocol.CrashTimeout, Message: "m"},
	}
	seen := map[string]bool{}
	for _, m := range examples {
		text, err := codec.Encode(m)
		require.NoError(t, err, m.Kind())
		back, err := codec.Decode(text, 0, protocol.Host, protocol.Tool, protocol.Supervisor)
		require.NoError(t, err, string(text))
		require.Equal(t, m, back)
		seen[m.Kind()] = true
	}
	for _, row := range protocol.Rows() {
		require.True(t, seen[row.Kind], "no example of %s", row.Kind)
		require.Equal(t, row.Kind, row.Make().Kind())
	}
}

// Positive control for the table: every field of every message that is not optional is really demanded.
func TestAMissingFieldIsABreach(t *testing.T) {
	codec := protocol.NewCodec(64)
	for _, row := range protocol.Rows() {
		typ := reflect.TypeOf(row.Make()).Elem()
		for i := range typ.NumField() {
			if strings.Contains(typ.Field(i).Tag.Get("json"), "omitempty") {
				continue
			}
			_, err := codec.Decode([]byte(`{"kind":"`+row.Kind+`"}`), 0, row.By)
			require.Equal(t, fault.InvalidMessage, fault.CodeOf(err), "%s.%s", row.Kind, typ.Field(i).Name)
		}
	}
}

func TestAMessageIsBoundedAtTheEdgeAndOnePast(t *testing.T) {
	codec := protocol.NewCodec(64)
	progress := func(n int) []byte {
		return []byte(`{"kind":"progress","call":1,"text":"` + strings.Repeat("x", n) + `"}`)
	}
	_, err := codec.Decode(progress(1024), 0, protocol.Tool)
	require.NoError(t, err)
	_, err = codec.Decode(progress(1025), 0, protocol.Tool)
	require.Equal(t, fault.InvalidMessage, fault.CodeOf(err))
	_, err = codec.Decode(progress(9000), 0, protocol.Tool)
	require.Equal(t, fault.TooLarge, fault.CodeOf(err))
	_, err = codec.Decode([]byte(strings.Repeat(" ", 40<<20)), 0, protocol.Tool)
	require.Equal(t, fault.TooLarge, fault.CodeOf(err), "refused before it is parsed")
	_, err = codec.Decode(progress(1), 1, protocol.Tool)
	require.Equal(t, fault.InvalidMessage, fault.CodeOf(err), "no row, no blob")
}

func TestAValueNestsToTheLimitAndNoDeeper(t *testing.T) {
	nest := func(open, shut string, n int) any {
		v, err := canon.Decode([]byte(strings.Repeat(open, n)+strings.Repeat(shut, n)), 1000)
		require.NoError(t, err)
		return v
	}
	require.NoError(t, protocol.CheckValue(nest("[", "]", 64), 64))
	require.Error(t, protocol.CheckValue(nest("[", "]", 65), 64))
	pairs := func(n int) any {
		v, err := canon.Decode([]byte(strings.Repeat(`{"$t":"map","v":[[1,`, n)+"0"+strings.Repeat(`]]}`, n)), 1000)
		require.NoError(t, err)
		return v
	}
	require.NoError(t, protocol.CheckValue(pairs(64), 64))
	require.Error(t, protocol.CheckValue(pairs(65), 64))
}

func TestTaggedValues(t *testing.T) {
	for text, ok := range map[string]bool{
		`{"$t":"undefined"}`: true, `{"$t":"undefined","v":1}`: false, `{"$t":"number","v":"NaN"}`: true,
		`{"$t":"number","v":"-0"}`: true, `{"$t":"number","v":"1"}`: false, `{"$t":"number","v":1}`: false,
		`{"$t":"bigint","v":"-12"}`: true, `{"$t":"bigint","v":"0"}`: true, `{"$t":"bigint","v":"-0"}`: false,
		`{"$t":"bigint","v":"012"}`: false, `{"$t":"bigint","v":"1e3"}`: false, `{"$t":"bigint","v":"--1"}`: false,
		`{"$t":"date","v":"2026-01-02T03:04:05.678Z"}`: true, `{"$t":"date","v":null}`: true, `{"$t":"date","v":"2026-01-02"}`: false,
		`{"$t":"date","v":"+275760-09-13T00:00:00.000Z"}`: true, `{"$t":"date","v":"-000001-01-01T00:00:00.000Z"}`: true,
		`{"$t":"bytes","v":"AAE="}`: true, `{"$t":"bytes","v":"AAE"}`: false, `{"$t":"bytes","v":"AB=="}`: false, `{"$t":"bytes","v":3}`: false,
		`{"$t":"set","v":[1,{"$t":"undefined"}]}`: true, `{"$t":"set","v":{}}`: false,
		`{"$t":"map","v":[[1,2]]}`: true, `{"$t":"map","v":[[1]]}`: false, `{"$t":"map","v":[1]}`: false,
		`{"$t":"error","v":{"name":"E","message":"m"}}`: true, `{"$t":"error","v":{"name":"E"}}`: false,
		`{"$t":"error","v":{"name":"E","message":"m","code":"x"}}`: false,
		`{"$t":"regexp","v":"a"}`:                                  false, `{"$t":1,"v":"a"}`: false, `{"$t":"set","v":[],"w":1}`: false,
		`{"$$t":"set","v":[]}`: true, `{"$x":1}`: false, `{"a":{"$":1}}`: false, `{"$$":1}`: true,
	} {
		v, err := canon.Decode([]byte(text), 64)
		require.NoError(t, err)
		err = protocol.CheckValue(v, 64)
		require.Equal(t, ok, err == nil, "%s: %v", text, err)
	}
}

func TestAValueIsBoundedByItsPartsAtTheEdgeAndOnePast(t *testing.T) {
	many := func(n int, item any) []any {
		items := make([]any, n)
		for i := range items {
			items[i] = item
		}
		return items
	}
	set := func(items []any) any { return map[string]any{"$t": "set", "v": items} }
	bigint := map[string]any{"$t": "bigint", "v": "1"}
	require.NoError(t, protocol.CheckValue(many(protocol.MaxValues-1, nil), 64))
	require.Error(t, protocol.CheckValue(many(protocol.MaxValues, nil), 64))
	require.NoError(t, protocol.CheckValue(set(many(protocol.MaxKeys, 1.0)), 64))
	require.Error(t, protocol.CheckValue(set(many(protocol.MaxKeys+1, 1.0)), 64))
	require.Error(t, protocol.CheckValue([]any{set(many(protocol.MaxKeys, bigint)), set([]any{bigint})}, 64), "all collections together")
	require.NoError(t, protocol.CheckValue(set(many(protocol.MaxKeys+1, "text")), 64))
	require.NoError(t, protocol.CheckValue(map[string]any{"$t": "bigint", "v": strings.Repeat("9", protocol.MaxDigits)}, 64))
	require.Error(t, protocol.CheckValue(map[string]any{"$t": "bigint", "v": strings.Repeat("9", protocol.MaxDigits+1)}, 64))
}

func TestPlainDataTravelsUnchanged(t *testing.T) {
	for _, text := range []string{`{"$t":"date","v":1}`, `{"$":{"$$":[{"$t":null}]}}`, `[null,true,1.5,"$t"]`} {
		v, err := canon.Decode([]byte(text), 64)
		require.NoError(t, err)
		tagged := protocol.FromJSON(v)
		require.NoError(t, protocol.CheckValue(tagged, 64), text)
		require.Equal(t, v, protocol.ToJSON(tagged), text)
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(`{"kind":"result","call":1,"value":{"$t":"map","v":[[1,2]]}}`)
	f.Add(`{"kind":"log","call":1,"lines":[{"level":"log","text":"a"}],"dropped":1}`)
	f.Add(`{"kind":"failure","call":1,"code":"tool_error","error":{"name":"","message":""}}`)
	f.Add(`{"kind":"ask","call":1,"ask":1,"capability":"fetch","params":{"$$t":1}}`)
	codec := protocol.NewCodec(64)
	f.Fuzz(func(t *testing.T, text string) {
		m, err := codec.Decode([]byte(text), 0, protocol.Tool, protocol.Supervisor)
		if err != nil {
			require.NotEqual(t, fault.Internal, fault.CodeOf(err))
			return
		}
		again, err := codec.Encode(m)
		require.NoError(t, err)
		back, err := codec.Decode(again, 0, protocol.Tool, protocol.Supervisor)
		require.NoError(t, err)
		require.Equal(t, m, back)
		_, _ = protocol.NewConversation().Next(protocol.Tool, m)
	})
}
