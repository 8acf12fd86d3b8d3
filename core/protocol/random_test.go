package protocol_test

import (
	"flag"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

var (
	conversations = flag.Int("conversations", 30, "random conversations in testdata/random.txt")
	update        = flag.Bool("update", false, "write testdata/random.txt")
)

// walk is one conversation in which both sides say what comes to their mind, with ids that are often right. Each line has its verdict.
func walk(random *rand.Rand, steps int) string {
	codec, c := protocol.NewCodec(64), protocol.NewConversation()
	var script strings.Builder
	call, ask, ping := 0, 0, 0
	near := func(n int) int { return max(0, n+append([]int{-1, 1, -2}, make([]int, 13)...)[random.Intn(16)]) }
	some := func() int { return max(0, ask+1-random.Intn(5)) }
	seqs := map[int]int{}
	say := func(side protocol.Side, text string) bool {
		verdict := judge(codec, c, side, text)
		fmt.Fprintf(&script, "%s %s => %s\n", side, text, verdict)
		return verdict == "accepted"
	}
	for i := range steps {
		n := random.Intn(100)
		if i < 3 && random.Intn(8) > 0 { // most begin well
			n = []int{0, 3, 6}[i]
		}
		switch {
		case n < 3:
			say("host", `{"kind":"start","name":"t","language":"javascript","program":"","limits":{"nesting":1,"resultBytes":1,"inlineTextBytes":1,"logLines":1,"logBytes":1,"messagesPerWindow":1,"bytesPerWindow":1,"windowMs":1,"bodyBytes":1}}`)
		case n < 6:
			say("tool", `{"kind":"ready","version":2}`)
		case n < 16:
			if say("host", fmt.Sprintf(`{"kind":"call","call":%d,"args":null,"timeoutMs":1,"wallMs":1,"context":{"task":"","tool":""}}`, near(call+1))) {
				call, ask, seqs = call+1, 0, map[int]int{}
			}
		case n < 28:
			if say("tool", fmt.Sprintf(`{"kind":"ask","call":%d,"ask":%d,"capability":"fetch","params":null}`, near(call), near(ask+1))) {
				ask++
			}
		case n < 34:
			say("tool", fmt.Sprintf(`{"kind":"ask_cancel","call":%d,"ask":%d}`, near(call), some()))
		case n < 52:
			more := []string{"", `,"body":true`, `,"body":true`, `,"body":true`, `,"body":true,"error":{"code":"c","message":""}`}[random.Intn(5)]
			say("host", fmt.Sprintf(`{"kind":"answer","call":%d,"ask":%d,"value":null%s}`, near(call), some(), more))
		case n < 76:
			of := some()
			if say("host", fmt.Sprintf(`{"kind":"chunk","call":%d,"ask":%d,"seq":%d,"last":%v}`, near(call), of, near(seqs[of]), random.Intn(5) == 0)) {
				seqs[of]++
			}
		case n < 84:
			say("tool", fmt.Sprintf(`{"kind":"credit","call":%d,"ask":%d,"bytes":%d}`, near(call), some(), random.Intn(3)-1))
		case n < 87:
			ping++
			say("host", fmt.Sprintf(`{"kind":"ping","seq":%d}`, ping))
		case n < 90:
			say("tool", fmt.Sprintf(`{"kind":"pong","seq":%d}`, near(ping)))
		case n < 92:
			say("tool", fmt.Sprintf(`{"kind":"log","call":%d,"lines":[]}`, near(call)))
		case n < 94:
			say("tool", fmt.Sprintf(`{"kind":"result","call":%d,"value":null}`, near(call)))
		case n < 95:
			say([]protocol.Side{"tool", "host", "supervisor"}[random.Intn(3)], fmt.Sprintf(`{"kind":"failure","call":%d,"code":"tool_error","error":{"name":"","message":""}}`, near(call)))
		case n < 96 && random.Intn(2) == 0:
			say("host", fmt.Sprintf(`{"kind":"cancel","call":%d}`, near(call)))
		case n < 97 && random.Intn(2) == 0:
			say([]protocol.Side{"tool", "supervisor"}[random.Intn(2)], fmt.Sprintf(`{"kind":"crashed","call":%d,"reason":"error","message":""}`, near(call)))
		}
	}
	return script.String()
}

// The file is what this test makes, and what the TypeScript twin is held to.
func TestRandomConversationsAreThoseThatTheTwinIsHeldTo(t *testing.T) {
	var text strings.Builder
	for seed := range *conversations {
		text.WriteString("--\n" + walk(rand.New(rand.NewSource(int64(seed))), 80))
	}
	const file = "testdata/random.txt"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(text.String()), 0o644))
	}
	kept, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, string(kept), text.String(), "a change of the protocol changes these: go test ./core/protocol -update")
}
