package core

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/task"
)

func textOf(t *testing.T, message string) string {
	sealed, err := task.Seal(task.Node{Role: task.User, Content: task.Content{Message: message}})
	require.NoError(t, err)
	text, err := sealed.JSON()
	require.NoError(t, err)
	return text
}

func TestATextThatWasReadIsNotReadAgainAndAnotherTextIs(t *testing.T) {
	k, l := new(known), limits.Default()
	text := textOf(t, "hello")
	first, err := k.read([]byte(text), l)
	require.NoError(t, err)
	again, err := k.read([]byte(text), l)
	require.NoError(t, err)
	require.Same(t, first, again)

	for _, forged := range []string{strings.Replace(text, "hello", "hullo", 1), text + "}", strings.Replace(text, "user", "system", 1)} {
		_, err = k.read([]byte(forged), l)
		require.Error(t, err)
		_, err = k.read([]byte(forged), l)
		require.Error(t, err, "what was refused is refused again")
	}
	spaced, err := k.read([]byte(" "+text), l)
	require.NoError(t, err)
	require.NotSame(t, first, spaced)
	require.Equal(t, first.ID, spaced.ID)

	k.clear()
	fresh, err := k.read([]byte(text), l)
	require.NoError(t, err)
	require.NotSame(t, first, fresh, "what was erased is not remembered")
}

func TestWhatIsKnownIsBounded(t *testing.T) {
	k, l := new(known), limits.Default()
	often := textOf(t, "often")
	first, err := k.read([]byte(often), l)
	require.NoError(t, err)
	filling := strings.Repeat("x", mostKnownText/2)
	for i := range 4 * mostKnownBytes / len(filling) {
		_, err := k.read([]byte(textOf(t, fmt.Sprint(i, filling))), l)
		require.NoError(t, err)
		require.LessOrEqual(t, k.bytes, mostKnownBytes)
		require.LessOrEqual(t, len(k.young)+len(k.old), 2*mostKnownBytes/len(filling)+2)
		again, err := k.read([]byte(often), l)
		require.NoError(t, err)
		require.Same(t, first, again, "what is asked for stays")
	}
	long := textOf(t, strings.Repeat("x", mostKnownText))
	one, err := k.read([]byte(long), l)
	require.NoError(t, err)
	two, err := k.read([]byte(long), l)
	require.NoError(t, err)
	require.NotSame(t, one, two, "a long text is not kept")
	_, err = k.read([]byte(`{}`), l)
	require.Equal(t, fault.InvalidTask, fault.CodeOf(err))
}
