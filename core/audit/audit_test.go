package audit_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/xyntopia/taskyon-sandbox/core/audit"
	"github.com/xyntopia/taskyon-sandbox/core/canon"
	"github.com/xyntopia/taskyon-sandbox/core/fault"
	"github.com/xyntopia/taskyon-sandbox/core/limits"
	"github.com/xyntopia/taskyon-sandbox/core/shelf"
)

// clock is a time that tests set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func morning() *clock { return &clock{time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)} }

func open(store shelf.Store, c *clock, rows int) *audit.Log {
	l := limits.Default()
	if rows > 0 {
		l.AuditRows = rows
	}
	return audit.New(audit.Options{Store: store, Limits: l, Now: c.now, Writer: rand.Text()})
}

func tool(n int) canon.ToolID { return canon.SumTool(fmt.Append(nil, "tool ", n)) }

func task(n int) canon.TaskID { return canon.SumTask(fmt.Append(nil, "task ", n)) }

func ask(scope string) audit.Ask {
	return audit.Ask{Capability: "fetch", Decision: "allowed", Scope: scope, Class: "read", Sent: true, BytesOut: 10, BytesIn: 2000, DurationMs: 12.5}
}

func site(n int) string { return fmt.Sprintf("https://site%d.example", n) }

func call(n int, asks ...audit.Ask) audit.Call {
	return audit.Call{Task: task(n), Tool: tool(n), Partition: "main", Asks: asks}
}

func add(t *testing.T, l *audit.Log, c audit.Call) {
	t.Helper()
	require.NoError(t, l.Append(t.Context(), c))
}

func query(t *testing.T, l *audit.Log, q audit.Query) []audit.Row {
	t.Helper()
	rows, err := l.Query(t.Context(), q)
	require.NoError(t, err)
	return rows
}

func scopes(rows []audit.Row) []string {
	list := []string{}
	for _, r := range rows {
		list = append(list, strings.TrimSuffix(strings.TrimPrefix(r.Scope, "https://site"), ".example"))
	}
	return list
}

func TestEveryAskOfACallIsARowAndTheNewestComesFirst(t *testing.T) {
	c := morning()
	l := open(new(shelf.Memory), c, 0)
	no := audit.Ask{Capability: "fetch", Decision: "denied", Reason: "not_granted", Scope: site(2), Class: "write"}
	add(t, l, call(1, ask(site(1)), no))
	c.at = c.at.Add(time.Second)
	add(t, l, call(2, ask(site(3))))
	add(t, l, call(3)) // asked nothing
	row := func(n int, at string, a audit.Ask) audit.Row {
		return audit.Row{At: at, Task: task(n), Tool: tool(n), Partition: "main", Ask: a}
	}
	require.Equal(t, []audit.Row{
		row(2, "2026-03-01T08:00:01.000Z", ask(site(3))), row(1, "2026-03-01T08:00:00.000Z", no), row(1, "2026-03-01T08:00:00.000Z", ask(site(1))),
	}, query(t, l, audit.Query{}))
}

func TestAQueryChoosesByWhatItNames(t *testing.T) {
	c := morning()
	began := c.at
	l := open(new(shelf.Memory), c, 0)
	for n := range 6 {
		a := ask(site(n))
		if n%2 == 1 {
			a.Decision = "denied"
		}
		if n == 4 {
			a.Capability = "popup"
		}
		add(t, l, call(n/2, a))
		c.at = c.at.Add(time.Millisecond)
	}
	for _, row := range []struct {
		title string
		q     audit.Query
		want  []string
	}{
		{"all", audit.Query{}, []string{"5", "4", "3", "2", "1", "0"}},
		{"revision", audit.Query{Revision: tool(1)}, []string{"3", "2"}},
		{"task", audit.Query{Task: task(2)}, []string{"5", "4"}},
		{"capability", audit.Query{Capability: "popup"}, []string{"4"}},
		{"decision", audit.Query{Decision: "denied"}, []string{"5", "3", "1"}},
		{"since, from this on", audit.Query{Since: began.Add(3 * time.Millisecond)}, []string{"5", "4", "3"}},
		{"until, before this", audit.Query{Until: began.Add(2 * time.Millisecond)}, []string{"1", "0"}},
		{"both", audit.Query{Since: began.Add(time.Millisecond), Until: began.Add(3 * time.Millisecond)}, []string{"2", "1"}},
		{"limit", audit.Query{Limit: 2}, []string{"5", "4"}},
		{"limit of what is chosen", audit.Query{Limit: 2, Decision: "allowed"}, []string{"4", "2"}},
		{"all at once", audit.Query{Revision: tool(1), Task: task(1), Capability: "fetch", Decision: "denied"}, []string{"3"}},
		{"nothing", audit.Query{Revision: tool(1), Task: task(2)}, []string{}},
	} {
		require.Equal(t, row.want, scopes(query(t, l, row.q)), row.title)
	}
	_, err := l.Query(t.Context(), audit.Query{Limit: -1})
	require.Equal(t, fault.InvalidRequest, fault.CodeOf(err))
}

