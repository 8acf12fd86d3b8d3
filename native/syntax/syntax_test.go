package syntax

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/tool"
)

var _ tool.Syntax = (*Checker)(nil)

// slow takes goja several seconds.
var slow = "(a) => {" + strings.Repeat("a.x = [a.y + 1];\n", 30_000) + "}"

func requireWorks(t *testing.T, c *Checker) {
	t.Helper()
	verdict, err := c.Check(t.Context(), "(a) => a.x")
	require.NoError(t, err)
	require.Equal(t, tool.Verdict{Form: "expression", Program: "\"use strict\";return (\n(a) => a.x\n)"}, verdict)
}

func TestCheckThatIsCancelledEndsSoonAndTheNextOneWorks(t *testing.T) {
	c := opened(t)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	began := time.Now()
	_, err := c.Check(ctx, slow)
	require.Equal(t, fault.Aborted, refusal(t, err).Code)
	require.Less(t, time.Since(began), 2*time.Second)
	requireWorks(t, c)

	_, err = c.Check(ctx, "(a) => a.x")
	require.Equal(t, fault.Aborted, refusal(t, err).Code, "cancelled before it began")
	requireWorks(t, c)
}

func TestCheckThatTakesTooLongIsATimeoutAndTheNextOneWorks(t *testing.T) {
	c := opened(t)
	c.time = 50 * time.Millisecond
	began := time.Now()
	_, err := c.Check(t.Context(), slow)
	require.Equal(t, fault.Timeout, refusal(t, err).Code)
	require.Less(t, time.Since(began), 2*time.Second)
	c.time = maxTime
	requireWorks(t, c)
}

func TestCheckThatWaitsForAnotherCanBeCancelled(t *testing.T) {
	c := opened(t)
	<-c.turn
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	_, err := c.Check(ctx, "(a) => a.x")
	require.Equal(t, fault.Timeout, refusal(t, err).Code)
	c.turn <- struct{}{}
	requireWorks(t, c)
}

func TestNestingIsRefusedAndNeverACrash(t *testing.T) {
	c := opened(t)
	for _, source := range []string{
		"() => " + strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000),
		"() => /" + strings.Repeat("(", 100_000) + strings.Repeat(")", 100_000) + "/",
		"() => /" + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + "/v",
		"() => " + strings.Repeat("`${", 100_000),
	} {
		_, err := c.Check(t.Context(), source)
		refused := refusal(t, err)
		require.Equal(t, fault.InvalidCode, refused.Code)
		require.Contains(t, refused.Message, "nested too deeply")
		require.Equal(t, 1, refused.Line)
	}
	requireWorks(t, c)
}

func TestStackThatIsFullIsARefusal(t *testing.T) {
	c := opened(t)
	c.frames, c.engine = 150, nil
	_, err := c.Check(t.Context(), "() => "+strings.Repeat("(", 100)+strings.Repeat(")", 100))
	require.Equal(t, fault.InvalidCode, refusal(t, err).Code)
	require.Contains(t, err.Error(), "nested too deeply")
	requireWorks(t, c)
}

func TestTextThatIsNotUTF8IsRefused(t *testing.T) {
	c := opened(t)
	for _, source := range []string{"() => '\xff'", "() => '\xed\xa0\x80'"} {
		_, err := c.Check(t.Context(), source)
		require.Equal(t, fault.InvalidCode, refusal(t, err).Code)
		require.Contains(t, err.Error(), "UTF-8")
	}
	verdict, err := c.Check(t.Context(), "() => 'größe 😀'")
	require.NoError(t, err)
	require.Contains(t, verdict.Program, "größe 😀")
}

func TestSourceOverTheLimitIsRefusedBeforeItIsParsed(t *testing.T) {
	c := opened(t)
	padded := func(size int) string { return "(a) => a.x //" + strings.Repeat("x", size-13) }
	_, err := c.Check(t.Context(), padded(1<<20))
	require.NoError(t, err)
	_, err = c.Check(t.Context(), padded(1<<20+1))
	require.Contains(t, refusal(t, err).Message, "larger than 1 MiB")
}

func TestChecksFromManyGoroutinesGiveTheirOwnVerdict(t *testing.T) {
	c := opened(t)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			verdict, err := c.Check(t.Context(), "(a) => a.x + "+strings.Repeat("1", i+1))
			if err != nil || !strings.Contains(verdict.Program, " "+strings.Repeat("1", i+1)+"\n") {
				t.Errorf("check %d: %q, %v", i, verdict.Program, err)
			}
		})
	}
	all.Wait()
}

func TestClosedCheckerSaysSo(t *testing.T) {
	c, err := New()
	require.NoError(t, err)
	requireWorks(t, c)
	c.Close()
	c.Close()
	_, err = c.Check(t.Context(), "(a) => a.x")
	require.Equal(t, fault.Closed, refusal(t, err).Code)
}
