package sandbox

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

func lines(texts ...string) *protocol.Log {
	log := &protocol.Log{Call: 1}
	for _, text := range texts {
		log.Lines = append(log.Lines, protocol.Line{Level: "info", Text: text})
	}
	return log
}

func texts(lines []protocol.Line) []string {
	out := []string{}
	for _, line := range lines {
		out = append(out, line.Text)
	}
	return out
}

// watch plays messages into logs, and gives what is kept and what was streamed; "…" stands for lines left out there.
func watch(k *logs, messages ...*protocol.Log) (kept []string, dropped int, streamed []string, skipped int) {
	take := func(l *protocol.Log) {
		if l != nil {
			skipped += l.Dropped
			if l.Dropped > 0 {
				streamed = append(streamed, "…")
			}
			streamed = append(streamed, texts(l.Lines)...)
		}
	}
	k.live = true
	for _, m := range messages {
		take(k.add(m))
	}
	all, dropped := k.kept()
	take(k.rest())
	return texts(all), dropped, streamed, skipped
}

func TestTheFirstAndTheLastLinesOfACallAreKept(t *testing.T) {
	long := strings.Repeat("x", 12)
	told := lines("y", "z")
	told.Dropped = 7
	for _, row := range []struct {
		title        string
		lines, bytes int
		messages     []*protocol.Log
		kept         []string
		dropped      int
		streamed     []string
	}{
		{"nothing", 4, 100, nil, []string{}, 0, nil},
		{"up to the edge", 4, 100, []*protocol.Log{lines("a", "b"), lines("c", "d")},
			[]string{"a", "b", "c", "d"}, 0, []string{"a", "b", "c", "d"}},
		{"one line past", 4, 100, []*protocol.Log{lines("a", "b", "c", "d", "e")},
			[]string{"a", "b", "d", "e"}, 1, []string{"a", "b", "c", "d", "e"}},
		{"many lines past", 4, 100, []*protocol.Log{lines("a", "b", "c", "d"), lines("e", "f", "g", "h")}, []string{"a", "b", "g", "h"}, 4,
			[]string{"a", "b", "c", "d", "…", "g", "h"}},
		{"bytes up to the edge", 9, 10, []*protocol.Log{lines("aaaaa", "bbbbb")}, []string{"aaaaa", "bbbbb"}, 0, []string{"aaaaa", "bbbbb"}},
		{"one byte past", 9, 10, []*protocol.Log{lines("aaaaa", "bbb", "ccc")}, []string{"aaaaa", "ccc"}, 1, []string{"aaaaa", "bbb", "ccc"}},
		{"a line over all there is", 9, 10, []*protocol.Log{lines("a", long, "b")}, []string{"a", "b"}, 1, []string{"a", "…", "b"}},
		{"a last line over all there is", 9, 10, []*protocol.Log{lines("a", "b", long)}, []string{"a", "b"}, 1, []string{"a", "b", "…"}},
		{"what the place left out", 9, 100, []*protocol.Log{lines("a"), told}, []string{"a", "y", "z"}, 7, []string{"a", "…", "y", "z"}},
		{"one line", 1, 100, []*protocol.Log{lines("a", "b")}, []string{"a"}, 1, []string{"a", "…"}},
	} {
		t.Run(row.title, func(t *testing.T) {
			kept, dropped, streamed, _ := watch(&logs{lines: row.lines, bytes: row.bytes}, row.messages...)
			require.Equal(t, row.kept, kept)
			require.Equal(t, row.dropped, dropped)
			require.Equal(t, row.streamed, streamed)
		})
	}
}

func TestWhatAPlaceClaimsToHaveLeftOutStaysExact(t *testing.T) {
	k := &logs{lines: 2, bytes: 10}
	claim := &protocol.Log{Dropped: 1<<53 - 1}
	for range 2000 {
		require.Nil(t, k.add(claim), "and is no line to tell of")
	}
	_, dropped := k.kept()
	require.Equal(t, 1<<53-1, dropped)
}

// Whatever a place sends: the limits hold, every line is kept or counted, streamed or counted, and the stream ends with the
// kept end.
func TestLogsStayWithinTheirLimits(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 3000 {
		k := &logs{lines: 1 + random.IntN(8), bytes: 1 + random.IntN(40)}
		var messages []*protocol.Log
		total := 0
		for range random.IntN(6) {
			m := &protocol.Log{Dropped: random.IntN(3) / 2 * 5}
			total += m.Dropped
			for range random.IntN(8) {
				m.Lines = append(m.Lines, protocol.Line{Text: strings.Repeat("x", random.IntN(12))})
				total++
			}
			messages = append(messages, m)
		}
		kept, dropped, streamed, skipped := watch(k, messages...)
		require.LessOrEqual(t, len(kept), k.lines)
		require.LessOrEqual(t, len(strings.Join(kept, "")), k.bytes)
		require.Equal(t, total, len(kept)+dropped)
		out := 0
		for _, text := range streamed {
			if text != "…" {
				out++
			}
		}
		require.Equal(t, total, out+skipped)
		require.LessOrEqual(t, out, 2*k.lines)
	}
}
