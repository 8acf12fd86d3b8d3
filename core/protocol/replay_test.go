package protocol_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/protocol"
)

// The conversations of testdata are replayed here and by the TypeScript twin. A line is
//
//	<side> <message text> => accepted | late | breach
//
// A breach, of shape or of turn, leaves the conversation where it was.
func TestBothSidesOfTheWallJudgeTheSameConversationsAlike(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 5)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			archive := txtar.Parse(text)
			require.Len(t, archive.Files, 1)
			replay(t, string(archive.Files[0].Data))
		})
	}
}

func replay(t *testing.T, script string) {
	codec, conversation := protocol.NewCodec(64), protocol.NewConversation()
	for line := range strings.Lines(script) {
		line = strings.TrimSpace(line)
		side, rest, _ := strings.Cut(line, " ")
		at := strings.LastIndex(rest, " => ")
		require.Positive(t, at, line)
		text, want := rest[:at], rest[at+4:]
		require.Equal(t, want, judge(codec, conversation, protocol.Side(side), text), line)
	}
}

func judge(codec *protocol.Codec, conversation *protocol.Conversation, by protocol.Side, text string) string {
	m, err := codec.Decode([]byte(text), 0, by)
	if err != nil {
		return "breach"
	}
	turn, err := conversation.Next(by, m)
	if err != nil {
		return "breach"
	}
	return string(turn)
}