func TestTheOldestRowsGoWhenThereAreTooMany(t *testing.T) {
	for _, limit := range []int{1, 3, 25} {
		c := morning()
		l := open(new(shelf.Memory), c, limit)
		for n := range limit {
			add(t, l, call(n, ask(site(n))))
		}
		require.Len(t, query(t, l, audit.Query{}), limit)
		require.Equal(t, fmt.Sprint(0), scopes(query(t, l, audit.Query{}))[limit-1], "the edge")
		for n := limit; n < 3*limit; n++ {
			add(t, l, call(n, ask(site(n))))
			rows := scopes(query(t, l, audit.Query{}))
			require.Len(t, rows, limit)
			require.Equal(t, []string{fmt.Sprint(n), fmt.Sprint(n - limit + 1)}, []string{rows[0], rows[limit-1]}, "one past")
		}
	}
}

func TestOfACallWithMoreAsksThanTheLogHoldsTheLastStay(t *testing.T) {
	l := open(new(shelf.Memory), morning(), 3)
	add(t, l, call(1, ask(site(0)), ask(site(1)), ask(site(2)), ask(site(3)), ask(site(4))))
	require.Equal(t, []string{"4", "3", "2"}, scopes(query(t, l, audit.Query{})))
}

func TestALogThatIsOpenedAgainKnowsHowMuchThereIs(t *testing.T) {
	store, c := new(shelf.Memory), morning()
	for n := range 10 {
		add(t, open(store, c, 4), call(n, ask(site(n))))
		c.at = c.at.Add(time.Millisecond)
	}
	require.Equal(t, []string{"9", "8", "7", "6"}, scopes(query(t, open(store, c, 4), audit.Query{})))
}

