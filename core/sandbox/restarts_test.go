package sandbox

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestTheBrakeForgetsWhatIsOver(t *testing.T) {
	b := brake{limit: 3}
	now := time.Unix(0, 0)
	for i := range 10000 {
		b.note(fmt.Sprint(i%500), now)
		now = now.Add(time.Second)
	}
	require.LessOrEqual(t, len(b.ends), 61, "only the revisions of the last minute are held")
	for range 100 {
		b.note("x", now)
	}
	require.Len(t, b.ends["x"], 4, "and of each no more than needed")
	require.Equal(t, time.Minute, b.wait("x", now))
	require.Equal(t, time.Millisecond, b.wait("x", now.Add(time.Minute-time.Millisecond)))
	require.Zero(t, b.wait("x", now.Add(time.Minute)))
	require.Zero(t, b.wait("y", now))
}