func TestSeveralEnginesAppendToOneShelfAndNoRowIsLost(t *testing.T) {
	store, c := new(shelf.Memory), morning()
	const engines, calls = 4, 50
	var all sync.WaitGroup
	for e := range engines {
		l := open(store, c, 0)
		all.Go(func() {
			for n := range calls {
				if err := l.Append(context.Background(), call(e, ask(site(2*n)), ask(site(2*n+1)))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	l := open(store, c, 0)
	require.Len(t, query(t, l, audit.Query{}), engines*calls*2)
	for e := range engines { // those of one stay in order, though the clock stood still
		rows := scopes(query(t, l, audit.Query{Revision: tool(e)}))
		require.Len(t, rows, calls*2)
		for i, scope := range rows {
			require.Equal(t, fmt.Sprint(calls*2-1-i), scope)
		}
	}
}

func TestTheBoundHoldsForSeveralEnginesToATenthEach(t *testing.T) {
	store, c := new(shelf.Memory), morning()
	const limit = 100
	logs := []*audit.Log{open(store, c, limit), open(store, c, limit), open(store, c, limit)}
	for n := range 500 {
		add(t, logs[n%3], call(n, ask(site(n))))
		c.at = c.at.Add(time.Millisecond)
		rows, err := store.List(t.Context(), "", "", 0)
		require.NoError(t, err)
		require.LessOrEqual(t, len(rows), limit+2*limit/10)
	}
	require.GreaterOrEqual(t, len(query(t, logs[0], audit.Query{})), limit-2*limit/10)
	require.Equal(t, "499", scopes(query(t, logs[0], audit.Query{Limit: 1}))[0])
}

func TestAClockThatGoesBackPutsNoRowBeforeAnEarlierOne(t *testing.T) {
	c := morning()
	l := open(new(shelf.Memory), c, 0)
	add(t, l, call(1, ask(site(1))))
	c.at = c.at.Add(-time.Hour)
	add(t, l, call(2, ask(site(2))))
	require.Equal(t, []string{"2", "1"}, scopes(query(t, l, audit.Query{})))
}

func TestNoTextOfAToolIsKept(t *testing.T) {
	l := open(new(shelf.Memory), morning(), 0)
	const secret = "hunter2"
	for _, row := range []struct {
		title string
		ask   audit.Ask
		scope string
	}{
		{"a URL for an origin", audit.Ask{Decision: "denied", Scope: "https://api.example.com:8443/hunter2?key=hunter2#hunter2"}, "https://api.example.com:8443"},
		{"a user in it", audit.Ask{Decision: "denied", Scope: "https://me:hunter2@api.example.com/"}, "https://api.example.com"},
		{"a backslash in it", audit.Ask{Decision: "denied", Scope: `https://api.example.com\hunter2@x`}, "https://api.example.com"},
		{"a key of storage", audit.Ask{Capability: "storage", Decision: "allowed", Scope: secret}, ""},
		{"a name nobody has", audit.Ask{Capability: "resolve", Decision: "failed", Scope: secret}, ""},
		{"a sentence", audit.Ask{Decision: "allowed", Scope: "it is hunter2"}, ""},
		{"a host of its own letters", audit.Ask{Decision: "denied", Scope: "https://\u202ehunter2.example"}, ""},
		{"a message for a code", audit.Ask{Decision: "it is hunter2", Capability: "it is hunter2", Reason: "Hunter2: hunter2!", Class: "hunter2 "}, ""},
		{"a name that the host knows", audit.Ask{Capability: "resolve", Decision: "allowed", Scope: "weather"}, "weather"}, // positive controls
		{"the html of a popup", audit.Ask{Capability: "popup", Decision: "denied", Scope: "custom-html"}, "custom-html"},
		{"an IPv6 origin", audit.Ask{Decision: "denied", Scope: "https://[::1]:1/"}, "https://[::1]:1"},
	} {
		add(t, l, call(1, row.ask))
		got := query(t, l, audit.Query{Limit: 1})[0]
		require.Equal(t, row.scope, got.Scope, row.title)
		text, err := canon.Marshal(got)
		require.NoError(t, err)
		require.NotContains(t, strings.ToLower(string(text)), secret, row.title)
	}
}

func TestARowIsBoundedWhateverIsInIt(t *testing.T) {
	store := new(shelf.Memory)
	l := open(store, morning(), 0)
	word := strings.Repeat("a", 64)
	for _, partition := range []string{strings.Repeat(`"`, 1000), strings.Repeat("\u202e\n", 1000), strings.Repeat("\x00", 1000)} {
		add(t, l, audit.Call{Task: task(1), Tool: tool(1), Partition: partition, Asks: []audit.Ask{{
			Capability: word, Decision: word, Reason: word, Class: word, Scope: "https://" + strings.Repeat("a", 10_000), Sent: true,
			BytesOut: math.MaxInt64, BytesIn: math.MinInt64, DurationMs: math.Inf(1),
		}, {Capability: word + "a", DurationMs: math.NaN()}}})
	}
	rows, err := store.List(t.Context(), "", "", 0)
	require.NoError(t, err)
	require.Len(t, rows, 6)
	for _, r := range rows {
		require.LessOrEqual(t, len(r.Value), audit.RowBytes)
	}
	got := query(t, l, audit.Query{Capability: word})[0]
	require.Equal(t, []float64{1<<53 - 1, 0, 1e12}, []float64{float64(got.BytesOut), float64(got.BytesIn), got.DurationMs})
	require.Len(t, query(t, l, audit.Query{Capability: "other"}), 3)
}

func TestARowThatCannotBeReadDoesNotHide(t *testing.T) {
	store, c := new(shelf.Memory), morning()
	l := open(store, c, 0)
	add(t, l, call(1, ask(site(1))))
	rows, err := store.List(t.Context(), "", "", 0)
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), shelf.Change{Key: rows[0].Key, Value: []byte("{")}))
	require.Equal(t, []audit.Row{{At: "2026-03-01T08:00:00.000Z", Ask: audit.Ask{Decision: audit.Unreadable}}}, query(t, l, audit.Query{Revision: tool(2)}))
	require.Empty(t, query(t, l, audit.Query{Until: c.at}))
}

func TestACallIsKeptWholeOrNotAtAll(t *testing.T) {
	store := &failing{Store: new(shelf.Memory)}
	l := open(store, morning(), 2)
	add(t, l, call(1, ask(site(1)), ask(site(2))))
	store.fail = true
	require.Equal(t, fault.Unavailable, fault.CodeOf(l.Append(t.Context(), call(2, ask(site(3)), ask(site(4))))))
	store.fail = false
	require.Equal(t, []string{"2", "1"}, scopes(query(t, l, audit.Query{})))
	add(t, l, call(2, ask(site(5))))
	require.Equal(t, []string{"5", "2"}, scopes(query(t, l, audit.Query{})))
	require.Equal(t, 3, store.puts, "one Put for each call")
}

type failing struct {
	shelf.Store
	fail bool
	puts int
}

func (f *failing) Put(ctx context.Context, changes ...shelf.Change) error {
	f.puts++
	if f.fail {
		return errors.New("disk full")
	}
	return f.Store.Put(ctx, changes...)
}

func TestAClearedLogIsEmptyAndGoesOn(t *testing.T) {
	store := new(shelf.Memory)
	require.NoError(t, store.Put(t.Context(), shelf.Change{Key: "grant/x", Value: []byte("x")}))
	l := open(store, morning(), 2)
	add(t, l, call(1, ask(site(1)), ask(site(2))))
	require.NoError(t, l.Clear(t.Context()))
	require.Empty(t, query(t, l, audit.Query{}))
	add(t, l, call(2, ask(site(3)), ask(site(4))))
	require.Equal(t, []string{"4", "3"}, scopes(query(t, l, audit.Query{})))

	l = open(store, morning(), 100)
	for n := range 105 { // it counts anew only after some more
		add(t, l, call(n, ask(site(n))))
	}
	require.NoError(t, l.Clear(t.Context()))
	for n := range 4 {
		add(t, l, call(n, ask(site(n))))
	}
	require.Len(t, query(t, l, audit.Query{}), 4)
	_, err := store.Get(t.Context(), "grant/x")
	require.NoError(t, err)
}
